import {
  type ClinicalStore,
  exactVersion,
  type RecordChange,
  type SearchCondition,
} from '@clinical-records/core/store';
import { expect } from 'vitest';
import { change, commit, query, reference, resultOf, token, versionOf } from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

/** 499 characters of three bytes each, which no database can compress. */
const long = Array.from({ length: 499 }, (_, index) =>
  String.fromCharCode(0x4e00 + ((index * index * 7919) % 20_000)),
).join('');

/** Texts that are equal if case, accents, width, spaces, numbers, wildcards or ends are compared less strictly. */
export const similarTexts: readonly string[] = [
  'a',
  'A',
  'á',
  'a\u0301',
  'ａ',
  'a ',
  ' a',
  'ß',
  'ss',
  'i',
  'I',
  'ı',
  'a%',
  'a_',
  'a*',
  '8',
  '08',
  '8.0',
  '8e0',
  '+8',
  '0x8',
  'a\u0000',
  'a\u0000b',
  'a\u0000c',
  'a\u0001',
  'a\u0001a',
  'a\u0001b',
  long,
  `${long}y`,
  `${long}z`,
];

/** Writes one record for each change. Its resource says which change it is. */
const writeRecords = (store: ClinicalStore, changes: readonly Partial<RecordChange>[]) =>
  commit(
    store,
    changes.map((overrides, index) => change({ id: `${index}`, resource: `${index}`, ...overrides })),
  );

const findResources = async (store: ClinicalStore, condition: SearchCondition): Promise<readonly string[]> =>
  (await resultOf(store.search(query([condition])))).matches.map(({ resource }) => resource);

type TextField = {
  readonly name: string;
  readonly write: (text: string) => Partial<RecordChange>;
  readonly find: (text: string) => CriteriaCondition;
};

type CriteriaCondition = Extract<SearchCondition, { readonly anyOf: unknown }>;

type Entry = ReturnType<typeof token | typeof reference>;

/** A condition that finds the records with an entry. */
const conditionOf = ({ kind, parameter, ...criterion }: Entry): CriteriaCondition =>
  ({ on: kind, parameter, anyOf: [criterion] }) as CriteriaCondition;

const entryField = (name: string, entryOf: (text: string) => Entry): TextField => ({
  name,
  write: (text) => ({ index: [entryOf(text)] }),
  find: (text) => conditionOf(entryOf(text)),
});

/** The fields of a record or an index entry that contain a text. */
const textFields: readonly TextField[] = [
  { name: 'the id of a record', write: (id) => ({ id }), find: (id) => ({ on: 'id', anyOf: [id] }) },
  {
    name: 'a patient',
    write: (patientId) => ({ patientId }),
    find: (patientId) => ({ on: 'patient', anyOf: [patientId] }),
  },
  entryField('the parameter of a token', (text) => token(text, 'code', 'system')),
  entryField('the system of a token', (text) => token('parameter', 'code', text)),
  entryField('the code of a token', (text) => token('parameter', text, 'system')),
  entryField('the parameter of a reference', (text) => reference(text, 'Type', 'id')),
  entryField('the type of a reference', (text) => reference('parameter', text, 'id')),
  entryField('the id of a reference', (text) => reference('parameter', 'Type', text)),
];

/** The condition with one more criterion, which holds for no record. */
const withUnmatchedCriterion = (condition: CriteriaCondition): CriteriaCondition => {
  const [first] = condition.anyOf;
  const none =
    typeof first === 'string' ? 'none' : { system: 'none', code: 'none', type: 'none', id: 'none' };
  return { ...condition, anyOf: [...condition.anyOf, none] } as CriteriaCondition;
};

export const textEquality: TestTopic = (test) => {
  for (const { name, write, find } of textFields) {
    test(`records are distinguished by every character of ${name}`, async (store) => {
      await writeRecords(store, similarTexts.map(write));
      for (const [index, text] of similarTexts.entries()) {
        for (const condition of [find(text), withUnmatchedCriterion(find(text))])
          expect([text, await findResources(store, condition)]).toEqual([text, [`${index}`]]);
      }
    });
  }

  test('read distinguishes records by every character of their types and ids', async (store) => {
    const changes = similarTexts.flatMap((text) => [
      change({ id: text, at: 1 }),
      change({ type: text, at: 2 }),
    ]);
    await commit(store, changes);
    for (const written of changes) expect(await resultOf(store.read(written))).toEqual(versionOf(written, 1));
    for (const type of similarTexts) {
      const { matches } = await resultOf(store.search(query([], { type })));
      expect([type, matches.length]).toEqual([type, 1]);
    }
  });

  test('a commit distinguishes records by every character of their types and ids', async (store) => {
    const changes = similarTexts.flatMap((text) => [change({ id: text }), change({ type: text })]);
    await commit(store, changes);
    const next = changes.map((written) => ({ ...written, expects: exactVersion(1) }));
    expect(await commit(store, next)).toEqual(changes.map(() => 2));
    const versionChecks = changes.map(({ type, id }) => ({ type, id, expects: exactVersion(2) }));
    expect(await commit(store, [change({ id: 'other' })], versionChecks)).toEqual([1]);
  });

  test('two texts are distinguished if they are equal only when they are joined', async (store) => {
    for (const separator of ['|', '/', '#', ':', ' ', '\u0000', '","', '']) {
      const pairs = [
        [`a${separator}b`, 'c'],
        ['a', `b${separator}c`],
      ] as const;
      for (const entries of [
        pairs.map(([system, code]) => token('p', code, system)),
        pairs.map(([type, id]) => reference('p', type, id)),
        pairs.map(([parameter, code]) => token(parameter, code)),
      ]) {
        await writeRecords(
          store,
          entries.map((entry) => ({ index: [entry] })),
        );
        for (const [index, entry] of entries.entries())
          expect([entry, await findResources(store, conditionOf(entry))]).toEqual([entry, [`${index}`]]);
      }
    }
  });

  test('an empty text is distinguished from a missing one', async (store) => {
    const empty = change({ id: 'empty', by: '', patientId: '' });
    const none = change({ id: 'none', by: null, patientId: null });
    await commit(store, [empty, none]);
    for (const written of [empty, none])
      expect(await resultOf(store.read(written))).toEqual(versionOf(written, 1));
    expect(await findResources(store, { on: 'patient', anyOf: [''] })).toEqual([empty.resource]);
  });
};
