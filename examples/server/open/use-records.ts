import {
  type AnyClinicalRecords,
  type AuditLog,
  ClinicalRecordsError,
  type ClinicalRecordsOptions,
  createClinicalRecords,
} from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';
import { openAudit } from '../audit/audit.ts';
import { CommandError } from '../command/command-error.ts';
import { careTeamRoles, extensionBase, types } from '../settings.ts';
import type { ServedStore } from '../web/health.ts';
import { type DataLocation, locationName } from './data-location.ts';
import { openDatabase } from './open-database.ts';
import { openFile } from './open-file.ts';

/** Creates the records of the server, with the options that not every use of them has. */
export const createServerRecords = (
  store: ClinicalStore,
  options: Pick<ClinicalRecordsOptions, 'clock' | 'onAccess' | 'organization' | 'usCore'> = {},
) => createClinicalRecords({ store, extensionBase, careTeamRoles, types, ...options });

const openStore = async (location: DataLocation): Promise<ServedStore> =>
  location._tag === 'File' ? openFile(location) : openDatabase(location);

const closeStore = async (store: ClinicalStore, location: DataLocation): Promise<void> => {
  try {
    await store.close();
  } catch (cause) {
    const what = location._tag === 'File' ? 'file' : 'database';
    throw new CommandError(`the ${what} could not be closed: ${(cause as Error).message}`, 'data');
  }
};

/** A failing store becomes a `CommandError`; any other error is returned unchanged. */
const errorOf = (location: DataLocation, cause: unknown): unknown => {
  if (!(cause instanceof ClinicalRecordsError) || cause.error._tag !== 'StoreFailure') return cause;
  const { message } = cause.error.cause;
  return new CommandError(`cannot use ${locationName(location)}: ${message}`, 'data');
};

/**
 * Opens the store of a location, passes its records to `use`, and closes it. Throws a `CommandError` if it is not one of
 * the server, cannot be written, or fails. With `hasAudit`, each access is recorded beside the records.
 */
export const useRecords = async <Result>(
  location: DataLocation,
  use: (records: AnyClinicalRecords, store: ServedStore, auditLog: AuditLog | undefined) => Promise<Result>,
  { hasAudit = false, ...options }: { readonly clock?: () => Date; readonly hasAudit?: boolean } = {},
): Promise<Result> => {
  const store = await openStore(location);
  try {
    const opened = hasAudit ? await openAudit(location, store) : undefined;
    try {
      const access = opened && { onAccess: opened.audit.onAccess };
      return await use(createServerRecords(store, { ...options, ...access }), store, opened?.audit);
    } finally {
      await opened?.close();
    }
  } catch (cause) {
    throw errorOf(location, cause);
  } finally {
    await closeStore(store, location);
  }
};
