import { createAuditLog } from '@clinical-records/core';
import { listRemovedTenants, openRemovedAuditStore } from '@clinical-records/store-postgres';
import type pg from 'pg';

/** The logs of the removed tenants of a name, oldest first. The pool is one of the owner of the tables. */
export const openRemovedLogs = async (ownersPool: pg.Pool, name: string) => {
  const removed = await listRemovedTenants({ pool: ownersPool });
  return removed
    .filter((tenant) => tenant.name === name)
    .map(({ number }) => createAuditLog({ store: openRemovedAuditStore({ pool: ownersPool, number }) }));
};
