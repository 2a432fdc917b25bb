import { type AuditLog, createAuditLog } from '@clinical-records/core';
import type { AuditStore, OpenStore } from '@clinical-records/core/store';
import { openPostgresAuditStore } from '@clinical-records/store-postgres';
import { openSqliteAuditStore } from '@clinical-records/store-sqlite';
import pg from 'pg';
import type { DataLocation } from './data-location.ts';

type OpenAudit = { readonly audit: AuditLog; readonly close: () => Promise<void> };

const openAuditStore = (
  location: DataLocation,
  store: OpenStore,
): { readonly auditStore: AuditStore; readonly release: () => Promise<void> } => {
  if (location._tag === 'File') {
    return { auditStore: openSqliteAuditStore({ store }), release: async () => {} };
  }
  const { url, schema } = location;
  const pool = new pg.Pool({ connectionString: url, max: 2, pipeline: true });
  // A client that loses its connection while nobody uses it is replaced by the next request.
  pool.on('error', () => {});
  return { auditStore: openPostgresAuditStore({ pool, schema }), release: () => pool.end() };
};

/** Opens the audit log beside the records of a location. */
export const openAudit = (location: DataLocation, store: OpenStore): OpenAudit => {
  const { auditStore, release } = openAuditStore(location, store);
  return {
    audit: createAuditLog({ store: auditStore }),
    close: async () => {
      await auditStore.close();
      await release();
    },
  };
};
