/**
 * The tests that every store must pass.
 * You need it if you write a store.
 *
 * @module @clinical-records/store-contract
 */

export { type AuditStoreContractOptions, describeAuditStore } from './describe-audit-store.ts';
export { describeClinicalStore } from './describe-clinical-store.ts';
export type { SkippedTest, StoreContractOptions } from './options.ts';
