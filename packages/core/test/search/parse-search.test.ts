import { describe, expect, test } from 'vitest';
import { careTeamParameters } from '../../src/care-team/record.ts';
import { utc } from '../../src/fhir/date-time.ts';
import { goalParameters } from '../../src/goal/record.ts';
import { immunizationParameters } from '../../src/immunization/record.ts';
import { formatCursor } from '../../src/search/paging.ts';
import type { SearchParameterTable } from '../../src/search/parameters.ts';
import { parseSearch, type ResultParameterTable } from '../../src/search/parse-search.ts';
import type { SearchPairs } from '../../src/search/search-input.ts';
import { serviceRequestParameters } from '../../src/service-request/record.ts';
import { expectInvalid, leftOf, refusal, rightOf } from '../results.ts';

const parse = (
  parameters: SearchPairs | object,
  declared: SearchParameterTable = serviceRequestParameters,
  handling: 'strict' | 'lenient' = 'strict',
) => parseSearch(parameters, { declared, handling, time: { zone: utc, now: 0 } });
const parseQuery = (query: string, ...rest: [SearchParameterTable?, ('strict' | 'lenient')?]) =>
  parse(new URLSearchParams(query), ...rest);

const cursor = formatCursor({ after: 'a' });

describe('paging', () => {
  const paging = (query: string) => rightOf(parseQuery(query)).paging;

  test.each([
    ['', { count: 10, offset: 0, cursor: null }],
    ['_count=0', { count: 0, offset: 0, cursor: null }],
    ['_count=1&_offset=3', { count: 1, offset: 3, cursor: null }],
    ['_count=100', { count: 100, offset: 0, cursor: null }],
    ['_count=101', { count: 100, offset: 0, cursor: null }],
    [
      `_count=007&_offset=10&_after=${formatCursor({ after: 'a' })}`,
      { count: 7, offset: 10, cursor: { after: 'a' } },
    ],
  ])('%j', (query, expected) => {
    expect(paging(query)).toEqual(expected);
  });

  test('a larger _count is served as 100, however large it is', () => {
    expect(paging('_count=99999999999999999999').count).toBe(100);
    expect(paging(`_count=${'9'.repeat(400)}`).count).toBe(100);
  });

  test('any large _offset is a number that a store can count to', () => {
    expect(Number.isSafeInteger(paging(`_offset=${'9'.repeat(400)}`).offset)).toBe(true);
  });

  test.each(['-1', '+1', ' 1', '1.0', '1e2', '0x10', 'ten', 'NaN', '１', '1,2'])(
    '%j is not a whole number',
    (value) => {
      const paging = parse({ _count: value, _offset: value });
      expectInvalid(paging, 'whole-number at _count', 'whole-number at _offset');
    },
  );

  test('can be given only once', () => {
    expectInvalid(
      parseQuery(`_count=1&_count=1&_offset=0&_offset=5&_after=${cursor}&_after=${cursor}`),
      'repeated-parameter at _after',
      'repeated-parameter at _count',
      'repeated-parameter at _offset',
    );
  });

  test.each(['0', '7', 'a', 'e30', `${cursor}A`, `${cursor}=`])('%j is not a cursor', (value) => {
    expectInvalid(parse({ _after: value }), 'cursor at _after');
  });

  test('is not part of the used parameters', () => {
    expect(rightOf(parseQuery('_count=1&_offset=3&_id=a')).used).toEqual([['_id', 'a']]);
  });
});

