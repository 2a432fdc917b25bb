import {
  type ClinicalStore,
  type ExpectedVersion,
  exactVersion,
  noVersion,
  toStoredResource,
} from '@clinical-records/core/store';
import { isRight } from 'fp-ts/lib/Either.js';
import { expect } from 'vitest';
import {
  change,
  commit,
  idsOf,
  query,
  readHistory,
  readVersions,
  resultOf,
  versionOf,
  write,
} from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const writers = 25;

const racers = Array.from({ length: writers }, (_, index) => index);

const fromTheStart = { limit: 100 };

/** Starts all commits before the first can return. */
const race = (store: ClinicalStore, expects: ExpectedVersion) =>
  Promise.all(
    racers.map((racer) =>
      store.commit({
        changes: [change({ id: `own-${racer}` }), change({ expects, state: `{"racer":${racer}}` })],
        versionChecks: [],
      }),
    ),
  );

export const races: TestTopic = (test) => {
  for (const [name, expects, before] of [
    ['that a record is absent', noVersion, 0],
    ['the same version', exactVersion(2), 2],
  ] as const) {
    test(`of several commits that expect ${name} exactly one succeeds`, async (store) => {
      for (let version = 0; version < before; version += 1) await write(store, change());
      const outcomes = await race(store, expects);
      const winners = racers.filter((racer) => outcomes[racer]?._tag === 'Right');
      expect(winners).toHaveLength(1);
      expect(await resultOf(store.read(change()))).toMatchObject({
        version: before + 1,
        state: `{"racer":${winners[0]}}`,
      });
    });

    test(`commits that expected ${name} and lost get the actual version, and write nothing`, async (store) => {
      for (let version = 0; version < before; version += 1) await write(store, change());
      const outcomes = await race(store, expects);
      const conflict = { _tag: 'Conflict', ref: { type: 'Immunization', id: 'a' }, actual: before + 1 };
      for (const [racer, outcome] of outcomes.entries()) {
        if (isRight(outcome)) continue;
        expect(outcome.left).toEqual(conflict);
        expect(await resultOf(store.read({ type: 'Immunization', id: `own-${racer}` }))).toBeNull();
      }
    });
  }

  test('simultaneous commits that expect Any all succeed, each with a version of its own', async (store) => {
    const versions = await Promise.all(
      racers.map(() => resultOf(store.commit({ changes: [change()], versionChecks: [] }))),
    );
    expect(versions.flat().toSorted((a, b) => a - b)).toEqual(racers.map((racer) => racer + 1));
    expect(await readHistory(store, change())).toHaveLength(writers);
  });

  test('each of many simultaneous writers finds its record by every function once its commit returns', async (store) => {
    const writeAndLook = async (racer: number) => {
      const own = change({ id: `own-${racer}` });
      await commit(store, [own]);
      const [current, resource, past, page, scanned, feed] = await Promise.all([
        resultOf(store.read(own)),
        resultOf(store.readResource(own)),
        readVersions(store, own),
        resultOf(store.search(query())),
        resultOf(store.scan(fromTheStart)),
        resultOf(store.changesSince(fromTheStart)),
      ]);
      const latest = versionOf(own, 1);
      expect({ current, resource, past }).toEqual({
        current: latest,
        resource: toStoredResource(latest),
        past: [latest],
      });
      for (const all of [page.matches, scanned, feed]) expect(idsOf(all)).toContain(own.id);
    };
    await Promise.all(racers.map(writeAndLook));
  });

  test('a commit that conflicts does not affect others that run at the same time', async (store) => {
    const outcomes = await Promise.all(
      racers.map((racer) =>
        store.commit({
          changes: [change({ id: `own-${racer}`, expects: racer === 12 ? exactVersion(1) : noVersion })],
          versionChecks: [],
        }),
      ),
    );
    for (const [racer, outcome] of outcomes.entries()) expect(isRight(outcome)).toBe(racer !== 12);
    expect(await resultOf(store.changesSince(fromTheStart))).toHaveLength(writers - 1);
  });
};
