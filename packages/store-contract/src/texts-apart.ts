import type { Change, ClinicalStore, SearchCondition } from '@clinical-records/core';
import { expect } from 'vitest';
import { answer, change, commit, query, reference, token, versionOf } from './builders.ts';
import type { Topic } from './topic.ts';

const long = 'x'.repeat(255);

/** Texts that are the same to whoever looks less closely at case, accents, width, spaces, numbers, wildcards or ends. */
const alike: readonly string[] = [
  ...['a', 'A', 'á', 'a\u0301', 'ａ', 'a ', ' a', 'ß', 'ss', 'i', 'I', 'ı', 'a%', 'a_', 'a*'],
  ...['8', '08', '8.0', '8e0', '+8', '0x8'],
  ...['a\u0000', 'a\u0000b', 'a\u0000c', long, `${long}y`, `${long}z`],
];

/** Makes one record for each, whose resource tells which it is. */
const fill = (store: ClinicalStore, changes: readonly Partial<Change>[]) =>
  commit(
    store,
    changes.map((one, at) => change({ id: `${at}`, resource: `${at}`, ...one })),
  );

const resourcesFound = async (store: ClinicalStore, condition: SearchCondition): Promise<readonly string[]> =>
  (await answer(store.search(query([condition])))).matches.map(({ resource }) => resource);

type Place = {
  readonly name: string;
  readonly write: (text: string) => Partial<Change>;
  readonly find: (text: string) => SearchCondition;
};

type Entry = ReturnType<typeof token | typeof reference>;

/** Finds what has an entry. */
const conditionOf = ({ kind, parameter, ...wanted }: Entry): SearchCondition =>
  ({ on: kind, parameter, anyOf: [wanted] }) as SearchCondition;

const inEntry = (name: string, entryOf: (text: string) => Entry): Place => ({
  name,
  write: (text) => ({ index: [entryOf(text)] }),
  find: (text) => conditionOf(entryOf(text)),
});

/** Where a text can stand by itself. */
const places: readonly Place[] = [
  { name: 'the id of a record', write: (id) => ({ id }), find: (id) => ({ on: 'id', anyOf: [id] }) },
  {
    name: 'a patient',
    write: (patientId) => ({ patientId }),
    find: (patientId) => ({ on: 'patient', anyOf: [patientId] }),
  },
  inEntry('the parameter of a token', (text) => token(text, 'code', 'system')),
  inEntry('the system of a token', (text) => token('parameter', 'code', text)),
  inEntry('the code of a token', (text) => token('parameter', text, 'system')),
  inEntry('the parameter of a reference', (text) => reference(text, 'Type', 'id')),
  inEntry('the type of a reference', (text) => reference('parameter', text, 'id')),
  inEntry('the id of a reference', (text) => reference('parameter', 'Type', text)),
];

/** A condition with a criterion more, which holds of none. */
const orNone = (condition: SearchCondition): SearchCondition => {
  const [first] = condition.anyOf;
  const none =
    typeof first === 'string' ? 'none' : { system: 'none', code: 'none', type: 'none', id: 'none' };
  return { ...condition, anyOf: [...condition.anyOf, none] } as SearchCondition;
};

export const textsApart: Topic = (test) => {
  for (const { name, write, find } of places) {
    test(`records are told apart by every character of ${name}`, async (store) => {
      await fill(store, alike.map(write));
      for (const [at, text] of alike.entries()) {
        for (const condition of [find(text), orNone(find(text))])
          expect([text, await resourcesFound(store, condition)]).toEqual([text, [`${at}`]]);
      }
    });
  }

  test('records are told apart by every character of their types and ids when they are read', async (store) => {
    const changes = alike.flatMap((text) => [change({ id: text, at: 1 }), change({ type: text, at: 2 })]);
    await commit(store, changes);
    for (const one of changes) expect(await answer(store.read(one))).toEqual(versionOf(one, 1));
    for (const type of alike) {
      const { matches } = await answer(store.search(query([], { type })));
      expect([type, matches.length]).toEqual([type, 1]);
    }
  });

  test('two texts are told apart that are the same only when they are joined', async (store) => {
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
        await fill(
          store,
          entries.map((entry) => ({ index: [entry] })),
        );
        for (const [at, entry] of entries.entries())
          expect([entry, await resourcesFound(store, conditionOf(entry))]).toEqual([entry, [`${at}`]]);
      }
    }
  });

  test('a text that is empty is told apart from none', async (store) => {
    const empty = change({ id: 'empty', by: '', patientId: '' });
    const none = change({ id: 'none', by: null, patientId: null });
    await commit(store, [empty, none]);
    for (const one of [empty, none]) expect(await answer(store.read(one))).toEqual(versionOf(one, 1));
    expect(await resourcesFound(store, { on: 'patient', anyOf: [''] })).toEqual([empty.resource]);
  });
};
