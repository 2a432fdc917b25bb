import { type ClinicalStore, type FeedEntry, orThrow } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { createHttpHandler, type HttpHandler } from '../../src/index.ts';
import { goal, immunizationCommand, labOrder } from '../builders.ts';
import { authenticate, openClinic, sending } from '../clinic.ts';
import { careTeam } from './valid.ts';

/** A clinic with something in each kind of record, and all that its handler said went wrong on its own side. */
export type FilledClinic = {
  readonly store: ClinicalStore;
  readonly handler: HttpHandler;
  readonly causes: readonly unknown[];
  /** What was written since it was filled. */
  readonly written: () => Promise<readonly FeedEntry[]>;
};

const entriesSince = async (store: ClinicalStore, position: number): Promise<readonly FeedEntry[]> => {
  const found = await store.changesSince({ position, limit: 1_000 })();
  if (found._tag === 'Left') throw new Error('A memory store is always there.');
  return found.right;
};

export const openFilledClinic = async (): Promise<FilledClinic> => {
  const store = createMemoryStore();
  const { records } = await openClinic(store);
  for (const command of [
    goal(),
    labOrder(),
    immunizationCommand(),
    immunizationCommand({ kind: 'immunizationStatement', id: 'told' }),
  ]) {
    await orThrow(records.chart.record(command, { by: 'ada' }));
  }
  const causes: unknown[] = [];
  const handler = createHttpHandler(records, {
    basePath: '/fhir',
    // The clinic's tokens are the keys of an object, which inherits `constructor` and the like.
    authenticate: (token) => (token in Object.prototype ? null : authenticate(token)),
    onError: (cause) => causes.push(cause),
  });
  await sending(handler)('PUT', '/CareTeam/amy', { body: careTeam });
  const position = (await entriesSince(store, 0)).length;
  return { store, handler, causes, written: () => entriesSince(store, position) };
};
