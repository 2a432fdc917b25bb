import type { Verification } from '@clinical-records/core';
import { CommandError } from '../command/command-error.ts';
import { type DatabaseLocation, locationName } from '../open/data-location.ts';
import { useUnchanged } from '../open/use-unchanged.ts';
import { printVerification } from './print-verification.ts';

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
