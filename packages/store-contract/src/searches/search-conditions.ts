import type { ClinicalStore, SearchCondition, TokenCriterion } from '@clinical-records/core/store';
import { expect } from 'vitest';
import { change, date, findIds, query, reference, resultOf, token, word, write } from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const cvx = 'http://hl7.org/fhir/sid/cvx';
const local = 'urn:local';

/** Writes records with one code each, of two systems and of none. */
const writeCodes = (store: ClinicalStore) =>
  write(
    store,
    change({ id: 'cvx-1', index: [token('code', '1', cvx)] }),
    change({ id: 'cvx-2', index: [token('code', '2', cvx)] }),
    change({ id: 'local-1', index: [token('code', '1', local)] }),
    change({ id: 'plain-1', index: [token('code', '1')] }),
    change({ id: 'none' }),
    change({ id: 'elsewhere', index: [token('status', '1', cvx), reference('code', cvx, '1')] }),
  );

const codeCondition = (...anyOf: readonly TokenCriterion[]): SearchCondition => ({
  on: 'token',
  parameter: 'code',
  anyOf,
});

const tokenForms: readonly [name: string, criterion: TokenCriterion, ids: readonly string[]][] = [
  ['a system and a code', { system: cvx, code: '1' }, ['cvx-1']],
  ['a code of any system', { system: null, code: '1' }, ['cvx-1', 'local-1', 'plain-1']],
  ['a code without a system', { system: '', code: '1' }, ['plain-1']],
  ['any code of a system', { system: cvx, code: null }, ['cvx-1', 'cvx-2']],
  ['any code without a system', { system: '', code: null }, ['plain-1']],
  ['any token', { system: null, code: null }, ['cvx-1', 'cvx-2', 'local-1', 'plain-1']],
  ['a system and a code that both exist, but not in the same entry', { system: local, code: '2' }, []],
  ['a code that no entry has', { system: null, code: '3' }, []],
  ['a system that no entry has', { system: 'urn:other', code: null }, []],
];

