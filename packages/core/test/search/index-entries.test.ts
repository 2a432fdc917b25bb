import { describe, expect, test } from 'vitest';
import { createTimeZone, utc } from '../../src/fhir/date-time.ts';
import { digestsOf, indexerOf, type StoredParameterTable } from '../../src/search/index-entries.ts';

type Concept = { readonly coding?: readonly { readonly system?: string; readonly code?: string }[] };

type Order = {
  readonly status?: string;
  readonly code?: Concept & { readonly text?: string };
  readonly category?: readonly Concept[];
  readonly identifier?: readonly { readonly system?: string; readonly value?: string }[];
  readonly performer?: readonly {
    readonly actor: { readonly reference?: string; readonly display?: string };
  }[];
  readonly period?: { readonly start?: string; readonly end?: string };
  readonly lot?: string | null;
  readonly meta?: { readonly profile?: readonly string[] };
};

const entriesOf = (parameters: StoredParameterTable<Order>, order: Order, zone = utc) =>
  indexerOf(parameters)(order, zone).map(({ parameter: _, ...entry }) => entry);

const token = (system: string, code: string) => ({ kind: 'token', system, code });

describe('an element is indexed by what it is', () => {
  test('a code, in the system of the parameter or in none', () => {
    const order = { status: 'active' };
    expect(entriesOf({ p: { kind: 'token', at: 'status', system: 's' } }, order)).toEqual([
      token('s', 'active'),
    ]);
    expect(entriesOf({ p: { kind: 'token', at: 'status' } }, order)).toEqual([token('', 'active')]);
  });

  test('each coding of each concept, each coding itself, and each identifier that has a value', () => {
    const category = [{ coding: [{ system: 's', code: '1' }, { code: '2' }, { system: 's' }] }, {}];
    const tokens = [token('s', '1'), token('', '2')];
    expect(entriesOf({ p: { kind: 'token', at: 'category' } }, { category })).toEqual(tokens);
    expect(entriesOf({ p: { kind: 'token', at: 'category.coding' } }, { category })).toEqual(tokens);
    const identifier = [{ system: 'urn:x', value: 'A-1' }, { value: 'B' }, { system: 'urn:x' }];
    expect(entriesOf({ p: { kind: 'token', at: 'identifier' } }, { identifier })).toEqual([
      token('urn:x', 'A-1'),
      token('', 'B'),
    ]);
  });

  test('a reference, but not one with only a name', () => {
    const performer = [{ actor: { reference: 'Practitioner/7' } }, { actor: { display: 'Bob' } }];
    expect(
      entriesOf({ p: { kind: 'reference', types: ['Practitioner'], at: 'performer.actor' } }, { performer }),
    ).toEqual([{ kind: 'reference', type: 'Practitioner', id: '7' }]);
  });

  test('a date, in the zone, and a period, which may be open', () => {
    const zone = createTimeZone('America/New_York');
    const from = Date.UTC(2026, 0, 2, 5);
    expect(entriesOf({ p: { kind: 'date', at: 'lot' } }, { lot: '2026-01-02' }, zone)).toEqual([
      { kind: 'date', from, until: from + 86_400_000 },
    ]);
    expect(
      entriesOf({ p: { kind: 'date', at: 'period' } }, { period: { start: '2026-01-02' } }, zone),
    ).toEqual([{ kind: 'date', from, until: 3e14 }]);
    expect(entriesOf({ p: { kind: 'date', at: 'lot' } }, { lot: 'soon' })).toEqual([]);
  });

  test('the words of a text', () => {
    expect(entriesOf({ p: { kind: 'string', at: 'lot' } }, { lot: 'AB-12' })).toEqual([
      { kind: 'string', word: 'ab' },
      { kind: 'string', word: '12' },
    ]);
  });

  test('or not at all, where there is none', () => {
    const parameters: StoredParameterTable<Order> = {
      one: { kind: 'token', at: ['code', 'code.text'] },
      two: { kind: 'reference', types: [], at: 'performer.actor' },
      three: { kind: 'date', at: 'period.start' },
      four: { kind: 'string', at: 'lot' },
    };
    expect(entriesOf(parameters, {})).toEqual([]);
    expect(entriesOf(parameters, { code: {}, performer: [], lot: null })).toEqual([]);
  });
});

