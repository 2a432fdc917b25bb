import * as E from 'fp-ts/lib/Either.js';
import type { ClinicalRecords, TransactionRecords } from './clinical-records.ts';
import { misuse, storeFailure } from './errors.ts';
import { requireFunction } from './options.ts';
import { ClinicalRecordsError, type EitherFunction, eitherOf, keepEither, mapFunctions } from './outcome.ts';
import { beginWrite, runAsCallback } from './records/transact.ts';
import { createTransactionStore } from './records/transaction-store.ts';
import type { ClinicalStore, Commit, HostWrite } from './store/port.ts';
import type { Transaction } from './store/transaction.ts';
import { createCallWatch } from './store/transaction.ts';

/** The same records, each of whose calls is passed to the transaction. */
export const watchCalls = (
  records: ClinicalRecords,
  { watch }: Pick<Transaction, 'watch'>,
): ClinicalRecords =>
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

const refusal = (sentence: string): ClinicalRecordsError => new ClinicalRecordsError(misuse(sentence));

/** Throws a `Misuse` for a transaction of a tool that is passed to `records.in` as it is. */
export const requireTransaction = (transaction: unknown): void =>
  requireFunction(
    transaction,
    'join',
    'records.in needs what fromKysely(trx), fromPg(client) or another function of that kind returns, or the tx of inTransaction.',
  );

export const refuseNested = async (): Promise<never> => {
  throw refusal('A transaction cannot begin within another. Call the records of the transaction themselves.');
};

/** The parts of the records that a transaction has. */
const withinTransaction: Readonly<Record<Exclude<keyof TransactionRecords, 'write'>, true>> = {
  serviceRequests: true,
  goals: true,
  careTeams: true,
  immunizations: true,
  resources: true,
  provenance: true,
  chart: true,
  directory: true,
};

/** The records of a transaction, whose other functions refuse to be called. Plain JavaScript may call them all the same. */
const limitToTransaction = (records: ClinicalRecords): Omit<TransactionRecords, 'write'> =>
  Object.fromEntries(
    Object.entries(records).map(([part, service]) => [
      part,
      part in withinTransaction || service === null
        ? service
        : Object.values(
            mapFunctions({ [part]: service }, (_, name) => () => {
              throw refusal(
                `${name} cannot be called on the tx of records.transaction. Call it on the records.`,
              );
            }),
          )[0],
    ]),
  ) as unknown as Omit<TransactionRecords, 'write'>;

/** How often a callback runs in all, if records that it has read keep changing. */
const maxRuns = 5;

/** Runs a callback on records that are written at its end, in one transaction of the database. */
export const runTransaction = async <Connection, A>(
  store: ClinicalStore<Connection>,
  createRecordsOn: (store: ClinicalStore) => ClinicalRecords,
  work: (tx: TransactionRecords<Connection>) => PromiseLike<A>,
): Promise<A> => {
  const begun = await beginWrite(store);
  if (begun !== null && E.isLeft(begun)) throw new ClinicalRecordsError(begun.left);
  for (let run = 0; run < maxRuns; run += 1) {
    const transaction = createTransactionStore(store);
    const writes: HostWrite<Connection>[] = [];
    const calls = createCallWatch();
    const records = limitToTransaction(watchCalls(createRecordsOn(transaction.store), calls));
    let isOver = false;
    const write = (hostWrite: HostWrite<Connection>): void => {
      if (isOver) throw refusal('tx.write was called after the end of its transaction.');
      writes.push(hostWrite);
    };
    let result: A;
    let commits: readonly Commit[];
    try {
      result = await runAsCallback(store, () => work({ ...records, write }));
      calls.requireEnded();
    } catch (cause) {
      if (await transaction.isStale()) continue;
      throw cause;
    } finally {
      isOver = true;
      commits = transaction.end();
    }
    const written = await store.commitAll(commits, writes);
    if (E.isRight(written)) return result;
    if (written.left._tag !== 'Conflict') throw new ClinicalRecordsError(written.left);
  }
  throw new ClinicalRecordsError(storeFailure('too-contended', null));
};
