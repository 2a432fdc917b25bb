import type { AuditLog } from '@clinical-records/core';
import { CommandError } from '../command/command-error.ts';
import { type DataLocation, locationName } from '../open/data-location.ts';
import { useClient } from '../open/open-database.ts';
import { useRecords } from '../open/use-records.ts';
import { useUnchangedFile } from '../open/use-unchanged.ts';

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

/** Opens the audit log of a location, uses it, and closes it. Throws a `CommandError` if there is none. */
export const useAudit = async (
  location: DataLocation,
  use: (audit: AuditLog) => Promise<void>,
): Promise<void> => {
  await requireAuditLog(location);
  await useRecords(location, async (_, __, audit) => audit && use(audit), { hasAudit: true });
};
