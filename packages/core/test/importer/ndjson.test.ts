import { expect, test } from 'vitest';
import { type NdjsonOptions, ndjson } from '../../src/importer/import-source.ts';
import { type LocatedItem, locateItem, unreadableText } from '../../src/importer/unpacker.ts';

const itemsOf = async (pieces: (string | Uint8Array)[], options?: NdjsonOptions) => {
  const items: LocatedItem[] = [];
  for await (const line of ndjson(pieces, options)) items.push(line);
  return items;
};
const linesOf = async (...pieces: (string | Uint8Array)[]) => (await itemsOf(pieces)).map(({ item }) => item);
const bytes = (text: string) => new TextEncoder().encode(text);

test('only a line feed ends a line, wherever the pieces end', async () => {
  expect(await linesOf('{"a":', '"x\u2028y\u2029z"}\r\n{}', '\n', '1')).toEqual([
    '{"a":"x\u2028y\u2029z"}\r',
    '{}',
    '1',
  ]);
  expect(await linesOf('1\n')).toEqual(['1', '']);
  expect(await linesOf()).toEqual(['']);
});

test('a line in many pieces is joined once', async () => {
  const pieces = Array<string>(20_000).fill('x'.repeat(1000));
  const [line] = await linesOf(...pieces, '\n');
  expect(String(line)).toHaveLength(20_000_000);
});

test('bytes are read as UTF-8, even if a piece ends within a character', async () => {
  const [first, second] = [bytes('"é"\n"').slice(0, 2), bytes('"é"\n"').slice(2)];
  expect(await linesOf(first, second, bytes('è"'))).toEqual(['"é"', '"è"']);
});

test('bytes may be overwritten once the next ones are requested', async () => {
  const shared = new Uint8Array(2);
  function* pieces() {
    for (const text of ['"a', 'b"']) {
      shared.set(bytes(text));
      yield shared;
    }
  }
  const lines = [];
  for await (const line of ndjson(pieces())) lines.push(line.item);
  expect(lines).toEqual(['"ab"']);
});

test('a line that is not valid UTF-8 is reported at its place, and the other lines are read', async () => {
  const bad = unreadableText('invalid-utf-8');
  expect(await linesOf(Uint8Array.of(0x31, 0x0a, 0xff, 0x0a, 0x32))).toEqual(['1', bad, '2']);
  expect(await linesOf(bytes('é').slice(0, 1))).toEqual([bad]);
  expect(await linesOf(bytes('é').slice(0, 1), bytes('\n1\n2'))).toEqual([bad, '1', '2']);
});

test('a line that is longer than the limit is reported at its place, and the other lines are read', async () => {
  const limited = async (...pieces: (string | Uint8Array)[]) => {
    const lines = [];
    for await (const line of ndjson(pieces, { longestLine: 4 })) lines.push(line.item);
    return lines;
  };
  const long = unreadableText('too-long');
  expect(await limited('1234\n123', '45', '6\n1')).toEqual(['1234', long, '1']);
  expect(await limited(bytes('1234\n12345\n1'))).toEqual(['1234', long, '1']);
  expect(await limited('12345')).toEqual([long]);
});

test('each line has its number, and the name of the file if there is one', async () => {
  const located = await itemsOf(['1\n\n', '3'], { file: 'Patient.ndjson' });
  expect(located).toEqual([
    locateItem('1', { file: 'Patient.ndjson', line: 1 }),
    locateItem('', { file: 'Patient.ndjson', line: 2 }),
    locateItem('3', { file: 'Patient.ndjson', line: 3 }),
  ]);
  expect(await itemsOf(['1'])).toEqual([locateItem('1', { line: 1 })]);
});

test('JSON over several lines is named as what it is, and not read as lines', async () => {
  const pretty = JSON.stringify({ resourceType: 'Patient', id: '7' }, null, 2);
  const named = [unreadableText('json-of-several-lines')];
  for (const text of [pretty, `\uFEFF${pretty}`, JSON.stringify([1, 2], null, 1), '{ \r\n}'])
    expect(await linesOf(text)).toEqual(named);
  expect(await linesOf('{}\n', '{\n', '}')).toEqual(['{}', '{', '}']);
  expect(await linesOf('{')).toEqual(['{']);
  const [item] = await itemsOf([pretty], { file: 'a.ndjson' });
  expect(item).toEqual(locateItem(named[0], { line: 1, file: 'a.ndjson' }));
});