test('a parameter may have several elements, or values that are computed', () => {
  const order = { code: { coding: [{ code: '1' }], text: 'One' }, status: 'active' };
  expect(entriesOf({ p: { kind: 'token', at: ['code', 'code.text'] } }, order)).toEqual([
    token('', '1'),
    token('', 'One'),
  ]);
  const computed = ({ status = '' }: Order) => [{ system: 's', code: status.toUpperCase() }];
  expect(entriesOf({ p: { kind: 'token', at: computed, version: 1 } }, order)).toEqual([
    token('s', 'ACTIVE'),
  ]);
});

test('an entry of its own says that there is a value, or that a resource does not conform to its profile', () => {
  const performer = { kind: 'reference', types: [], at: 'performer.actor', hasPresence: true } as const;
  const has = (order: Order) =>
    indexerOf({ performer })(order, utc).filter(({ parameter }) => parameter !== 'performer');
  expect(has({ performer: [{ actor: { reference: 'Practitioner/7' } }] })).toEqual([
    { parameter: 'performer:missing', ...token('', 'false') },
  ]);
  expect(has({})).toEqual([]);
  const profile = { _profile: { kind: 'profile', profile: 'urn:p' } } as const;
  expect(entriesOf(profile, { meta: { profile: ['urn:p'] } })).toEqual([]);
  expect(entriesOf(profile, {})).toEqual([token('', 'true')]);
});

test('a parameter that needs no index entry has none', () => {
  expect(
    entriesOf(
      { _id: { kind: 'id' }, patient: { kind: 'patient' }, _lastUpdated: { kind: 'lastUpdated' } },
      {},
    ),
  ).toEqual([]);
});

test('the compiler refuses a misspelt element, and a parameter that does not say where its values are', () => {
  const tables: readonly StoredParameterTable<Order>[] = [
    // @ts-expect-error There is no such element.
    { p: { kind: 'token', at: 'codes' } },
    // @ts-expect-error There is no such element.
    { p: { kind: 'token', at: 'performer.name' } },
    // @ts-expect-error Its values are nowhere.
    { p: { kind: 'token' } },
    // @ts-expect-error A function has a version.
    { p: { kind: 'token', at: () => [] } },
  ];
  expect(tables).toHaveLength(4);
});

describe('the digest of a parameter', () => {
  const token = { kind: 'token', at: 'status', system: 's' } as const;
  const computed = { kind: 'token', at: () => [], version: 1 } as const;
  const date = { kind: 'date', at: 'lot' } as const;
  const digestOf = (p: StoredParameterTable<Order>[string], timeZone = 'UTC') =>
    digestsOf({ p }, timeZone).map(([, digest]) => digest);

  test('is another one if its resources are indexed in another way', () => {
    const digests = [
      digestOf(token),
      digestOf({ ...token, at: 'lot' }),
      digestOf({ ...token, at: ['status', 'lot'] }),
      digestOf({ ...token, system: 't' }),
      digestOf({ kind: 'string', at: 'status' }),
      digestOf(computed),
      digestOf({ ...computed, version: 2 }),
      digestOf(date),
      digestOf(date, 'America/New_York'),
      digestOf({ kind: 'reference', types: [], at: 'performer.actor' }),
      digestOf({ kind: 'reference', types: [], at: 'performer.actor', hasPresence: true }),
    ].flat();
    expect(new Set(digests).size).toBe(11);
  });

  test('is the same whatever values a search may send, and in each zone if it is not about dates', () => {
    expect(digestOf({ ...token, codes: ['active'] }, 'America/New_York')).toEqual(digestOf(token));
    expect(digestOf({ kind: 'reference', types: ['Patient'], at: 'performer.actor' })).toEqual(
      digestOf({ kind: 'reference', types: [], at: 'performer.actor' }),
    );
  });

  test('is that of the version of a function, and not of its text', () => {
    expect(digestOf({ ...computed, at: () => [{ code: 'other' }] })).toEqual(digestOf(computed));
  });

  test('is missing where there are no index entries', () => {
    expect(digestOf({ kind: 'id' })).toEqual([]);
    expect(digestOf({ kind: 'profile', profile: 'urn:p' })).toHaveLength(1);
  });
});

test('a parameter that is declared to be of one date refuses a resource that has two', () => {
  const parameters = { p: { kind: 'date', isSingle: true, at: ['period.start', 'period.end'] } } as const;
  const [start, end] = ['2026-03-01', '2026-03-02'];
  expect(entriesOf(parameters, { period: { start } })).toHaveLength(1);
  expect(() => entriesOf(parameters, { period: { start, end } })).toThrow('p is declared as isSingle');
  const digest = (more: object) => digestsOf({ p: { ...parameters.p, ...more } }, 'UTC');
  expect(digest({ isSingle: undefined })).not.toEqual(digest({}));
});
