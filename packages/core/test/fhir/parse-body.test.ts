import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { date } from '../../src/fhir/date-time.ts';
import { atMostOne, element, list, text } from '../../src/fhir/element.ts';
import { createBodyParser } from '../../src/fhir/parse-body.ts';
import { leftOf, refusal, rightOf } from '../results.ts';

const schema = element(
  {
    id: z.string().min(1),
    name: text.optional(),
    alias: list(text).min(1).optional(),
    born: date.optional(),
    sex: z.enum(['female', 'male']).optional(),
    contact: list(element({ phone: text, isFirst: z.boolean().optional() }, ['use', '_phone'])).optional(),
    passport: atMostOne(element({ number: text }, ['issued'])).optional(),
  },
  ['meta', 'photo', '_name'],
);
const parse = createBodyParser(schema, 'Person');
const faultsOf = (body: unknown, handling: 'lenient' | 'strict' = 'lenient') => {
  const [tag, ...faults] = refusal(parse(body, handling));
  expect(tag).toBe('InvalidRequest');
  return faults;
};

test('a body without an issue is returned as it was sent', () => {
  const body = {
    id: '1',
    name: 'Jane',
    born: '1980',
    sex: 'female',
    contact: [{ phone: '1', isFirst: true }],
  };
  for (const handling of ['lenient', 'strict'] as const) expect(rightOf(parse(body, handling))).toEqual(body);
});

describe('a text in which nothing is visible is empty', () => {
  test.each([
    ['nothing', ''],
    ['white space', ' \t\n\u00a0\u3000\ufeff'],
    ['characters without a width', '\u200b\u200c\u200d\u2060'],
    ['marks of a direction', '\u200e\u200f\u202e\u2066\u061c'],
    ['soft hyphens and fillers', '\u00ad\u115f\u3164\uffa0'],
    ['tags and variation selectors', '\u{e0041}\u{e007f}\ufe0f\u{e0100}'],
  ])('of %s', (_what, name) => {
    expect(faultsOf({ id: '1', name })).toEqual(['empty at Person.name']);
  });

  test.each(['x', '.', '\u200bx', '\u0600', '\u0301', '❤️', '👩\u200d🚀', '\ufffd'])(
    'but not one with a visible character: %j',
    (name) => expect(rightOf(parse({ id: '1', name }, 'strict'))).toEqual({ id: '1', name }),
  );
});

describe('a body that is not an object', () => {
  test.each([[null], [[]], [[{ id: '1' }]], ['{}'], [7], [true]])('%j', (body) => {
    expect(faultsOf(body)).toEqual(['type at Person']);
  });

  test('an absent body', () => {
    expect(faultsOf(undefined)).toEqual(['required at Person']);
  });
});

