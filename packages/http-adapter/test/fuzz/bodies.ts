import * as fc from 'fast-check';
import { type Edit, editSlot, type JsonText, jsonText, printJson } from './json-text.ts';
import { oddText } from './texts.ts';

const nested = (open: string, close: string) => `${open.repeat(10_000)}1${close.repeat(10_000)}`;

const repeatedItem = (text: string) => `[${Array(2_000).fill(text).join()}]`;

/** Values of any type, empty, huge, nested deeply or of no type at all, as the text that stands for them. */
const oddValue: fc.Arbitrary<JsonText> = fc.oneof(
  {
    weight: 18,
    arbitrary: fc.constantFrom(
      ...[
        'null',
        'true',
        'false',
        '0',
        '-1',
        '1.5',
        '1e999',
        '""',
        '" "',
        '[]',
        '{}',
        '[[]]',
        '[null]',
        '[{}]',
      ],
      ...['{"__proto__":{"id":"ben"}}', '{"constructor":{"prototype":{}}}', '{"":""}', '{"then":1}'],
      ...[
        '{"reference":"Patient/ben"}',
        '{"reference":"Practitioner/cyd"}',
        '[{"coding":[]}]',
        '{"coding":[{}]}',
      ],
      ...[
        '"Patient/ben"',
        '"Practitioner/bob"',
        '"Practitioner/dan"',
        '"Organization/lab"',
        '"Encounter/visit-ben"',
      ],
      ...['"note-ben"', '"ben"', '"completed"', '"17561000"', '"224535009"', '"2025-02-29"', '"2025-10-01"'],
      ...['"\\ud800"', '"\\u0000"', '"\u0000"', '"\\x"', '01', 'undefined', "'a'", '/*', ''],
    ),
  },
  { weight: 12, arbitrary: oddText.map((text) => JSON.stringify(text)) },
  { weight: 6, arbitrary: fc.json({ maxDepth: 4 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[nested('[', ']'), nested('{"a":', '}'), nested('[', ''), '9'.repeat(10_000)],
      ...[
        repeatedItem('0'),
        repeatedItem('{}'),
        repeatedItem('{"member":{"reference":"Organization/lab"}}'),
        repeatedItem('{"text":"x"}'),
      ],
    ),
  },
);

const elementName = fc.oneof(
  fc.constantFrom(
    ...['__proto__', 'constructor', 'toString', 'id', 'extension', 'modifierExtension', 'meta', 'text'],
    ...['div', 'day', 'true'],
    ...['reference', 'coding', 'system', 'code', 'display', 'role', 'member', 'patient', 'status', '_status'],
  ),
  oddText,
);

const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Edit>(() => []) },
  { weight: 1, arbitrary: fc.constant<Edit>((slot) => [slot, slot]) },
  {
    weight: 1,
    arbitrary: oddValue.map(
      (value): Edit =>
        (slot) => [slot, { ...slot, value }],
    ),
  },
  {
    weight: 5,
    arbitrary: oddValue.map(
      (value): Edit =>
        (slot) => [{ ...slot, value }],
    ),
  },
  {
    weight: 1,
    arbitrary: elementName.map(
      (name): Edit =>
        (slot) => [{ ...slot, name: slot.name === null ? null : name }],
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(elementName, oddValue).map(
      ([name, value]): Edit =>
        (slot) => [slot, { name: slot.name === null ? null : name, value }],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Edit>((slot) => [
      { ...slot, value: { brackets: ['[', ']'], slots: [{ name: null, value: slot.value }] } },
    ]),
  },
);

const invalidUtf8 = fc.constantFrom<number[]>(
  [0xff],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xe2, 0x82],
  [0x80],
  [0],
);

/** The text as it is sent: mostly whole, otherwise cut off, with more around it, or in bytes that are not UTF-8. */
const encodingsOf = (text: string): fc.Arbitrary<string | Uint8Array> => {
  const bytes = new TextEncoder().encode(text);
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant(text) },
    { weight: 3, arbitrary: fc.constant(bytes) },
    { weight: 1, arbitrary: fc.nat(text.length).map((end) => text.slice(0, end)) },
    { weight: 1, arbitrary: fc.nat(bytes.length).map((end) => bytes.slice(0, end)) },
    { weight: 1, arbitrary: fc.constantFrom(`\ufeff${text}`, `${text},`, `${text}${text}`, `\n ${text}\t`) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.nat(bytes.length), invalidUtf8)
        .map(([at, wrong]) => Uint8Array.from([...bytes.slice(0, at), ...wrong, ...bytes.slice(at)])),
    },
  );
};

/** A valid body with up to four things done to it. */
export const bodiesLike = (valid: object): fc.Arbitrary<string | Uint8Array> =>
  fc
    .array(fc.tuple(fc.nat(1_000), edit), { maxLength: 4 })
    .map((edits) =>
      printJson(edits.reduce((json, [at, change]) => editSlot(json, at, change), jsonText(valid))),
    )
    .chain(encodingsOf);

/** Bodies that have little or nothing to do with the interface. */
export const strayBodies: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  oddValue.map(printJson).chain(encodingsOf),
  oddText,
  fc.uint8Array({ maxLength: 100 }),
);
