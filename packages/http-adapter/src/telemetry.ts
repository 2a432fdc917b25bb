/**
 * Traces and metrics of requests and of a store, by OpenTelemetry. Without a registered SDK, nothing is recorded.
 *
 * @module @clinical-records/http-adapter/telemetry
 */

export { instrumentHandler } from './telemetry/instrument-handler.ts';
export { type InstrumentOptions, instrumentStore } from './telemetry/instrument-store.ts';