describe('a body with one issue', () => {
  test.each<[string, object, string]>([
    ['a name that is a word of FHIRPath', { id: '1', div: 'x' }, 'unknown-element at Person.`div`'],
    ['a required element that is missing', { name: 'x' }, 'required at Person.id'],
    ['one that is undefined', { id: undefined }, 'required at Person.id'],
    ['one of a wrong type', { id: 1 }, 'type at Person.id'],
    ['null', { id: '1', name: null }, 'type at Person.name'],
    ['an object where an array should be', { id: '1', contact: {} }, 'type at Person.contact'],
    ['a text where an object should be', { id: '1', contact: ['x'] }, 'type at Person.contact[0]'],
    ['a value outside the listed ones', { id: '1', sex: 'other' }, 'value at Person.sex'],
    ['a day that the calendar lacks', { id: '1', born: '2023-02-30' }, 'date at Person.born'],
    [
      'more than there can be',
      { id: '1', passport: [{ number: '1' }, { number: '2' }] },
      'many at Person.passport',
    ],
    ['an object where one element can be', { id: '1', passport: {} }, 'type at Person.passport'],
    [
      'a text, of whatever length, where an array should be',
      { id: '1', contact: 'x'.repeat(1001) },
      'type at Person.contact',
    ],
    ['an empty one where an array with an element should be', { id: '1', alias: '' }, 'type at Person.alias'],
    ['an empty array where a text should be', { id: [] }, 'type at Person.id'],
    [
      'an object that says how long it is, where an array should be',
      { id: '1', alias: { length: { length: 0 } } },
      'type at Person.alias',
    ],
    [
      'a text of what FHIR does not allow and nothing else',
      { id: '1', name: '\u000b' },
      'text at Person.name',
    ],
    ['an empty array where an element should be', { id: '1', alias: [] }, 'empty at Person.alias'],
    [
      'more than anybody means, which are not looked into',
      { id: '1', contact: Array(1001).fill({}) },
      'many at Person.contact',
    ],
    [
      'a missing one within another',
      { id: '1', contact: [{ phone: '1' }, {}] },
      'required at Person.contact[1].phone',
    ],
    ['a name that FHIR does not define', { id: '1', naem: 'x' }, 'unknown-element at Person.naem'],
    [
      'such a name within another',
      { id: '1', contact: [{ phone: '1', fone: 'x' }] },
      'unknown-element at Person.contact[0].fone',
    ],
    [
      'a modifier extension',
      { id: '1', modifierExtension: [] },
      'modifier-extension at Person.modifierExtension',
    ],
    [
      'a modifier extension deep in what is dropped',
      { id: '1', meta: [{ a: { modifierExtension: [] } }] },
      'modifier-extension at Person.meta',
    ],
    [
      'a name that is none, whatever is in it',
      { id: '1', naem: { modifierExtension: [] } },
      'unknown-element at Person.naem',
    ],
    ['implicit rules', { id: '1', implicitRules: 'x' }, 'implicit-rules at Person.implicitRules'],
    [
      'an extension of a primitive that cannot be extended here',
      { id: '1', _born: {} },
      'unknown-element at Person._born',
    ],
    ['a name that objects inherit', { id: '1', constructor: 1 }, 'unknown-element at Person.constructor'],
    ['an invalid name', { id: '1', '<b>x</b>': 1 }, 'unknown-element at Person'],
    ['a name without an end', { id: '1', ['x'.repeat(65)]: 1 }, 'unknown-element at Person'],
  ])('%s', (_what, body, fault) => {
    expect(faultsOf(body)).toEqual([fault]);
    expect(faultsOf(body, 'strict')).toEqual([fault]);
  });

  test('__proto__ in JSON is a name that FHIR does not define, and changes no prototype', () => {
    const body: unknown = JSON.parse(
      '{"id":"1","__proto__":{"polluted":true},"contact":[{"phone":"1","__proto__":1}]}',
    );
    expect(faultsOf(body)).toEqual(['unknown-element at Person', 'unknown-element at Person.contact[0]']);
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('an element that FHIR defines and the interface does not store', () => {
  const body = {
    id: '1',
    meta: { versionId: '7', tag: [] },
    photo: null,
    _name: { id: 'x' },
    extension: [],
    contact: [{ phone: '1', id: 'c', use: 5, _phone: {} }],
  };

  test('is accepted', () => {
    const { id, contact } = rightOf(parse(body, 'lenient'));
    expect([id, contact?.map(({ phone }) => phone)]).toEqual(['1', ['1']]);
  });

  test('is an issue with strict handling', () => {
    expect(faultsOf(body, 'strict')).toEqual([
      'not-stored at Person._name',
      'not-stored at Person.contact[0]._phone',
      'not-stored at Person.contact[0].id',
      'not-stored at Person.contact[0].use',
      'not-stored at Person.extension',
      'not-stored at Person.meta',
      'not-stored at Person.photo',
    ]);
  });

  test('does not hide another issue', () => {
    const passport = [{ number: '1', issued: '2020' }, { number: '2' }];
    expect(faultsOf({ ...body, id: 7, sex: 'x', naem: 1, contact: [{ use: 'x' }], passport })).toEqual([
      'many at Person.passport',
      'required at Person.contact[0].phone',
      'type at Person.id',
      'unknown-element at Person.naem',
      'value at Person.sex',
    ]);
  });

  test('cannot be a modifier extension, which is an issue everywhere', () => {
    expect(faultsOf({ id: '1', contact: [{ phone: '1', modifierExtension: [{ url: 'x' }] }] })).toEqual([
      'modifier-extension at Person.contact[0].modifierExtension',
    ]);
  });
});

test('all issues are reported at once, each with its FHIRPath', () => {
  const body = {
    name: ' ',
    born: 'yesterday',
    sex: 3,
    naem: 'x',
    modifierExtension: {},
    contact: [{ phone: '' }, { isFirst: 'yes' }],
    passport: [{ number: '1' }, { number: '', modifierExtension: [] }],
  };
  expect(faultsOf(body)).toEqual([
    'date at Person.born',
    'empty at Person.contact[0].phone',
    'empty at Person.name',
    'empty at Person.passport[1].number',
    'many at Person.passport',
    'modifier-extension at Person.modifierExtension',
    'modifier-extension at Person.passport[1].modifierExtension',
    'required at Person.contact[1].phone',
    'required at Person.id',
    'type at Person.contact[1].isFirst',
    'unknown-element at Person.naem',
    'value at Person.sex',
  ]);
});

describe('texts', () => {
  test.each(['', ' ', '\t\r\n', '\u00a0', '\u2003'])('%j is empty', (name) => {
    expect(faultsOf({ id: '1', name })).toEqual(['empty at Person.name']);
  });

  test.each([
    '\ud800',
    'a\udc00',
    '\udc00\ud800',
    'a\u0000',
    '\u0001',
    '\u0008',
    '\u000bx',
    'x\u000c',
    '\u000e',
    '\u001f',
  ])('%j contains characters that FHIR does not allow', (name) => {
    expect(faultsOf({ id: '1', name })).toEqual(['text at Person.name']);
  });

  test.each(['a', ' a ', 'a\tb\r\nc', '\u{1f600}', 'é', '\u4e2d', '\u05d0', '\u007f', '\ufffd'])(
    '%j is a text',
    (name) => {
      expect(rightOf(parse({ id: '1', name }, 'strict')).name).toBe(name);
    },
  );

  test('any well-formed text is accepted unchanged, unless it is empty', () => {
    const whole = fc.string({ unit: 'grapheme', minLength: 1 }).filter((name) => name.trim() !== '');
    fc.assert(
      fc.property(whole, (name) => {
        expect(rightOf(parse({ id: '1', name }, 'strict')).name).toBe(name);
      }),
    );
  });
});

test('a name with an undefined value is ignored, as in JSON', () => {
  const body = { id: '1', meta: undefined, modifierExtension: undefined, naem: undefined };
  for (const handling of ['lenient', 'strict'] as const) expect(rightOf(parse(body, handling))).toEqual(body);
});

test('a name that a plain schema does not have is unknown, whatever its form', () => {
  const plain = createBodyParser(z.strictObject({ id: z.string() }), 'Person');
  const names = ['naem', 'x not-stored y', 'not-stored', 'modifierExtension', 'a', 'b'];
  for (const length of [1, 2, names.length]) {
    const sent = names.slice(0, length);
    const { issues } = leftOf(
      plain({ id: '1', ...Object.fromEntries(sent.map((name) => [name, 1])) }, 'lenient'),
    );
    expect(issues.map(({ rule, message }) => [rule, message])).toEqual(
      sent.map(() => ['unknown-element', 'There is no such element here.']),
    );
  }
});

test('if a body has as many names as it can hold, the first hundred are reported', () => {
  const names = Array.from({ length: 40_000 }, (_, at) => [`n${at}`, 1] as const);
  const faults = faultsOf({ id: '1', ...Object.fromEntries(names) });
  expect([faults.length, faults[0]]).toEqual([100, 'unknown-element at Person.n0']);
});

test('no value from the body is in a message, and no text that looks like one is in an expression', () => {
  const secret = 'S3CRET value';
  const values = fc.constantFrom<unknown>(
    secret,
    [secret],
    { [secret]: secret },
    [{ phone: [secret], use: secret, [secret]: 1 }],
    [[secret]],
  );
  const bodies = fc.dictionary(
    fc.constantFrom('id', 'name', 'born', 'sex', 'contact', 'meta', 'naem', secret, '__proto__'),
    values,
  );
  fc.assert(
    fc.property(bodies, (body) => {
      const result = parse(body, 'strict');
      if (result._tag === 'Left') expect(JSON.stringify(leftOf(result).issues)).not.toContain('S3CRET');
    }),
  );
});

test('any value is read or refused, and a refusal gives its reason', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom('lenient' as const, 'strict' as const), (body, handling) => {
      const result = parse(body, handling);
      if (result._tag === 'Left') expect(result.left.issues.length).toBeGreaterThan(0);
    }),
  );
});
