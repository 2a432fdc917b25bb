import { createWriteStream, existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AuditLog } from '@clinical-records/core';
import { CommandError } from './command-error.ts';
import { type DataLocation, locationName } from './data-location.ts';
import { useClient } from './open-database.ts';
import { useRecords } from './use-records.ts';
import { useUnchangedFile } from './use-unchanged.ts';

const hasAuditLog = (location: DataLocation): Promise<boolean> =>
  location._tag === 'File'
    ? useUnchangedFile(location.filename, async (database) => {
        const found = database.prepare("select 1 from sqlite_schema where name = 'audit_events'").get();
        return found !== undefined;
      })
    : useClient(location, async (client) => {
        const query = "select 1 from pg_tables where schemaname = $1 and tablename = 'audit_events'";
        return (await client.query(query, [location.schema])).rows.length > 0;
      });

/** Opening a log would create it. */
const requireAuditLog = async (location: DataLocation): Promise<void> => {
  const name = locationName(location);
  const hasLog = await hasAuditLog(location).catch((cause: Error) => {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`cannot open ${name}: ${cause.message}`, 'data');
  });
  if (!hasLog) throw new CommandError(`${name} has no audit log: it was never served with --audit`, 'data');
};

const writeEvents = async (audit: AuditLog, file: string): Promise<void> => {
  try {
    await pipeline(Readable.from(audit.export()), createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException;
    if (!/^E[A-Z]+$/.test(code)) throw cause;
    throw new CommandError(`cannot write ${file}: ${message}`, 'data');
  }
};

/**
 * Writes all events of the audit of a location into a new file, a line each. Throws a `CommandError` if there is no log, or if
 * the file exists or cannot be written.
 */
export const exportAudit = async (file: string, location: DataLocation): Promise<void> => {
  if (existsSync(file)) throw new CommandError(`${file} is there already; an export overwrites nothing`);
  await requireAuditLog(location);
  await useRecords(location, async (_, __, audit) => audit && writeEvents(audit, file), { hasAudit: true });
  console.log(`Exported the audit of ${locationName(location)} into ${file}`);
};
