import { expect, test } from 'vitest';
import { ndjson } from '../../src/importer/ndjson.ts';

const linesOf = async (...pieces: (string | Uint8Array)[]) => {
  const lines: string[] = [];
  for await (const line of ndjson(pieces)) lines.push(line);
  return lines;
};
const bytes = (text: string) => new TextEncoder().encode(text);

test('lines end at a line feed alone, wherever the pieces end', async () => {
  expect(await linesOf('{"a":', '"x\u2028y\u2029z"}\r\n{}', '\n', '1')).toEqual([
    '{"a":"x\u2028y\u2029z"}\r',
    '{}',
    '1',
  ]);
  expect(await linesOf('1\n')).toEqual(['1', '']);
  expect(await linesOf()).toEqual(['']);
});

test('a line that comes in many pieces is put together once', async () => {
  const pieces = Array<string>(20_000).fill('x'.repeat(1000));
  const [line] = await linesOf(...pieces, '\n');
  expect(line?.length).toBe(20_000_000);
});

test('bytes are read as UTF-8, also where a piece ends within a character', async () => {
  const [first, second] = [bytes('"é"\n"').slice(0, 2), bytes('"é"\n"').slice(2)];
  expect(await linesOf(first, second, bytes('è"'))).toEqual(['"é"', '"è"']);
});

test('what is no UTF-8 is an error, and no other text', async () => {
  await expect(linesOf(Uint8Array.of(0xff, 0x0a))).rejects.toThrow(TypeError);
  await expect(linesOf(bytes('é').slice(0, 1))).rejects.toThrow(TypeError);
});
