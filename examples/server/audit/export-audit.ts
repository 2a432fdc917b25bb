import { existsSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AuditLog } from '@clinical-records/core';
import { CommandError, uncreatableError } from '../command/command-error.ts';
import { type DataLocation, locationName } from '../open/data-location.ts';
import { useAudit } from './use-audit.ts';

const writeInto = async (file: string, audit: AuditLog): Promise<void> => {
  const handle = await open(file, 'wx', 0o600);
  try {
    await pipeline(Readable.from(audit.export()), handle.createWriteStream());
  } catch (cause) {
    // The part that was written could be taken for the whole log.
    await rm(file);
    throw cause;
  }
};

const writeEvents = async (audit: AuditLog, file: string): Promise<void> => {
  try {
    await writeInto(file, audit);
  } catch (cause) {
    if (!/^E[A-Z]+$/.test((cause as NodeJS.ErrnoException).code ?? '')) throw cause;
    throw uncreatableError(file, cause);
  }
};

/**
 * Writes all events of the audit of a location into a new file, a line each. Throws a `CommandError` if there is no log, or if
 * the file exists or cannot be written.
 */
export const exportAudit = async (file: string, location: DataLocation): Promise<void> => {
  if (existsSync(file)) throw new CommandError(`${file} exists already, and an export overwrites nothing`);
  await useAudit(location, (audit) => writeEvents(audit, file));
  console.log(`Exported the audit of ${locationName(location)} into ${file}`);
};
