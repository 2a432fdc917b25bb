import type { ClinicalRecords } from './clinical-records.ts';
import { type EitherFunction, eitherOf, keepEither, mapFunctions } from './outcome.ts';
import type { Transaction } from './store/port.ts';

/** The same records, each of whose calls is passed to the transaction. */
export const watchCalls = (records: ClinicalRecords, { watch }: Transaction): ClinicalRecords =>
  mapFunctions(records, (call, name) => {
    const run = eitherOf(call);
    if (run === undefined) return call;
    const watched =
      (begin: (...sent: readonly never[]) => Promise<unknown>) =>
      (...sent: readonly never[]) => {
        const begun = begin(...sent);
        watch(begun, name);
        return begun;
      };
    return keepEither(watched(call as EitherFunction), watched(run) as EitherFunction);
  }) as ClinicalRecords;
