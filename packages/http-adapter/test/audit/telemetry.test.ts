import { inTransaction, openSqliteStore } from '@clinical-records/store-sqlite';
import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { countRuleFailures, instrumentHandler, instrumentStore } from '../../src/telemetry.ts';
import { createHandler, createRecords, createSender } from '../clinic.ts';

const disable = () => {
  for (const api of [trace, metrics, context, propagation]) api.disable();
};

/** The SDK of OpenTelemetry, which keeps in memory what it would export. */
const registerSdk = () => {
  const spans = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }),
  );
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1_000_000 });
  const meters = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(meters);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return {
    spans: () => spans.getFinishedSpans(),
    /** The values of a metric, each with its attributes. */
    metric: async (name: string) => {
      await meters.forceFlush();
      const all =
        exporter
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap(({ metrics: some }) => some) ?? [];
      const points = all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? [];
      return points.map(({ attributes, value }) => ({
        attributes,
        value: typeof value === 'object' ? value.count : value,
      }));
    },
    shutdown: () => meters.shutdown(),
  };
};

let sdk: ReturnType<typeof registerSdk>;

beforeEach(() => {
  sdk = registerSdk();
});
afterEach(async () => {
  await sdk.shutdown();
  disable();
});

const statement = {
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '03' }] },
  patient: { reference: 'Patient/amy' },
  occurrenceDateTime: '2001',
  primarySource: false,
};

/** A clinic with the patient Amy, whose requests and store are recorded. */
const openRecorded = async (queues: Readonly<Record<string, () => number>> = {}) => {
  const store = instrumentStore(openSqliteStore({ filename: ':memory:' }), { queues });
  const records = createRecords(store);
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
  const handler = instrumentHandler(createHandler(records));
  return { store, records, handler, send: createSender(handler) };
};

test('a request is a span with its route, and its calls of the store are within it', async () => {
  const { send } = await openRecorded();
  await send('GET', '/CareTeam/amy');
  const request = sdk.spans().find(({ name }) => name === 'GET /fhir/CareTeam/{id}');
  expect(request).toMatchObject({
    kind: SpanKind.SERVER,
    attributes: {
      'http.request.method': 'GET',
      'http.route': '/fhir/CareTeam/{id}',
      'http.response.status_code': 200,
      'http.response.header.x-request-id': ['test'],
    },
  });
  const inside = sdk
    .spans()
    .filter(({ parentSpanContext: parent }) => parent?.spanId === request?.spanContext().spanId);
  expect(inside).toContainEqual(
    expect.objectContaining({
      name: expect.stringMatching(/^store read/),
      attributes: expect.objectContaining({ 'clinical_records.type': 'CareTeam' }),
    }),
  );
});

test('a request continues the trace of its client, or of the span in which it is handled', async () => {
  const { send, handler } = await openRecorded();
  const traceId = 'a'.repeat(32);
  await send('GET', '/Goal', { headers: { traceparent: `00-${traceId}-${'b'.repeat(16)}-01` } });
  expect(sdk.spans().at(-1)).toMatchObject({ name: 'GET /fhir/Goal', kind: SpanKind.SERVER });
  expect(sdk.spans().at(-1)?.spanContext().traceId).toBe(traceId);

  const outer = trace.getTracer('host').startSpan('host');
  await context.with(trace.setSpan(context.active(), outer), () => createSender(handler)('GET', '/Goal'));
  const last = sdk.spans().at(-1);
  expect(last).toMatchObject({ kind: SpanKind.INTERNAL });
  expect(last?.parentSpanContext?.spanId).toBe(outer.spanContext().spanId);
});

