import type { ClinicalStore } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { isRight } from 'fp-ts/lib/Either.js';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { goal, statement } from '../builders.ts';
import { createHandler, createRecords } from '../clinic.ts';

const maxPageBytes = 1024 * 1024;
/** A page has four of them. */
const text = 'x'.repeat(240_000);

/** The characters that were read, parsed and written since the last look at it. */
let characters = 0;
const count = (...texts: readonly (string | null | undefined)[]): void => {
  for (const counted of texts) characters += counted?.length ?? 0;
};

const countingStore = (store: ClinicalStore): ClinicalStore => ({
  ...store,
  search: async (query) => {
    const found = await store.search(query);
    if (isRight(found)) count(...found.right.matches.map(({ resource }) => resource));
    return found;
  },
  read: async (ref) => {
    const found = await store.read(ref);
    if (isRight(found)) count(found.right?.state);
    return found;
  },
});

const countJson = () => {
  const { parse, stringify } = JSON;
  vi.spyOn(JSON, 'parse').mockImplementation((source, reviver) => {
    count(source);
    return parse(source, reviver);
  });
  vi.spyOn(JSON, 'stringify').mockImplementation((...sent: Parameters<typeof stringify>) => {
    const written = stringify(...sent);
    count(written);
    return written;
  });
  onTestFinished(() => void vi.restoreAllMocks());
};

/** The most characters that work handles between two turns of the event loop. */
const mostInOneTurn = async (work: () => Promise<unknown>): Promise<number> => {
  let most = 0;
  let isOver = false;
  characters = 0;
  const look = () => {
    most = Math.max(most, characters);
    characters = 0;
    if (!isOver) setImmediate(look);
  };
  look();
  await work();
  isOver = true;
  look();
  return most;
};

const records = createRecords(countingStore(openSqliteStore({ filename: ':memory:' })));
const handler = createHandler(records, { chartCommands: true });
const get = (url: string) =>
  handler({ method: 'GET', url: `/fhir${url}`, headers: { authorization: 'Bearer full' } });
const getBy = (readers: number, url: string) => () =>
  Promise.all(Array.from({ length: readers }, () => get(url)));

beforeAll(async () => {
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  for (let at = 0; at < 12; at += 1) {
    await records.immunizations.create(statement({ note: [{ text }] }));
    await records.chart.stage(goal({ id: `g${at}`, progress: text }));
  }
});
beforeEach(countJson);

test('a page of a search handles its bytes once', async () => {
  const most = await mostInOneTurn(getBy(1, '/Immunization?patient=amy&_count=100'));
  expect(most).toBeGreaterThan(maxPageBytes * 0.9);
  expect(most).toBeLessThan(maxPageBytes * 1.1);
});

describe('a page of commands, whose records it parses and renders, handles no more than twice that in a turn', () => {
  test.each([1, 4])('with %i readers of large commands', async (readers) => {
    const most = await mostInOneTurn(getBy(readers, '/commands?patient=amy&_count=100'));
    expect(most).toBeLessThan(maxPageBytes * 2.1);
  });

  test('and reads a record with many commands once', async () => {
    for (let at = 0; at < 10; at += 1) {
      await records.chart.stage({ kind: 'updateGoal', goalId: 'g0', priority: 'high-priority' });
    }
    expect(await mostInOneTurn(getBy(4, '/commands?patient=amy&_sort=-_lastUpdated'))).toBeLessThan(
      maxPageBytes * 2.1,
    );
  });
});

describe('what parses the resources of a page handles no more than that in a turn', () => {
  test.each(['', '?_count=100', '?_type=Immunization'])('$everything%s', async (query) => {
    expect(await mostInOneTurn(getBy(1, `/Patient/amy/$everything${query}`))).toBeLessThan(
      maxPageBytes * 1.1,
    );
  });

  test('a search with an _include', async () => {
    const search = '/Immunization?patient=amy&_count=100&_include=Immunization:patient';
    expect(await mostInOneTurn(getBy(1, search))).toBeLessThan(maxPageBytes * 1.1);
  });

  test('all resources, from TypeScript', async () => {
    const readAll = async () => {
      for await (const dose of records.immunizations.all({ patient: 'amy' }))
        expect(dose.id).toBeTypeOf('string');
    };
    expect(await mostInOneTurn(readAll)).toBeLessThan(maxPageBytes * 1.1);
  });
});