describe('conditions', () => {
  const conditions = (query: string, declared?: SearchParameterTable) =>
    rightOf(declared === undefined ? parseQuery(query) : parseQuery(query, declared)).conditions;

  test('are empty without parameters', () => {
    expect(conditions('')).toEqual([]);
  });

  test('can be an _id', () => {
    expect(conditions('_id=a,b')).toEqual([{ on: 'id', anyOf: ['a', 'b'] }]);
  });

  test('patient=123 and patient=Patient/123 mean the same', () => {
    const expected = [{ on: 'patient', anyOf: ['123'] }];
    expect([conditions('patient=123'), conditions('patient=Patient/123')]).toEqual([expected, expected]);
  });

  test('a comma is "or", a repeated parameter is "and"', () => {
    expect(conditions('code=1-8,2-6&code=3-4')).toEqual([
      {
        on: 'token',
        parameter: 'code',
        anyOf: [
          { system: null, code: '1-8' },
          { system: null, code: '2-6' },
        ],
      },
      { on: 'token', parameter: 'code', anyOf: [{ system: null, code: '3-4' }] },
    ]);
  });

  test('a backslash escapes a comma', () => {
    expect(conditions('code=a\\,b')).toEqual([
      { on: 'token', parameter: 'code', anyOf: [{ system: null, code: 'a,b' }] },
    ]);
  });

  test('tokens: code, system|code, system|, |code', () => {
    expect(conditions('code=a,s|a,s|,|a')).toEqual([
      {
        on: 'token',
        parameter: 'code',
        anyOf: [
          { system: null, code: 'a' },
          { system: 's', code: 'a' },
          { system: 's', code: null },
          { system: '', code: 'a' },
        ],
      },
    ]);
  });

  test('can be dates', () => {
    const year = { from: 0, until: Date.UTC(1971, 0, 1) };
    expect(conditions('authored=ge1970,1970')).toEqual([
      {
        on: 'date',
        parameter: 'authored',
        isSingle: true,
        anyOf: [
          { prefix: 'ge', ...year },
          { prefix: 'eq', ...year },
        ],
      },
    ]);
  });

  test('participant: Practitioner/1, or an id of either type', () => {
    expect(conditions('participant=Practitioner/1,2', careTeamParameters)).toEqual([
      {
        on: 'reference',
        parameter: 'participant',
        anyOf: [
          { type: 'Practitioner', id: '1' },
          { type: 'Practitioner', id: '2' },
          { type: 'Organization', id: '2' },
        ],
      },
    ]);
  });
});

describe('issues', () => {
  test.each([
    ['_id=', 'empty-parameter at _id'],
    ['patient=%20', 'empty-parameter at patient'],
    ['_pretty=', 'empty-parameter at _pretty'],
    ['autored=', 'unknown-parameter at autored'],
    ['_id=a,,b', 'search-id at _id'],
    ['_id=Goal/1', 'search-id at _id'],
    ['patient=,', 'search-reference at patient'],
    ['patient=Practitioner/1', 'search-reference at patient'],
    ['patient=1,Group/2', 'search-reference at patient'],
    ['status=finished', 'search-code at status'],
    ['status=active,Active', 'search-code at status'],
    ['code=|', 'search-token at code'],
    ['code=a|b|c', 'search-token at code'],
    ['authored=yesterday', 'search-date at authored'],
    ['authored=2023-02-30', 'search-date at authored'],
    ['autored=2023', 'unknown-parameter at autored'],
    ['code:text=a', 'modifier at code'],
    ['colour:not=a', 'unknown-parameter at colour'],
    ['_include=ServiceRequest:subject', 'unknown-parameter at _include'],
    ['constructor=a', 'unknown-parameter at constructor'],
    ['__proto__=a', 'unknown-parameter at __proto__'],
    ['=a', 'unknown-parameter'],
    ['%3Cscript%3E=a', 'unknown-parameter'],
  ])('%s', (query, fault) => {
    expectInvalid(parseQuery(query), fault);
  });

  test('a participant is a practitioner or an organization', () => {
    expectInvalid(parseQuery('participant=Patient/1', careTeamParameters), 'search-reference at participant');
  });

  test('are reported all at once', () => {
    expectInvalid(
      parseQuery('_count=x&autored=1&status=no&patient=Group/1&authored=no&_count=1'),
      'repeated-parameter at _count',
      'search-code at status',
      'search-date at authored',
      'search-reference at patient',
      'unknown-parameter at autored',
      'whole-number at _count',
    );
  });

  test('contain no value of the search', () => {
    const secret = 's3cr3t value';
    const parameters = { _id: secret, status: secret, authored: secret, patient: secret, [secret]: secret };
    expect(JSON.stringify(parse(parameters))).not.toContain('s3cr3t');
  });
});

describe('result parameters', () => {
  const results = {
    _include: { kind: 'include', values: ['Goal:patient', 'Goal:subject'] },
  } as const satisfies ResultParameterTable;
  const parseResults = (query: string) =>
    parseSearch(new URLSearchParams(query), {
      ...{ declared: goalParameters, results, handling: 'strict', time: { zone: utc, now: 0 } },
    });

  test('are not conditions; a repeated value counts once', () => {
    const query = '_include=Goal:subject&patient=7&_include=Goal:patient&_include=Goal:subject';
    const { conditions, results, used } = rightOf(parseResults(query));
    expect(conditions).toEqual([{ on: 'patient', anyOf: ['7'] }]);
    expect([...results]).toEqual([['_include', ['Goal:subject', 'Goal:patient']]]);
    expect(used).toHaveLength(4);
  });

  test('have none of the values that are not declared, and no modifiers', () => {
    expectInvalid(
      parseResults('_include=Goal:patient,Goal:subject&_include:iterate=Goal:patient&_revinclude=Goal:x'),
      'modifier at _include',
      'search-value at _include',
      'unknown-parameter at _revinclude',
    );
  });
});

