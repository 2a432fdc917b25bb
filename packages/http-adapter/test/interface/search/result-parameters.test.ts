import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeAll, describe, expect, test } from 'vitest';
import { ada, goal, labOrder, statement, team } from '../../builders.ts';
import { type Clinic, openClinic, type ParsedResponse } from '../../clinic.ts';
import { doseElements, orderElements } from '../../documents/clinical-elements.ts';

let clinic: Clinic;
let send: Clinic['send'];

beforeAll(async () => {
  clinic = await openClinic(createMemoryStore());
  await clinic.records.careTeams.update('amy', team(ada));
  for (const id of ['walk', 'swim', 'run'])
    await clinic.record(
      goal({ id, achievementStatus: 'improving', priority: 'high-priority', startDate: '2026-01-01' }),
    );
  await clinic.record(labOrder({ id: 'order', ...orderElements }));
  await clinic.post('/Immunization', statement({ note: [{ text: 'Seen.' }], ...doseElements }));
  send = clinic.send;
});

/** The same search by GET, and by POST with a form. */
const searchBoth = async (type: string, query: string) => {
  const got = await send('GET', `/${type}?${query}`);
  const posted = await send('POST', `/${type}/_search`, {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: query,
  });
  expect({ ...posted.json, link: [] }).toEqual({ ...got.json, link: [] });
  return got;
};

const tag = [
  {
    system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
    code: 'SUBSETTED',
    display: 'subsetted',
  },
];

/** The names of the elements of the first match, without its type, its id and its `meta`. */
const elementsOf = ({ json }: ParsedResponse) => {
  const { resourceType: _, id: __, meta, ...elements } = json.entry[0].resource;
  return { meta, elements: Object.keys(elements).toSorted() };
};

describe('`_summary`', () => {
  test('`count` returns only the total', async () => {
    const { status, json } = await searchBoth('Goal', 'patient=amy&_summary=count');
    expect(status).toBe(200);
    expect(json).toMatchObject({ type: 'searchset', total: 3 });
    expect(json).not.toHaveProperty('entry');
  });

  test.each(['false', 'data'])('`%s` returns the whole resources', async (value) => {
    const whole = await send('GET', '/Goal?patient=amy');
    expect((await searchBoth('Goal', `patient=amy&_summary=${value}`)).json.entry).toEqual(whole.json.entry);
  });

  test.each([
    [
      'ServiceRequest',
      [
        ...['asNeededBoolean', 'authoredOn', 'basedOn', 'bodySite', 'category', 'code', 'encounter'],
        ...['instantiatesCanonical', 'instantiatesUri', 'intent'],
        ...['locationCode', 'locationReference', 'occurrenceTiming', 'orderDetail', 'patientInstruction'],
        ...[
          'performer',
          'performerType',
          'priority',
          'quantityQuantity',
          'reasonCode',
          'replaces',
          'requester',
        ],
        ...['requisition', 'specimen', 'status', 'subject'],
      ],
    ],
    [
      'Goal',
      [
        'achievementStatus',
        'description',
        'expressedBy',
        'lifecycleStatus',
        'priority',
        'startDate',
        'subject',
      ],
    ],
    ['CareTeam', ['name', 'participant', 'status', 'subject']],
    [
      'Immunization',
      [...['note', 'occurrenceDateTime', 'patient', 'performer', 'primarySource', 'status', 'vaccineCode']],
    ],
  ])("`true` returns the elements of FHIR's summary: %s", async (type, expected) => {
    const { meta, elements } = elementsOf(await searchBoth(type, 'patient=amy&_summary=true'));
    expect(elements).toEqual(expected);
    expect(meta).toMatchObject({ versionId: expect.any(String), lastUpdated: expect.any(String), tag });
  });

  test('`text` returns the mandatory elements, because there is no narrative', async () => {
    const answer = await searchBoth('Goal', 'patient=amy&_summary=text');
    expect(elementsOf(answer).elements).toEqual(['description', 'lifecycleStatus', 'subject']);
  });
});

