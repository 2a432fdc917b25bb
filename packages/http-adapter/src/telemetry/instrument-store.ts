import type { ClinicalStore, StoreError, StoreOutcome } from '@clinical-records/core/store';
import { metrics, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { scope, secondsHistogram, secondsSince } from './scope.ts';

/** The options of a host for its store. */
export type InstrumentOptions = {
  /** The lengths of queues in front of the database, by the names of the queues, such as `{ pool: () => pool.waitingCount }`. */
  readonly queues?: Readonly<Record<string, () => number>>;
};

/** The attributes of a span or a metric. None is an id, or anything else of a chart. */
type Attributes = Readonly<Record<string, string | number>>;

const typeOf = ({ type }: { readonly type: string }): Attributes => ({ 'clinical_records.type': type });

/** The errors after which an operator has to look at the store. */
const isFailure = ({ _tag }: StoreError): boolean =>
  _tag === 'Locked' || _tag === 'Unavailable' || _tag === 'OutcomeUnknown';

const createInstruments = ({ queues = {} }: InstrumentOptions) => {
  const meter = metrics.getMeter(...scope);
  const lengths = meter.createObservableGauge('clinical_records.queue.length', {
    description: 'The length of a queue in front of the database.',
  });
  lengths.addCallback((result) => {
    for (const [queue, length] of Object.entries(queues)) result.observe(length(), { queue });
  });
  return {
    tracer: trace.getTracer(...scope),
    duration: meter.createHistogram('clinical_records.store.duration', {
      ...secondsHistogram,
      description: 'The duration of calls of the store.',
    }),
    calls: meter.createUpDownCounter('clinical_records.store.calls', {
      description: 'Calls of the store that have no result yet.',
    }),
    commits: meter.createCounter('clinical_records.commits', { description: 'Commits that were written.' }),
    conflicts: meter.createCounter('clinical_records.conflicts', {
      description:
        'Commits that were not written, because a record had changed. The library tries most of them again.',
    }),
  };
};

/**
 * Records each call of a store from now on: a span, its duration (`clinical_records.store.duration`, seconds), the calls
 * without a result (`clinical_records.store.calls`), and counts of commits and conflicts (`clinical_records.commits`,
 * `clinical_records.conflicts`). They name the operation, the type of the records and the error: nothing of a chart. The
 * functions of the store itself are replaced, so that it can still join a transaction of its host. Register the SDK before.
 *
 * @example
 * const store = instrumentStore(openSqliteStore({ filename: 'clinic.db' }));
 */
export const instrumentStore = <Store extends ClinicalStore>(
  store: Store,
  options: InstrumentOptions = {},
): Store => {
  const { tracer, duration, calls, commits, conflicts } = createInstruments(options);

  const record = <Result>(
    operation: string,
    attributes: Attributes,
    run: () => StoreOutcome<Result>,
  ): StoreOutcome<Result> =>
    tracer.startActiveSpan(`store ${operation}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      const began = performance.now();
      const known: Record<string, string> = { 'db.operation.name': operation };
      calls.add(1, known);
      const result = await run();
      calls.add(-1, known);
      if (result._tag === 'Left') {
        known['error.type'] = result.left._tag;
        if (isFailure(result.left)) span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.setAttributes(known);
      span.end();
      duration.record(secondsSince(began), known);
      return result;
    });

  const { read, readResource, search, commit, history, changesSince, feedEnd, scan } = store;
  const functions: Omit<ClinicalStore, 'close' | 'begin'> = {
    read: (ref) => record('read', typeOf(ref), () => read.call(store, ref)),
    readResource: (ref) => record('readResource', typeOf(ref), () => readResource.call(store, ref)),
    search: (query) => record('search', typeOf(query), () => search.call(store, query)),
    history: (ref) => record('history', typeOf(ref), () => history.call(store, ref)),
    changesSince: (range) => record('changesSince', {}, () => changesSince.call(store, range)),
    feedEnd: () => record('feedEnd', {}, () => feedEnd.call(store)),
    scan: (range) => record('scan', {}, () => scan.call(store, range)),
    commit: async (sent) => {
      const size = { 'clinical_records.changes': sent.changes.length };
      const result = await record('commit', size, () => commit.call(store, sent));
      if (result._tag === 'Right') commits.add(1);
      else if (result.left._tag === 'Conflict') conflicts.add(1);
      return result;
    },
  };
  return Object.assign(store, functions);
};
