export { describeClinicalStore } from './describe-clinical-store.ts';
export type { StoreContractOptions } from './options.ts';
