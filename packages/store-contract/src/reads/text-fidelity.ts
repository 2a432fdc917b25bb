import { expect } from 'vitest';
import {
  change,
  findIds,
  readHistory,
  readVersions,
  reference,
  resultOf,
  token,
  versionOf,
  write,
} from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const unusualTexts: readonly [name: string, text: string][] = [
  ['quotes', `'"\`' OR 1=1; -- ); DROP TABLE records; $1 ?1 :a @b %_\\`],
  ['many scripts', 'Ægir Ζήνων Ирина שָׁלוֹם مُحَمَّد 山田 ภาษาไทย'],
  ['characters beyond the first plane', '👩‍⚕️💉 𝒳 𠜎'],
  ['the same letter composed and decomposed', '\u00e9 e\u0301 \u00c5 A\u030a \u212b'],
  ['white space', '\ttab\r\nline\u2028separator \u00a0 trailing  '],
  ['the last characters of planes', '\uffff\ufffd\u{10ffff}'],
];

export const textFidelity: TestTopic = (test) => {
  for (const [name, text] of unusualTexts) {
    test(`texts with ${name} are stored unchanged`, async (store) => {
      const json = JSON.stringify({ text });
      const written = change({ id: text, patientId: text, by: text, state: json, resource: json });
      await write(store, written);
      expect(await resultOf(store.read(written))).toEqual(versionOf(written, 1));
      expect(await readVersions(store, written)).toEqual([versionOf(written, 1)]);
      const [{ patientId, by } = {}] = await readHistory(store, written);
      expect({ patientId, by }).toEqual({ patientId: text, by: text });
    });

    test(`records are found by texts with ${name}`, async (store) => {
      const index = [token(text, text, text), reference(text, text, text)];
      await write(store, change({ id: text, patientId: text, index }), change({ id: 'other' }));
      const system = text;
      expect(await findIds(store, { on: 'id', anyOf: [text, '-'] })).toEqual([text]);
      expect(await findIds(store, { on: 'patient', anyOf: [text] })).toEqual([text]);
      expect(await findIds(store, { on: 'patient', anyOf: ['-', text] })).toEqual([text]);
      expect(await findIds(store, { on: 'token', parameter: text, anyOf: [{ system, code: text }] })).toEqual(
        [text],
      );
      expect(
        await findIds(store, { on: 'reference', parameter: text, anyOf: [{ type: text, id: text }] }),
      ).toEqual([text]);
    });
  }

  test('JSON text is stored unchanged, with its spaces, its order and its numbers', async (store) => {
    const state = ' {"b": 1.0,\n "a":1e2, "c" : 12345678901234567890, "a": "\\u00e9\\u0000\\ud800/\\/"} ';
    await write(store, change({ state, resource: state }));
    expect(await resultOf(store.read(change()))).toEqual(versionOf(change({ state, resource: state }), 1));
  });

  test('very long texts are stored unchanged', async (store) => {
    const long = JSON.stringify({ note: 'é𠜎x'.repeat(300_000) });
    await write(store, change({ state: long, resource: long }));
    expect(await resultOf(store.read(change()))).toEqual(
      versionOf(change({ state: long, resource: long }), 1),
    );
  });
};
