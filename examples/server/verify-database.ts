import { createClinicalRecords } from '@clinical-records/core';
import { CommandError } from './command-error.ts';
import { type DatabaseLocation, locationName } from './data-location.ts';
import { openDatabase } from './open-database.ts';
import { printVerification } from './print-verification.ts';
import { careTeamRoles, extensionBase } from './settings.ts';

/** Verifies a schema without changing it. Throws a `CommandError` if there are issues. */
export const verifyDatabase = async (location: DatabaseLocation, keptHead?: string): Promise<void> => {
  const store = await openDatabase(location, { isReadOnly: true });
  try {
    const records = createClinicalRecords({ store, extensionBase, careTeamRoles });
    if (await printVerification(records, keptHead)) return;
  } finally {
    await store.close();
  }
  throw new CommandError(`${locationName(location)} is not as it should be`, 1);
};
