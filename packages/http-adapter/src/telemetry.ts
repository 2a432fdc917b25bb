/**
 * Traces and metrics of requests and of a store, with OpenTelemetry. Without a registered SDK, nothing is recorded.
 * You need it if you monitor with OpenTelemetry.
 *
 * @module @clinical-records/http-adapter/telemetry
 */

export {
  countRuleFailures,
  type InstrumentOptions,
  instrumentHandler,
  instrumentStore,
} from './telemetry/instrument.ts';
