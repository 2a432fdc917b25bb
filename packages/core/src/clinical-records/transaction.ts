import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, misuse, storeFailure } from '../errors.ts';
import { type Door, runAsCallback, transactionCallback } from '../open-service.ts';
import { ClinicalRecordsError } from '../outcome.ts';
import { createTransactionStore } from '../records/transaction-store.ts';
import type { ClinicalStore, Commit, HostWrite } from '../store/port.ts';
import { createCallWatch } from '../store/transaction.ts';
import type { ClinicalRecords, TransactionRecords } from './clinical-records.ts';
import type { RecordFunctions } from './record-functions.ts';

const refusal = (sentence: string): ClinicalRecordsError => new ClinicalRecordsError(misuse(sentence));

/** The parts of the records that a transaction does not have. It has the services of all types. */
const outside: Readonly<Record<Exclude<keyof RecordFunctions, keyof TransactionRecords>, true>> = {
  corrections: true,
  importer: true,
  exporter: true,
  changes: true,
  feedEnd: true,
  describe: true,
  undefinedTypes: true,
  verify: true,
  copyTo: true,
  reindex: true,
  transaction: true,
  dryRun: true,
  in: true,
};

/** Refuses the functions of the records that a transaction does not have. Plain JavaScript may call them all the same. */
const refuseOutside = (name: string): ClinicalError | null =>
  (name.split('.', 1)[0] ?? '') in outside
    ? misuse(`${name} cannot be called on the tx of records.transaction. Call it on the records.`)
    : null;

/** Refuses a transaction on the records of one. */
export const refuseNested = (name: string): ClinicalError | null =>
  name === 'transaction' || name === 'dryRun'
    ? misuse('A transaction cannot begin within another. Call the records of the transaction themselves.')
    : null;

/** How often a callback runs in all, if records that it has read keep changing. */
const maxRuns = 5;

export type TransactionWork<Connection = unknown, A = unknown> = (
  tx: TransactionRecords<Connection>,
) => PromiseLike<A>;

/** How a callback is run. */
type Run = {
  /** Opens the records of a transaction. */
  readonly openRecords: (store: ClinicalStore, door: Door) => ClinicalRecords;
  /** Whether its calls are written at its end. */
  readonly isWritten: boolean;
};

/** Runs a callback on records that are written at its end, in one transaction of the database; or are not, in a dry run. */
export const runTransaction = async <Connection, A>(
  store: ClinicalStore<Connection>,
  { openRecords, isWritten }: Run,
  work: TransactionWork<Connection, A>,
): Promise<A> => {
  for (let run = 0; run < maxRuns; run += 1) {
    const transaction = createTransactionStore(store);
    const writes: HostWrite<Connection>[] = [];
    const calls = createCallWatch();
    const tells: (() => void)[] = [];
    const records = openRecords(transaction.store, {
      watch: calls.watch,
      refuse: refuseOutside,
      defer: (tell) => tells.push(tell),
    });
    let isOver = false;
    const write = (hostWrite: HostWrite<Connection>): void => {
      if (isOver) throw refusal('tx.write was called after the end of its transaction.');
      writes.push(hostWrite);
    };
    let result: A;
    let commits: readonly Commit[];
    try {
      result = await runAsCallback(store, transactionCallback, () => work(Object.assign(records, { write })));
      calls.requireEnded();
    } catch (cause) {
      if (await transaction.isStale()) continue;
      throw cause;
    } finally {
      isOver = true;
      commits = transaction.end();
    }
    if (!isWritten && (await transaction.isStale())) continue;
    const written = isWritten ? await store.commitAll(commits, writes) : E.right(undefined);
    if (E.isRight(written)) {
      for (const tell of tells) tell();
      return result;
    }
    if (written.left._tag !== 'Conflict') throw new ClinicalRecordsError(written.left);
  }
  throw new ClinicalRecordsError(storeFailure('too-contended', null));
};
