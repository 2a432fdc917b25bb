import type { Verification } from '@clinical-records/core';
import { CommandError } from './command-error.ts';
import { type DatabaseLocation, locationName } from './data-location.ts';
import { printVerification } from './print-verification.ts';
import { useUnchanged } from './use-unchanged.ts';

/** Verifies a schema without changing it, and returns the result. Throws a `CommandError` if there are issues. */
export const verifyDatabase = async (
  location: DatabaseLocation,
  keptHead?: string,
): Promise<Verification> => {
  const verification = await useUnchanged(location, (records) => printVerification(records, keptHead));
  if (verification === null)
    throw new CommandError(`${locationName(location)} is not as it should be`, 'data');
  return verification;
};
