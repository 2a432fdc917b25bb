import { createAuditLog } from '@clinical-records/core';
import { openSqliteAuditStore, openSqliteStore } from '@clinical-records/store-sqlite';
import { serveOurs } from './serve-ours.ts';

const [filename = ''] = process.argv.slice(2);

const store = openSqliteStore({ filename });
const audit = createAuditLog({ store: openSqliteAuditStore({ store }) });
serveOurs(store, { onAccess: audit.onAccess });
