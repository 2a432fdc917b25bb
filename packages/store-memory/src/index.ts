/**
 * A store for tests and demos.
 *
 * @module @clinical-records/store-memory
 */

export { createMemoryStore } from './memory-store.ts';