describe('modifiers of a search that a store runs', () => {
  const parseStored = (
    query: string,
    declared: SearchParameterTable,
    handling: 'strict' | 'lenient' = 'strict',
  ) =>
    parseSearch(new URLSearchParams(query), {
      declared,
      isStored: true,
      handling,
      time: { zone: utc, now: 0 },
    });
  const conditions = (query: string, declared: SearchParameterTable = careTeamParameters) =>
    rightOf(parseStored(query, declared)).conditions;

  test('not: none of the tokens', () => {
    const anyOf = [
      { system: null, code: 'active' },
      { system: null, code: 'proposed' },
    ];
    expect(conditions('status:not=active,proposed&status=active')).toEqual([
      { on: 'not', condition: { on: 'token', parameter: 'status', anyOf } },
      { on: 'token', parameter: 'status', anyOf: anyOf.slice(0, 1) },
    ]);
  });

  test('not: none of the ids, and any patient', () => {
    expect(conditions('_id:not=7,7.inactive')).toEqual([
      { on: 'not', condition: { on: 'id', anyOf: ['7', '7.inactive'] } },
    ]);
  });

  test.each([
    ['role', 'token', careTeamParameters],
    ['requester', 'reference', serviceRequestParameters],
    ['target-date', 'date', goalParameters],
    ['name', 'string', { name: { kind: 'string' } }],
  ] as const)('missing: no entry of %s', (parameter, kind, declared) => {
    const condition = { on: 'entry', kind, parameter };
    expect(conditions(`${parameter}:missing=false`, declared)).toEqual([condition]);
    expect(conditions(`${parameter}:missing=true`, declared)).toEqual([{ on: 'not', condition }]);
  });

  test('missing: an entry of its own says whether a team has a participant', () => {
    const token = { system: '', code: 'false' };
    const condition = { on: 'token', parameter: 'participant:missing', anyOf: [token] };
    expect(conditions('participant:missing=false')).toEqual([condition]);
    expect(conditions('participant:missing=true')).toEqual([{ on: 'not', condition }]);
  });

  test.each(['_id', 'patient', '_lastUpdated'])('missing: every resource has %s', (parameter) => {
    expect(conditions(`${parameter}:missing=false`)).toEqual([]);
    expect(conditions(`${parameter}:missing=true`)).toEqual([{ on: 'id', anyOf: [] }]);
  });

  test('a fixed token holds for all resources or for none, as its modifiers say', () => {
    const none = [{ on: 'id', anyOf: [] }];
    const onIntent = (query: string) => conditions(query, serviceRequestParameters);
    const system = 'http://hl7.org/fhir/request-intent';
    for (const query of ['intent=order', 'intent=plan,order', `intent=${system}|`, 'intent:not=plan'])
      expect(onIntent(query)).toEqual([]);
    for (const query of ['intent=plan', 'intent=|order', `intent:not=${system}|order`, 'intent:missing=true'])
      expect(onIntent(query)).toEqual(none);
    expectInvalid(parseStored('intent=orders', serviceRequestParameters), 'search-code at intent');
  });

  test('a profile is that of the type, which nearly all resources have, or none', () => {
    const goalProfile = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-goal';
    const onProfile = (query: string) => conditions(query, goalParameters);
    const present = onProfile(`_profile=${goalProfile}`);
    expect(present).toMatchObject([{ on: 'not', condition: { on: 'token', parameter: '_profile:missing' } }]);
    expect(onProfile(`_profile=urn:x,${goalProfile}`)).toEqual(present);
    expect(onProfile('_profile:missing=false')).toEqual(present);
    expect([{ on: 'not', condition: onProfile('_profile:missing=true')[0] }]).toEqual(present);
    expect(onProfile('_profile=urn:x')).toEqual([{ on: 'id', anyOf: [] }]);
    expectInvalid(parseStored('_profile=', goalParameters), 'empty-parameter at _profile');
    expectInvalid(parseStored('_profile:not=urn:x', goalParameters), 'modifier at _profile');
  });

  test('are among the used parameters', () => {
    const { used } = rightOf(parseStored('role:missing=true&status:not=active', careTeamParameters));
    expect(used.map(([name]) => name)).toEqual(['role:missing', 'status:not']);
  });

  test.each([
    ['status:not=activ', 'search-code at status'],
    ['status:not=', 'empty-parameter at status'],
    ['role:missing=', 'empty-parameter at role'],
    ['participant:not=', 'modifier at participant'],
    ['role:missing=yes', 'search-missing at role'],
    ['role:missing=true,false', 'search-missing at role'],
    ['participant:not=Practitioner/1', 'modifier at participant'],
    ['patient:not=7', 'modifier at patient'],
    ['_lastUpdated:not=2026', 'modifier at _lastUpdated'],
    ['status:not:missing=true', 'modifier at status'],
    ['status:missing.code=true', 'modifier at status'],
    ['_count:missing=true', 'modifier at _count'],
  ])('%s is refused, even if handling is lenient', (query, fault) => {
    expectInvalid(parseStored(query, careTeamParameters), fault);
    expectInvalid(parseStored(query, careTeamParameters, 'lenient'), fault);
  });

  test('an unknown one is refused with those of the parameter', () => {
    const message = (query: string) => leftOf(parseStored(query, careTeamParameters)).issues[0]?.message;
    expect(message('participant:exact=1')).toMatch(
      / Allowed: participant:Practitioner, participant:Organization, participant:missing\.$/,
    );
    expect(message('_id:exact=1')).toMatch(/ Allowed: _id:not, _id:missing\.$/);
  });

  test('a search that no store runs has none', () => {
    expectInvalid(
      parseQuery('status:not=active&code:missing=true'),
      'modifier at code',
      'modifier at status',
    );
  });
});

