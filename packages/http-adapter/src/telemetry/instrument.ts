import type { RuleFailure } from '@clinical-records/core';
import type { ClinicalStore, StoreError, StoreOutcome } from '@clinical-records/core/store';
import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import packageJson from '../../package.json' with { type: 'json' };
import type { HttpHandler, HttpRequest } from '../http.ts';

/** The name and the version of what records here. */
const scope = [packageJson.name, packageJson.version] as const;

/** The bounds of a histogram of seconds. Source: OpenTelemetry, "Semantic conventions for HTTP metrics". */
const secondsHistogram = {
  unit: 's',
  advice: {
    explicitBucketBoundaries: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  },
};

const secondsSince = (began: number): number => (performance.now() - began) / 1000;

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
  ['Closed', 'NotWritable', 'Locked', 'Unavailable', 'OutcomeUnknown'].includes(_tag);

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

/** Creates the function that records a call of a store while it runs. */
const createRecord =
  ({ tracer, duration, calls }: ReturnType<typeof createInstruments>) =>
  <Result>(
    operation: string,
    attributes: Attributes,
    run: () => StoreOutcome<Result>,
  ): StoreOutcome<Result> =>
    tracer.startActiveSpan(`store ${operation}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
      const began = performance.now();
      const sharedAttributes: Record<string, string> = { 'db.operation.name': operation };
      calls.add(1, sharedAttributes);
      try {
        const result = await run().finally(() => calls.add(-1, sharedAttributes));
        if (result._tag === 'Left') {
          sharedAttributes['error.type'] = result.left._tag;
          if (isFailure(result.left)) span.setStatus({ code: SpanStatusCode.ERROR });
        }
        return result;
      } catch (cause) {
        // A statement of the host has failed.
        sharedAttributes['error.type'] = 'host';
        throw cause;
      } finally {
        span.setAttributes(sharedAttributes);
        span.end();
        duration.record(secondsSince(began), sharedAttributes);
      }
    });

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
  const instruments = createInstruments(options);
  const { commits, conflicts } = instruments;
  const record = createRecord(instruments);

  const { read, readResource, search, readVersion, history, changesSince, feedEnd, scan } = store;
  const { indexedParameters, commit, commitAll } = store;
  const functions: Omit<ClinicalStore, 'close' | 'begin'> = {
    read: (ref) => record('read', typeOf(ref), () => read.call(store, ref)),
    readResource: (ref) => record('readResource', typeOf(ref), () => readResource.call(store, ref)),
    search: (query) => record('search', typeOf(query), () => search.call(store, query)),
    readVersion: (ref) => record('readVersion', typeOf(ref), () => readVersion.call(store, ref)),
    history: (range) => record('history', typeOf(range), () => history.call(store, range)),
    changesSince: (range) => record('changesSince', {}, () => changesSince.call(store, range)),
    feedEnd: () => record('feedEnd', {}, () => feedEnd.call(store)),
    scan: (range) => record('scan', {}, () => scan.call(store, range)),
    indexedParameters: () => record('indexedParameters', {}, () => indexedParameters.call(store)),
    commit: async (sent) => {
      const size = { 'clinical_records.changes': sent.changes.length };
      const result = await record('commit', size, () => commit.call(store, sent));
      if (result._tag === 'Right') commits.add(1);
      else if (result.left._tag === 'Conflict') conflicts.add(1);
      return result;
    },
    commitAll: async (sent, writes) => {
      const size = { 'clinical_records.changes': sent.flatMap(({ changes }) => changes).length };
      const result = await record('commitAll', size, () => commitAll.call(store, sent, writes));
      if (result._tag === 'Right') commits.add(sent.length);
      else if (result.left._tag === 'Conflict') conflicts.add(1);
      return result;
    },
  };
  return Object.assign(store, functions);
};

/**
 * Returns an `onRuleFailure` that counts the rules of the host that fail (`clinical_records.rule.failures`), by the type of the resources
 * that they judge, and then calls that of the host. Register the SDK before.
 *
 * @example
 * const onRuleFailure = countRuleFailures(({ cause }) => console.error(cause));
 */
export const countRuleFailures = (
  onRuleFailure: (failure: RuleFailure) => void = () => {},
): ((failure: RuleFailure) => void) => {
  const failures = metrics.getMeter(...scope).createCounter('clinical_records.rule.failures', {
    description: 'Rules of the host that threw, took too long, or returned something else than issues.',
  });
  return (failure) => {
    failures.add(1, typeOf({ type: failure.resourceType }));
    return onRuleFailure(failure);
  };
};

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A client can make any method up. Source: OpenTelemetry, "Semantic conventions for HTTP spans". */
const knownMethodOf = ({ method }: HttpRequest): string => (methods.has(method) ? method : '_OTHER');

/**
 * The handler with a span for each request and a histogram of their durations (`clinical_records.request.duration`,
 * seconds). Both name the method, the route and the status, and the span also the request id: nothing of a chart. The span
 * continues the trace of the active span, or of the client's `traceparent`. Register the SDK before.
 *
 * @example
 * createServer(toNodeListener(instrumentHandler(handler))).listen(3000, '127.0.0.1');
 */
export const instrumentHandler = (handler: HttpHandler): HttpHandler => {
  const tracer = trace.getTracer(...scope);
  const duration = metrics.getMeter(...scope).createHistogram('clinical_records.request.duration', {
    ...secondsHistogram,
    description: 'The duration of requests.',
  });

  const handle: (request: HttpRequest) => ReturnType<HttpHandler> = (request) => {
    const began = performance.now();
    const method = knownMethodOf(request);
    const active = context.active();
    const isInside = trace.getSpan(active) !== undefined;
    const parent = isInside ? active : propagation.extract(active, request.headers);
    const kind = isInside ? SpanKind.INTERNAL : SpanKind.SERVER;
    return tracer.startActiveSpan(method, { kind }, parent, async (span) => {
      const sharedAttributes: Record<string, string | number> = { 'http.request.method': method };
      try {
        const response = await handler(request);
        const { status, route, headers } = response;
        sharedAttributes['http.response.status_code'] = status;
        if (route !== undefined) sharedAttributes['http.route'] = route;
        span.updateName(route === undefined ? method : `${method} ${route}`);
        span.setAttribute('http.response.header.x-request-id', [headers['x-request-id'] ?? '']);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        return response;
      } catch (cause) {
        // The client disconnected.
        sharedAttributes['error.type'] = 'aborted';
        throw cause;
      } finally {
        span.setAttributes(sharedAttributes);
        duration.record(secondsSince(began), sharedAttributes);
        span.end();
      }
    });
  };
  return Object.assign(handle, { bodyLimit: handler.bodyLimit });
};
