import { type AuditLog, createAuditLog } from '@clinical-records/core';
import type { AuditStore, ClinicalStore, StoreError } from '@clinical-records/core/store';
import { openPostgresAuditStore } from '@clinical-records/store-postgres';
import { openSqliteAuditStore } from '@clinical-records/store-sqlite';
import { CommandError } from '../command/command-error.ts';
import { type DataLocation, type FileLocation, locationName } from '../open/data-location.ts';
import { causeOf, openPool } from '../open/open-database.ts';
import { openError } from '../open/open-error.ts';

type OpenAudit = { readonly audit: AuditLog; readonly close: () => Promise<void> };

const openInFile = ({ filename }: FileLocation, store: ClinicalStore): AuditStore => {
  try {
    return openSqliteAuditStore({ store });
  } catch (cause) {
    throw openError(filename, cause);
  }
};

const openAuditStore = (
  location: DataLocation,
  store: ClinicalStore,
): { readonly auditStore: AuditStore; readonly release: () => Promise<void> } => {
  if (location._tag === 'File') {
    return { auditStore: openInFile(location, store), release: async () => {} };
  }
  const { schema, tenant } = location;
  const { pool, end } = openPool(location, 2);
  const auditStore = openPostgresAuditStore({ pool, schema, ...(tenant !== undefined && { tenant }) });
  return { auditStore, release: end };
};

const tableError = (location: DataLocation, failure: StoreError): CommandError => {
  const { code, message } = causeOf(failure) as NodeJS.ErrnoException;
  const advice =
    location._tag === 'Database' && code === '42501'
      ? `; a database owner runs the SQL of auditTableSql({ schema: '${location.schema}' }), and grants select and insert`
      : '';
  return new CommandError(`cannot open the audit of ${locationName(location)}: ${message}${advice}`, 'data');
};

/** Opens the audit log beside the records of a location. Throws a `CommandError` if its table cannot be created or read. */
export const openAudit = async (location: DataLocation, store: ClinicalStore): Promise<OpenAudit> => {
  const { auditStore, release } = openAuditStore(location, store);
  const close = async (): Promise<void> => {
    await auditStore.close();
    await release();
  };
  // On PostgreSQL, the first call creates the table.
  const first = await auditStore.scan({ after: 0, limit: 1 });
  if (first._tag === 'Right') return { audit: createAuditLog({ store: auditStore }), close };
  await close();
  throw tableError(location, first.left);
};