describe('lenient handling', () => {
  test('ignores unknown parameters, and leaves them out of the used parameters', () => {
    const { used, conditions } = rightOf(parseQuery('autored=1&_id=a&x=', undefined, 'lenient'));
    expect([used, conditions]).toEqual([[['_id', 'a']], [{ on: 'id', anyOf: ['a'] }]]);
  });

  test.each([
    'autored=1',
    'autored=1&_count=5',
    '_offset=1&colour:not=red',
    '=x',
    'autored=1&_sort=-authored',
  ])('does not ignore the only condition: %s', (query) => {
    expect(leftOf(parseQuery(query, undefined, 'lenient')).issues.map(({ rule }) => rule)).toEqual([
      'unknown-parameter',
    ]);
  });

  test('says why the only condition is not ignored', () => {
    const [issue] = leftOf(parseQuery('encounter=1', careTeamParameters, 'lenient')).issues;
    expect(issue?.message).toMatch(
      /^The search parameter is not supported\. Those of this resource are .*`_profile`\. Without it, the search has no condition, so it is not ignored\.$/,
    );
  });

  test.each(['_sort=x', '_count=5', '_contained=true', '_include:iterate=*', '_pretty=true'])(
    'ignores a parameter that is not a condition, even if there is none: %s',
    (query) => {
      expect(rightOf(parseQuery(query, undefined, 'lenient')).conditions).toEqual([]);
    },
  );

  test('ignores empty parameters beside a condition, and leaves them out of the used ones', () => {
    const query = 'status=&_id=a&code=%20&patient=&authored=&_count=&_offset=&_after=&_pretty=&_id=';
    const { used, conditions, ignored, paging } = rightOf(parseQuery(query, undefined, 'lenient'));
    expect([used, conditions]).toEqual([[['_id', 'a']], [{ on: 'id', anyOf: ['a'] }]]);
    expect(paging).toEqual({ count: 10, offset: 0, cursor: null });
    expect(ignored).toHaveLength(9);
    expect(new Set(ignored.map(({ rule, message }) => `${rule}: ${message}`))).toEqual(
      new Set(['empty-parameter: The parameter has no value. It was ignored.']),
    );
  });

  test.each(['patient=', 'patient=&_count=5', 'status=&_sort=&patient='])(
    'does not ignore an empty parameter if no condition is left: %s',
    (query) => {
      const { issues } = leftOf(parseQuery(query, undefined, 'lenient'));
      expect(new Set(issues.map(({ rule }) => rule))).toEqual(new Set(['empty-parameter']));
      expect(issues[0]?.message).toBe(
        'The parameter has no value. Without it, the search has no condition, so it is not ignored.',
      );
    },
  );

  test('does not ignore a value that an object lacks: a session that has lost its patient would find the whole clinic', () => {
    for (const patient of [undefined, '', [], null])
      expectInvalid(parse({ status: 'active', patient }, undefined, 'lenient'), 'empty-parameter at patient');
  });

  test('does not ignore values outside their grammar', () => {
    expectInvalid(
      parseQuery('status=no&_count=x&y=1', undefined, 'lenient'),
      'search-code at status',
      'whole-number at _count',
    );
  });
});