export const searchConditions: TestTopic = (test) => {
  for (const [name, criterion, ids] of tokenForms) {
    test(`a token condition of ${name} finds the records that have it`, async (store) => {
      await writeCodes(store);
      expect(await findIds(store, codeCondition(criterion))).toEqual(ids);
    });
  }

  test('a token condition finds a record by any of its criteria, and once', async (store) => {
    await writeCodes(store);
    await write(store, change({ id: 'both', index: [token('code', '2', cvx), token('code', '1', local)] }));
    const criteria = [
      { system: local, code: '1' },
      { system: cvx, code: '2' },
      { system: null, code: '2' },
    ];
    expect(await findIds(store, codeCondition(...criteria))).toEqual(['cvx-2', 'local-1', 'both']);
    expect((await resultOf(store.search(query([codeCondition(...criteria)])))).total).toBe(3);
  });

  test('a token criterion needs one entry with both its system and its code', async (store) => {
    await write(store, change({ index: [token('code', '1', cvx), token('code', '2', local)] }));
    expect(await findIds(store, codeCondition({ system: cvx, code: '2' }))).toEqual([]);
  });

  test('a record is found once, however often a condition repeats its id', async (store) => {
    await write(store, change());
    const missing = Array.from({ length: 300 }, (_, index) => `none-${index}`);
    const { matches, total } = await resultOf(
      store.search(query([{ on: 'id', anyOf: ['a', ...missing, 'a', 'a'] }])),
    );
    expect([matches.map(({ id }) => id), total]).toEqual([['a'], 1]);
  });

  test('a condition can have a thousand criteria', async (store) => {
    await writeCodes(store);
    const thousand = Array.from({ length: 1000 }, (_, index) => `none-${index}`);
    expect(await findIds(store, { on: 'id', anyOf: [...thousand, 'none'] })).toEqual(['none']);
    expect(await findIds(store, codeCondition(...thousand.map((code) => ({ system: cvx, code }))))).toEqual(
      [],
    );
    expect(
      await findIds(
        store,
        codeCondition(...thousand.map((code) => ({ system: null, code })), { system: local, code: '1' }),
      ),
    ).toEqual(['local-1']);
    await write(store, change({ id: 'named', index: [word('name', 'shaw')] }));
    const beginnings = [...thousand.map((text) => `x${text}`), 'sh'];
    expect(await findIds(store, { on: 'string', parameter: 'name', anyOf: beginnings })).toEqual(['named']);
    const dates = thousand.map(
      (_, index) => ({ prefix: 'eq', from: index * 10, until: index * 10 + 5 }) as const,
    );
    await write(store, change({ id: 'dated', index: [date('date', 9991, 9993)] }));
    expect(await findIds(store, { on: 'date', parameter: 'date', anyOf: dates })).toEqual(['dated']);
  });

  test('an id condition finds the records with these ids, only of its type', async (store) => {
    await write(
      store,
      change({ id: 'b' }),
      change({ id: 'a' }),
      change({ id: 'c' }),
      change({ type: 'Goal' }),
    );
    expect(await findIds(store, { on: 'id', anyOf: ['a'] })).toEqual(['a']);
    expect(await findIds(store, { on: 'id', anyOf: ['a', 'b', 'a', 'none'] })).toEqual(['b', 'a']);
    expect(await findIds(store, { on: 'id', anyOf: ['none'] })).toEqual([]);
  });

  test('a patient condition finds the records in charts, and none without a chart', async (store) => {
    await write(
      store,
      change({ id: 'a', patientId: 'p' }),
      change({ id: 'b', patientId: 'q' }),
      change({ id: 'c', patientId: null }),
      change({ id: 'd', patientId: 'p' }),
      change({ id: 'e', patientId: 'p', type: 'Goal' }),
    );
    expect(await findIds(store, { on: 'patient', anyOf: ['p'] })).toEqual(['a', 'd']);
    expect(await findIds(store, { on: 'patient', anyOf: ['q', 'p', 'p'] })).toEqual(['a', 'b', 'd']);
    expect(await findIds(store, { on: 'patient', anyOf: ['none', 'null', ''] })).toEqual([]);
  });

  test('a reference condition finds the records that refer to its id and type by its parameter', async (store) => {
    await write(
      store,
      change({ id: 'a', index: [reference('encounter', 'Encounter', '1')] }),
      change({ id: 'b', index: [reference('encounter', 'Encounter', '2')] }),
      change({ id: 'c', index: [reference('encounter', 'Group', '1')] }),
      change({
        id: 'd',
        index: [reference('performer', 'Encounter', '1'), token('encounter', '1', 'Encounter')],
      }),
    );
    const encounter = (...anyOf: readonly { type: string; id: string }[]): SearchCondition => ({
      on: 'reference',
      parameter: 'encounter',
      anyOf,
    });
    expect(await findIds(store, encounter({ type: 'Encounter', id: '1' }))).toEqual(['a']);
    expect(
      await findIds(store, encounter({ type: 'Group', id: '1' }, { type: 'Encounter', id: '2' })),
    ).toEqual(['b', 'c']);
    expect(await findIds(store, encounter({ type: 'Group', id: '2' }))).toEqual([]);
  });

  test('a condition without criteria holds for no record', async (store) => {
    await write(
      store,
      change({
        index: [token('code', '1'), date('date', 1, 2), reference('encounter', 'E', '1'), word('name', '1')],
      }),
    );
    const parameters: readonly SearchCondition[] = [
      { on: 'id', anyOf: [] },
      { on: 'patient', anyOf: [] },
      { on: 'token', parameter: 'code', anyOf: [] },
      { on: 'reference', parameter: 'encounter', anyOf: [] },
      { on: 'string', parameter: 'name', anyOf: [] },
      { on: 'date', parameter: 'date', anyOf: [] },
    ];
    for (const condition of parameters) {
      expect(await resultOf(store.search(query([condition])))).toEqual({
        matches: [],
        hasMore: false,
        total: 0,
      });
      const together = query([{ on: 'patient', anyOf: ['patient-1'] }, condition]);
      expect(await resultOf(store.search(together))).toEqual({ matches: [], hasMore: false, total: 0 });
    }
  });

  test('a found record meets all conditions, each by an entry of its own or by the same entry', async (store) => {
    const index = [token('status', 'completed'), token('code', '1', cvx), date('date', 10, 20)];
    await write(
      store,
      change({ id: 'all', index }),
      change({ id: 'other-patient', patientId: 'patient-2', index }),
      change({ id: 'no-status', index: index.slice(1) }),
      change({ id: 'no-code', index: [...index.slice(0, 1), ...index.slice(2)] }),
      change({ id: 'no-date', index: index.slice(0, 2) }),
    );
    const conditions: readonly SearchCondition[] = [
      { on: 'patient', anyOf: ['patient-1'] },
      { on: 'token', parameter: 'status', anyOf: [{ system: null, code: 'completed' }] },
      codeCondition({ system: cvx, code: '1' }),
      { on: 'date', parameter: 'date', anyOf: [{ prefix: 'ge', from: 10, until: 11 }] },
    ];
    expect(await findIds(store, ...conditions)).toEqual(['all']);
    expect(await findIds(store, ...conditions.toReversed())).toEqual(['all']);
    const except = (index: number) => findIds(store, ...conditions.toSpliced(index, 1));
    expect(await except(0)).toEqual(['all', 'other-patient']);
    expect(await except(1)).toEqual(['all', 'no-status']);
    expect(await except(2)).toEqual(['all', 'no-code']);
    expect(await except(3)).toEqual(['all', 'no-date']);
  });

  test('several conditions of one kind, even on one parameter, must all hold', async (store) => {
    await writeCodes(store);
    await write(store, change({ id: 'both', index: [token('code', '1', cvx), token('code', '2', cvx)] }));
    const first = codeCondition({ system: cvx, code: '1' });
    const second = codeCondition({ system: cvx, code: '2' });
    expect(await findIds(store, first, second)).toEqual(['both']);
    expect(
      await findIds(store, { on: 'id', anyOf: ['a', 'both'] }, { on: 'id', anyOf: ['both', 'b'] }),
    ).toEqual(['both']);
    expect(
      await findIds(store, { on: 'patient', anyOf: ['patient-1'] }, { on: 'patient', anyOf: ['patient-2'] }),
    ).toEqual([]);
  });

  test('conditions that each hold for many records find the few for which all hold', async (store) => {
    const numbers = Array.from({ length: 900 }, (_, index) => index);
    const changes = numbers.map((number) =>
      change({
        id: `${number}`,
        index: [
          token('two', `${number % 2}`),
          token('three', `${number % 3}`),
          date('date', number, number + 1),
        ],
      }),
    );
    await resultOf(store.commit({ changes, versionChecks: [] }));
    const page = await resultOf(
      store.search(
        query([
          { on: 'token', parameter: 'two', anyOf: [{ system: null, code: '1' }] },
          { on: 'token', parameter: 'three', anyOf: [{ system: null, code: '1' }] },
          { on: 'date', parameter: 'date', anyOf: [{ prefix: 'lt', from: 600, until: 601 }] },
        ]),
      ),
    );
    const expected = numbers.filter((number) => number % 6 === 1 && number < 600).map(String);
    expect(page.total).toBe(expected.length);
    expect(page.matches.map(({ id }) => id)).toEqual(expected);
  });

  test('only records with a resource are found', async (store) => {
    const index = [
      token('code', '1'),
      date('date', 1, 2),
      reference('encounter', 'Encounter', '1'),
      word('name', '1'),
    ];
    await write(store, change({ id: 'a', resource: null, index }), change({ id: 'b', index }));
    const conditions: readonly SearchCondition[] = [
      { on: 'id', anyOf: ['a', 'b'] },
      { on: 'patient', anyOf: ['patient-1'] },
      codeCondition({ system: null, code: '1' }),
      { on: 'reference', parameter: 'encounter', anyOf: [{ type: 'Encounter', id: '1' }] },
      { on: 'string', parameter: 'name', anyOf: ['1'] },
      { on: 'date', parameter: 'date', anyOf: [{ prefix: 'eq', from: 1, until: 2 }] },
    ];
    expect(await findIds(store)).toEqual(['b']);
    for (const condition of conditions) expect(await findIds(store, condition)).toEqual(['b']);
  });

  test('only records of one type are found, whatever entries other records have', async (store) => {
    const index = [
      token('code', '1'),
      date('date', 1, 2),
      reference('encounter', 'Encounter', '1'),
      word('name', '1'),
    ];
    await write(store, change({ type: 'Goal', id: 'goal', index }), change({ id: 'immunization', index }));
    for (const [type, id] of [
      ['Goal', 'goal'],
      ['Immunization', 'immunization'],
    ] as const) {
      for (const conditions of [
        [],
        [{ on: 'patient', anyOf: ['patient-1'] }],
        [codeCondition({ system: null, code: null })],
        [{ on: 'reference', parameter: 'encounter', anyOf: [{ type: 'Encounter', id: '1' }] }],
        [{ on: 'string', parameter: 'name', anyOf: ['1'] }],
        [{ on: 'date', parameter: 'date', anyOf: [{ prefix: 'eq', from: 1, until: 2 }] }],
      ] satisfies (readonly SearchCondition[])[]) {
        const { matches, total } = await resultOf(store.search(query(conditions, { type })));
        expect([matches.map((match) => match.id), total]).toEqual([[id], 1]);
      }
    }
    expect(await resultOf(store.search(query([], { type: 'CareTeam' })))).toEqual({
      matches: [],
      hasMore: false,
      total: 0,
    });
  });
};
