import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, toClinicalError } from '../errors.ts';
import { ClinicalRecordsError } from '../outcome.ts';
import type { RecordDefinition } from '../records/definition.ts';
import { createFind, walkPages } from '../records/find.ts';
import {
  type Authorship,
  createChange,
  type JudgedStore,
  type LoadedRecord,
  load,
} from '../records/transact.ts';
import type { RecordChange, RecordRef, StoredRecord, StoreOutcome, VersionCheck } from '../store/port.ts';
import { recordKey } from '../store/record-key.ts';
import { exactVersion, noVersion } from '../store/versions.ts';
import type { RuleChart } from './host-rule.ts';

/** The text of a record as it is read; null if there is no resource to read. */
export type TextOf = (record: Pick<StoredRecord, 'id' | 'state' | 'resource'>) => string | null;

/**
 * The chart of which a rule has read all resources of a type. Whatever depends on such a rule writes a new version. So of two that do so
 * at the same moment, the second is decided again, and its rule sees what the first has written.
 */
type JudgedChart = { readonly id: string; readonly patientId: string };

export const judgedChartDefinition: RecordDefinition<JudgedChart> = {
  type: 'JudgedChart',
  id: ({ id }) => id,
  patientId: ({ patientId }) => patientId,
  derive: () => null,
  refersTo: () => [],
  withPatient: null,
};

/** Freezes a value and all of its parts, so that several rules can get it. */
const freeze = <A>(value: A): A => {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
};

/** Reads charts for the rules of one decision. */
export type ChartReader = {
  readonly chartOf: (patientId: string) => RuleChart;
  /** The error of the store that a read has met, if there is one. */
  readonly failure: () => ClinicalError | null;
  /** The version checks of what was read by its id. */
  readonly versionChecks: () => readonly VersionCheck[];
  /** The changes that order the writers of the charts whose resources were listed. */
  readonly changes: (authorship: Authorship) => readonly RecordChange[];
};

/** Creates a reader of charts on the store of a decision. It knows the types of `texts`. */
export const createChartReader = (
  store: JudgedStore,
  texts: Readonly<Record<string, TextOf>>,
): ChartReader => {
  let failure: ClinicalError | null = null;
  const versions = new Map<string, VersionCheck>();
  const judgedCharts = new Map<string, LoadedRecord<JudgedChart>>();
  const lists = new Map<string, Promise<readonly object[]>>();

  const orFail = <A>(read: E.Either<ClinicalError, A>): A => {
    if (E.isRight(read)) return read.right;
    failure = read.left;
    throw new ClinicalRecordsError(read.left);
  };
  const readRecord = async (ref: RecordRef): Promise<StoredRecord | null> =>
    orFail(E.mapLeft(toClinicalError)(await (store.read(ref) as StoreOutcome<StoredRecord | null>)));

  const parserOf = (type: string) => {
    if (!Object.hasOwn(texts, type))
      throw new TypeError(`A chart has no ${type}. It has ${Object.keys(texts).join(', ')}.`);
    return (record: Pick<StoredRecord, 'id' | 'state' | 'resource'>): object | null => {
      const text = texts[type]?.(record) ?? null;
      return text === null ? null : JSON.parse(text);
    };
  };

  /** Before a search, so that what is written after it is found out by the commit. */
  const noteListed = async (patientId: string): Promise<void> => {
    if (judgedCharts.has(patientId)) return;
    const chart = orFail(await load(store, judgedChartDefinition, patientId));
    if (!judgedCharts.has(patientId)) judgedCharts.set(patientId, chart);
  };

  const listChart = async (type: string, patientId: string): Promise<readonly object[]> => {
    const toResource = parserOf(type);
    await noteListed(patientId);
    const found = new Map<string, object>();
    const query = { type, conditions: [{ on: 'patient', anyOf: [patientId] }] } as const;
    try {
      for await (const { id, resource } of walkPages(createFind(store))(query, { offset: 0 }))
        found.set(id, toResource({ id, resource, state: '' }) as object);
    } catch (thrown) {
      if (thrown instanceof ClinicalRecordsError) failure = thrown.error;
      throw thrown;
    }
    // A search of a buffer does not show what it holds.
    for (const record of store.heldOf?.(type) ?? []) {
      const isInChart = record.patientId === patientId && record.resource !== null;
      const resource = isInChart ? toResource(record) : null;
      if (resource === null) found.delete(record.id);
      else found.set(record.id, resource);
    }
    return freeze([...found.values()]);
  };

  /** One list for all rules of a decision: a merge asks about each record of a chart. */
  const listOnce = (type: string, patientId: string): Promise<readonly object[]> => {
    const key = recordKey({ type, id: patientId });
    const list = lists.get(key) ?? listChart(type, patientId);
    lists.set(key, list);
    return list;
  };

  return {
    chartOf: (patientId) => ({
      all: (type) => listOnce(type, patientId),
      read: async (type, id) => {
        const toResource = parserOf(type);
        const record = await readRecord({ type, id });
        const expects = record === null ? noVersion : exactVersion(record.version);
        const key = recordKey({ type, id });
        if (!versions.has(key)) versions.set(key, { type, id, expects });
        return record?.patientId === patientId ? toResource(record) : null;
      },
    }),
    failure: () => failure,
    versionChecks: () => [...versions.values()],
    changes: (authorship) =>
      [...judgedCharts].map(([patientId, chart]) =>
        createChange(judgedChartDefinition, chart, { id: patientId, patientId }, authorship),
      ),
  };
};