describe('parameters of a caller', () => {
  test('can be names with values, with an array for a repeated name', () => {
    const { conditions, used, paging } = rightOf(parse({ _id: 'a', code: ['x', 'y'], _count: 5 }));
    expect(conditions.map(({ on }) => on)).toEqual(['id', 'token', 'token']);
    expect(used).toEqual([
      ['_id', 'a'],
      ['code', 'x'],
      ['code', 'y'],
    ]);
    expect(paging.count).toBe(5);
  });

  test('cannot be a name without a value, because it must not find everything', () => {
    for (const patient of [[], null, undefined, [undefined], {}] as never[]) {
      expect(refusal(parse({ patient }))).toEqual(refusal(parseQuery('patient=')));
    }
  });

  test('can be pairs, in their order', () => {
    expect(rightOf(parseQuery('code=x&_id=a&code=y')).used).toEqual([
      ['code', 'x'],
      ['_id', 'a'],
      ['code', 'y'],
    ]);
  });
});

test('each resource has the search parameters of the interface, those of US Core, and some of FHIR', () => {
  const common = ['identifier', '_tag', '_security', '_profile'];
  expect(Object.keys(careTeamParameters)).toEqual([
    ...['_id', '_lastUpdated', 'participant', 'patient', 'subject', 'status', 'role', ...common],
  ]);
  expect(Object.keys(goalParameters)).toEqual([
    ...['_id', '_lastUpdated', 'patient', 'subject', 'lifecycle-status', 'target-date', 'description'],
    ...['start-date', 'achievement-status', ...common],
  ]);
  expect(Object.keys(immunizationParameters)).toEqual([
    ...['_id', '_lastUpdated', 'patient', 'date', 'status', 'vaccine-code', 'lot-number', ...common],
  ]);
  expect(Object.keys(serviceRequestParameters)).toEqual([
    ...['_id', '_lastUpdated', 'patient', 'subject', 'authored', 'status', 'category', 'code', 'requisition'],
    ...['requester', 'encounter', 'intent', 'priority', 'occurrence', ...common],
  ]);
});

test.each<[string, SearchParameterTable]>([
  ['status=draft,active,on-hold,revoked,completed,entered-in-error,unknown', serviceRequestParameters],
  [
    'lifecycle-status=proposed,planned,accepted,active,on-hold,completed,cancelled,entered-in-error,rejected',
    goalParameters,
  ],
  ['status=completed,entered-in-error,not-done', immunizationParameters],
  ['status=proposed,active,suspended,inactive,entered-in-error', careTeamParameters],
])("every code of FHIR's value set can be searched for: %s", (query, declared) => {
  const codes = query.split('=')[1]?.split(',');
  expect(rightOf(parseQuery(query, declared)).conditions).toMatchObject([
    { anyOf: codes?.map((code) => ({ system: null, code })) },
  ]);
});

test('an unknown parameter is an issue that names those of the resource', () => {
  const { issues } = leftOf(parseQuery('encounter=1', careTeamParameters));
  expect(issues.map(({ message }) => message)).toEqual([
    'The search parameter is not supported. Those of this resource are `_id`, `_lastUpdated`, `participant`, `patient`, `subject`, `status`, `role`, `identifier`, `_tag`, `_security`, `_profile`.',
  ]);
});

test.each(['proposed', 'active', 'suspended', 'inactive', 'entered-in-error'])(
  'the status of a care team can be %s',
  (status) => {
    expect(rightOf(parseQuery(`status=${status}`, careTeamParameters)).conditions).toEqual([
      { on: 'token', parameter: 'status', anyOf: [{ system: null, code: status }] },
    ]);
  },
);

test.each([
  [
    'http://hl7.org/fhir/request-status|active',
    { system: 'http://hl7.org/fhir/request-status', code: 'active' },
  ],
  ['urn:x|', { system: 'urn:x', code: null }],
])('a status is a token, too: %s', (value, token) => {
  expect(rightOf(parse({ status: value })).conditions).toEqual([
    { on: 'token', parameter: 'status', anyOf: [token] },
  ]);
});