describe('`_elements`', () => {
  test.each([
    ['Goal', 'priority,note', ['description', 'lifecycleStatus', 'priority', 'subject']],
    ['Goal', 'Goal.priority', ['description', 'lifecycleStatus', 'priority', 'subject']],
    ['Goal', 'start', ['description', 'lifecycleStatus', 'startDate', 'subject']],
    [
      'ServiceRequest',
      'quantity,asNeeded',
      ['asNeededBoolean', 'code', 'intent', 'quantityQuantity', 'status', 'subject'],
    ],
    ['CareTeam', 'name', ['name', 'participant', 'subject']],
    [
      'Immunization',
      'lotNumber,identifier',
      ['lotNumber', 'occurrenceDateTime', 'patient', 'primarySource', 'status', 'vaccineCode'],
    ],
  ])('%s: returns %s, the mandatory elements, and `meta` with the tag', async (type, names, expected) => {
    const { meta, elements } = elementsOf(await searchBoth(type, `patient=amy&_elements=${names}`));
    expect(elements).toEqual(expected);
    expect(meta).toMatchObject({ versionId: expect.any(String), tag });
  });

  test('does not shorten the resources that are included', async () => {
    const { json } = await send('GET', '/Goal?_id=walk&_elements=priority&_include=Goal:patient');
    expect(json.entry[1].resource).toMatchObject({ resourceType: 'Patient', name: [expect.anything()] });
    expect(json.entry[1].resource.meta ?? {}).not.toHaveProperty('tag');
  });

  test('is a part of the links, so that the next page has the same elements', async () => {
    const { json } = await send('GET', '/Goal?patient=amy&_elements=priority&_count=2');
    const next = json.link.find(({ relation }: { readonly relation: string }) => relation === 'next');
    expect(next.url).toContain('_elements=priority&');
  });
});

test.each(['accurate', 'estimate', 'none'])('`_total=%s` returns the accurate total', async (value) => {
  expect((await searchBoth('Goal', `patient=amy&_total=${value}&_count=1`)).json).toMatchObject({ total: 3 });
});

describe('a value that is not one of the parameter is a 400', () => {
  test.each([
    ['_summary=all', 'search-value', 'http._summary'],
    ['_summary=true&_summary=count', 'repeated-parameter', 'http._summary'],
    ['_total=yes', 'search-value', 'http._total'],
    ['_elements=', 'empty-parameter', 'http._elements'],
    ['_elements=a%20b', 'search-elements', 'http._elements'],
    ['_elements=note.text', 'search-elements', 'http._elements'],
    ['_elements:x=note', 'modifier', 'http._elements'],
  ])('%s', async (query, code, expression) => {
    const answer = await send('GET', `/Goal?patient=amy&${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json.issue[0]).toMatchObject({ details: { coding: [{ code }] }, expression: [expression] });
  });
});

test('a typed search returns whole resources, so it does not support the parameters that shorten them', async () => {
  for (const pair of [['_summary', 'true'] as const, ['_elements', 'note'] as const]) {
    await expect(async () => clinic.records.goals.search([pair])).rejects.toMatchObject({
      tag: 'InvalidRequest',
    });
  }
});

describe('`_format` has precedence over `Accept`', () => {
  const plain = 'application/json';
  const fhir = 'application/fhir+json';
  test.each([
    ['json', fhir, plain],
    ['application/json', fhir, plain],
    ['application/fhir%2Bjson', plain, fhir],
    ['application/fhir+json', 'text/html', fhir],
    ['JSON', fhir, plain],
    // It takes what Accept takes.
    ['application/fhir%2Bjson;%20charset=utf-8;%20fhirVersion=4.0', plain, fhir],
    ['application/fhir+json; charset=utf-8', plain, fhir],
    ['text/html,application/fhir%2Bjson;q=0.5', plain, fhir],
    ['*/*', fhir, plain],
    // An empty one is none.
    ['', fhir, fhir],
  ])('%s with Accept: %s', async (format, accept, expected) => {
    const searches = format === '' ? [] : ['/Goal?patient=amy', '/Goal/walk/_history'];
    for (const path of ['/Goal/walk', '/CareTeam/amy', '/metadata', ...searches]) {
      const url = `${path}${path.includes('?') ? '&' : '?'}_format=${format}`;
      const { status, headers } = await send('GET', url, { headers: { accept } });
      expect(status).toBe(200);
      expect(headers['content-type']).toMatch(new RegExp(`^${expected.replace('+', '\\+')}`));
    }
  });

  test('in the form of a search', async () => {
    const { status, headers } = await send('POST', '/Goal/_search', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'patient=amy&_format=application%2Ffhir%2Bjson',
    });
    expect({ status, type: headers['content-type'] }).toMatchObject({
      status: 200,
      type: expect.stringContaining(fhir),
    });
  });

  const unknown = [
    ...['xml', 'application/fhir+xml', 'text/html', 'application/fhir%2Bjson;fhirVersion=3.0'],
    ...['constructor', 'toString', '__proto__'],
  ];
  test.each(unknown)('%j is a 406', async (format) => {
    expect(await send('GET', `/Goal/walk?_format=${format}`)).toMatchObject({ status: 406 });
    const form = await send('POST', '/Goal/_search', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `patient=amy&_format=${format}`,
    });
    expect(form).toMatchObject({ status: 406 });
  });
});
