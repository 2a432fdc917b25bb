import type { ClinicalStore, FeedEntry } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import type { HttpHandler } from '../../src/index.ts';
import { goal, immunize, oneCommandOfEach } from '../builders.ts';
import { createHandler, createSender, openClinic, readFeed } from '../clinic.ts';
import { createRewindableStore } from './rewindable-store.ts';
import { careTeam } from './valid-bodies.ts';

/** A clinic with something in each kind of record. */
export type FilledClinic = {
  readonly store: ClinicalStore;
  readonly handler: HttpHandler;
  /** The failures that the handler reported. */
  readonly causes: unknown[];
  /** The versions that were written since it was filled. */
  readonly newVersions: () => Promise<readonly FeedEntry[]>;
  /** Makes it again as it was when it was filled. */
  readonly rewind: () => Promise<void>;
};

export const openFilledClinic = async (
  openStore: () => ClinicalStore = createMemoryStore,
): Promise<FilledClinic> => {
  const { store, mark, rewind } = createRewindableStore(openStore);
  const { records, record, stage } = await openClinic(store);
  for (const command of [...oneCommandOfEach({ id: 'told' }), immunize()]) await record(command);
  await stage(goal({ id: 'staged' }));
  const causes: unknown[] = [];
  const handler = createHandler(records, { chartCommands: true, onError: (cause) => causes.push(cause) });
  await createSender(handler)('PUT', '/CareTeam/amy', { body: careTeam });
  mark();
  const position = (await readFeed(store)).at(-1)?.position;
  return {
    store,
    handler,
    causes,
    newVersions: () => readFeed(store, position),
    rewind: async () => {
      causes.length = 0;
      await rewind();
    },
  };
};
