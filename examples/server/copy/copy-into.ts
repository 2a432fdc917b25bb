import {
  type AnyClinicalRecords,
  ClinicalRecordsError,
  type ClinicalStore,
  type Copy,
} from '@clinical-records/core';
import { CommandError } from '../command/command-error.ts';
import { createWhole } from '../open/create-whole.ts';
import { type DataLocation, locationName } from '../open/data-location.ts';
import { recordsReasonOf } from '../open/records-reason.ts';
import { useRecords } from '../open/use-records.ts';
import { useUnchanged } from '../open/use-unchanged.ts';
import { verify } from '../verify/verify.ts';
import { createCopyProgress } from './copy-progress.ts';

/**
 * Copies the records of a source, with their history and the feed, into a new location. The source is verified before,
 * and the copy after. The copy appears whole or not at all. Throws a `CommandError` if there is data already, or anything
 * is not as it should be.
 */
export const copyInto = async (
  target: DataLocation,
  source: DataLocation,
  { signal, write }: { readonly signal: AbortSignal; readonly write: (text: string) => unknown },
): Promise<void> => {
  const name = locationName(source);

  const copyVersions = async (
    records: AnyClinicalRecords,
    store: ClinicalStore,
    showProgress: (versions: number) => void,
  ): Promise<Copy> => {
    const onProgress = (versions: number) => {
      showProgress(versions);
      if (signal.aborted)
        throw new CommandError('the copy was stopped, and nothing of it is left', 'failure');
    };
    try {
      return await records.copyTo(store, { onProgress });
    } catch (cause) {
      if (!(cause instanceof ClinicalRecordsError)) throw cause;
      throw new CommandError(`cannot copy ${name}: ${recordsReasonOf(cause)}`, 'data');
    }
  };

  const fill = async (location: DataLocation): Promise<void> => {
    console.log(`Source: ${name}`);
    const before = await verify(source);
    const showProgress = createCopyProgress(before.versions, write);
    await useUnchanged(source, (records) =>
      useRecords(location, async (_, store) => {
        await copyVersions(records, store, showProgress);
        console.log(`Copy: ${locationName(target)}`);
        await verify(location, before.head);
        // It copies what the source has got since.
        const { head } = await copyVersions(records, store, showProgress);
        if (head === before.head) return;
        throw new CommandError(
          `${name} was written to while it was copied; stop what writes to it, and copy again`,
          'failure',
        );
      }),
    );
  };

  if (!(await createWhole(target, fill))) {
    throw new CommandError(`${locationName(target)} exists already, and a copy overwrites nothing`);
  }
  console.log(`Copied ${name} into ${locationName(target)}`);
};
