import { chartFunctions } from '../chart/chart.ts';
import { correctionFunctions } from '../corrections/corrections.ts';
import { directoryFunctions } from '../directory/directory.ts';
import { exporterFunctions } from '../exporter/exporter.ts';
import { anything, callback, type Form, text } from '../forms.ts';
import { importerFunctions } from '../importer/importer.ts';
import type { FunctionTable } from '../open-service.ts';
import { isStore } from '../options.ts';
import { provenanceFunctions } from '../provenance/provenances.ts';
import type { Resources } from '../resource-definition.ts';
import type { Services } from '../resources.ts';
import type { AnyClinicalRecords } from './clinical-records.ts';

/** Everything in the records that can be called. */
export type RecordFunctions = Omit<AnyClinicalRecords, 'resources' | 'bodies' | 'access'>;

/** The functions that need only a store. */
export type StoreFunctions = Omit<RecordFunctions, 'in' | 'transaction' | 'dryRun'>;

const has = (value: unknown, ...names: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && names.every((name) => name in value);

const hostTransaction: Form = {
  is: (value) => has(value, 'join', 'watch'),
  must: 'what fromKysely(trx), fromPg(client) or another function of that kind returns, or the tx of inTransaction',
};

const abortSignal: Form = { is: (value) => has(value, 'aborted'), must: 'an AbortSignal' };

const clinicalStore: Form = { is: isStore, must: 'a store, such as openSqliteStore() returns it' };

const functions: FunctionTable<Omit<RecordFunctions, keyof Services>> = {
  provenance: provenanceFunctions,
  chart: chartFunctions,
  directory: directoryFunctions,
  corrections: correctionFunctions,
  importer: importerFunctions,
  exporter: exporterFunctions,
  // Any other position than one of the feed is an `InvalidRequest`.
  changes: { kind: 'stream', takes: [], options: { since: anything } },
  feedEnd: { kind: 'read', takes: [] },
  describe: { kind: 'pure', takes: [] },
  undefinedTypes: { kind: 'read', takes: [] },
  verify: { kind: 'read', takes: [], options: { head: text } },
  copyTo: { kind: 'read', takes: [clinicalStore], options: { onProgress: callback, follow: abortSignal } },
  reindex: { kind: 'write', takes: [], options: { onProgress: callback } },
  transaction: { kind: 'write', takes: [callback] },
  // A write, so that neither a rule nor the callback of a transaction begins one.
  dryRun: { kind: 'write', takes: [callback] },
  in: { kind: 'pure', takes: [hostTransaction] },
};

/** The functions of the records, with those of the services of all types. */
export const createFunctionTable = (resources: Resources): FunctionTable<RecordFunctions> => ({
  ...functions,
  ...(Object.fromEntries(
    Array.from(resources.values(), ({ name, functions }) => [name, functions]),
  ) as FunctionTable<Services>),
});
