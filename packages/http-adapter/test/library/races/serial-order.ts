import type { ClinicalStore, FeedEntry } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect } from 'vitest';
import { openClinic, readFeed } from '../../clinic.ts';
import { createWriter, prepareRace, type Write } from './writes.ts';

/** The versions as text, with the ids that were made for them in the order in which they appear. */
const withNumberedIds = (versions: readonly FeedEntry[]): readonly string[] => {
  const made = new Map<string, string>();
  const named = (id: string): string => {
    if (!made.has(id)) made.set(id, `made-${made.size}`);
    return made.get(id) ?? '';
  };
  return versions.map(({ type, id, patientId, version, at, by, state, resource }) =>
    JSON.stringify({ type, id, patientId, version, at, by, state, resource }).replaceAll(
      /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g,
      named,
    ),
  );
};

/**
 * Expects that a store has the same content as after the same writes, done one after the other on a new clinic. They
 * are done in the order and at the times of the versions that they made.
 */
export const expectSerialOrder = async (
  raced: ClinicalStore,
  writes: readonly Write[],
  before: number,
): Promise<void> => {
  const versions = (await readFeed(raced)).slice(before);
  const again = await openClinic(createMemoryStore());
  await prepareRace(again.records);
  expect(await readFeed(again.store)).toHaveLength(before);
  const write = createWriter(again.records);
  for (const [by, [version]] of Map.groupBy(versions, (entry) => entry.by)) {
    const written = writes.find((one) => one.by === by);
    if (written === undefined || version === undefined) continue;
    again.clock.at(new Date(version.at - 1_000).toISOString());
    await write(written);
  }
  const repeated = (await readFeed(again.store)).slice(before);
  expect(withNumberedIds(versions)).toEqual(withNumberedIds(repeated));
  expect(new Set(versions.flatMap(({ by }) => by ?? []))).toEqual(new Set(writes.map(({ by }) => by)));
};
