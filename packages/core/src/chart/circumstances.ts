import * as E from 'fp-ts/lib/Either.js';
import type { VersionCircumstances } from '../provenance/model.ts';
import type { CircumstancesReader } from '../provenance/read.ts';
import { load, recordExists } from '../records/transact.ts';
import type { ClinicalStore, StoredVersion } from '../store/port.ts';
import type { ChartRecord } from './command.ts';

/**
 * The circumstances of a version of a record, by the steps of its commands: why a command was discarded or entered in error by it,
 * and the agent that staged a command by it, or staged the one that it commits.
 */
const circumstancesOf = (
  { commands = [] }: Partial<ChartRecord<unknown>>,
  { version }: Pick<StoredVersion, 'version'>,
): VersionCircumstances => {
  const ended = commands
    .flatMap(({ discarded, enteredInError }) => [discarded, enteredInError])
    .find((step) => step?.version === version);
  const proposed = commands.find(
    ({ stagedBy, committed }) => stagedBy?.version === version || committed?.version === version,
  )?.stagedBy;
  return {
    ...(ended?.reason !== undefined && { reason: ended.reason }),
    ...(proposed?.agent !== undefined && { proposal: { agent: proposed.agent, actsFor: proposed.by } }),
  };
};

/** Reads why the versions of a record were written, and for which agents. The steps of its commands say it. */
export const createCircumstancesReader =
  (store: ClinicalStore, type: string): CircumstancesReader =>
  async (id) => {
    const loaded = await load<ChartRecord<unknown>>(store, { type }, id);
    if (E.isLeft(loaded)) return loaded;
    const record = loaded.right;
    return E.right((version) => (recordExists(record) ? circumstancesOf(record.state, version) : {}));
  };