test('metrics count requests by route, commits, conflicts, and queues of the host', async () => {
  const { send, store } = await openRecorded({ pool: () => 7 });
  await send('GET', '/CareTeam/amy');
  await send('GET', '/CareTeam/amy', { token: 'expired' });
  expect(await sdk.metric('clinical_records.request.duration')).toEqual(
    [200, 401].map((status) => ({
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/fhir/CareTeam/{id}',
        'http.response.status_code': status,
      },
      value: 1,
    })),
  );
  const [before] = await sdk.metric('clinical_records.commits');
  await send('POST', '/Immunization', { body: statement, headers: { 'content-type': 'application/json' } });
  const stale = { type: 'Patient', id: 'amy', expects: { _tag: 'Absent' } } as const;
  expect(await store.commit({ changes: [], versionChecks: [stale] })).toMatchObject({
    left: { _tag: 'Conflict' },
  });
  const [after] = await sdk.metric('clinical_records.commits');
  expect(Number(after?.value) - Number(before?.value)).toBe(1);
  expect(await sdk.metric('clinical_records.conflicts')).toEqual([{ attributes: {}, value: 1 }]);
  expect(await sdk.metric('clinical_records.queue.length')).toEqual([
    { attributes: { queue: 'pool' }, value: 7 },
  ]);
  for (const { value } of await sdk.metric('clinical_records.store.calls')) expect(value).toBe(0);
});

test('a store that fails is an error in the span of its call, and of the request', async () => {
  const { send, store } = await openRecorded();
  await store.close();
  expect((await send('GET', '/CareTeam/amy')).status).toBe(503);
  const failed = sdk.spans().filter(({ status }) => status.code === SpanStatusCode.ERROR);
  expect(failed.map(({ name }) => name)).toEqual([
    expect.stringMatching(/^store read/),
    'GET /fhir/CareTeam/{id}',
  ]);
  expect(failed[0]?.attributes['error.type']).toBe('Closed');
});

test('nothing of a chart is in a name or an attribute', async () => {
  const { send } = await openRecorded();
  const json = { 'content-type': 'application/json' };
  await send('POST', '/Immunization', { body: statement, headers: json });
  await send('PUT', '/CareTeam/amy', { body: { id: 'amy' }, headers: json });
  await send('GET', '/Immunization?patient=amy');
  await send('GET', '/CareTeam/amy/_history');
  await send('AMY', '/Amy/amy');
  const recorded = JSON.stringify([
    sdk.spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status })),
    await sdk.metric('clinical_records.request.duration'),
    await sdk.metric('clinical_records.store.duration'),
  ]);
  expect(recorded).toContain('store search');
  expect(recorded).not.toMatch(/amy|shaw|Bearer|full/i);
});

test('a store that is recorded still joins a transaction of its host', async () => {
  const database = new Database(':memory:');
  const records = createRecords(instrumentStore(openSqliteStore({ database })));
  const failing = inTransaction(database, async (tx) => {
    await records.in(tx).directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect((await createSender(createHandler(records))('GET', '/CareTeam/amy')).status).toBe(404);
});

test('without an SDK, requests and the store work as they are', async () => {
  disable();
  const { send, records } = await openRecorded();
  expect((await send('GET', '/CareTeam/amy')).status).toBe(200);
  expect(await records.immunizations.search({ patient: 'amy' })).toMatchObject({ total: 0 });
  expect(sdk.spans()).toEqual([]);
});

test('rules of the host that fail are counted by type, and reported to the host', async () => {
  const broken = new Error('acme is down');
  const causes: Error[] = [];
  const records = createRecords(openSqliteStore({ filename: ':memory:' }), {
    rules: {
      Immunization: () => {
        throw broken;
      },
    },
    onRuleFailure: countRuleFailures(({ cause }) => causes.push(cause)),
  });
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  const send = createSender(createHandler(records));
  for (const _ of [1, 2]) await send('POST', '/Immunization', { body: statement });
  expect(await sdk.metric('clinical_records.rule.failures')).toEqual([
    { attributes: { 'clinical_records.type': 'Immunization' }, value: 2 },
  ]);
  expect(causes).toEqual([broken, broken]);
});
