/**
 * A store for tests and demos.
 * You need it in the tests of your app.
 *
 * @module @clinical-records/store-memory
 */

export { createMemoryAuditStore } from './memory-audit-store.ts';
export { createMemoryStore } from './memory-store.ts';
