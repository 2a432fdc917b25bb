/**
 * A store for tests and demos.
 *
 * @module @clinical-records/store-memory
 */

export { createMemoryAuditStore } from './memory-audit-store.ts';
export { createMemoryStore } from './memory-store.ts';
