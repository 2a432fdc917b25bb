/**
 * The tests that every store must pass.
 *
 * @module @clinical-records/store-contract
 */

export { type AuditStoreContractOptions, describeAuditStore } from './describe-audit-store.ts';
export { describeClinicalStore } from './describe-clinical-store.ts';
export type { SkippedTest, StoreContractOptions } from './options.ts';
