/**
 * Traces and metrics of requests and of a store, with OpenTelemetry. Without a registered SDK, nothing is recorded.
 *
 * @module @clinical-records/http-adapter/telemetry
 */

export {
  countRuleFailures,
  type InstrumentOptions,
  instrumentHandler,
  instrumentStore,
} from './telemetry/instrument.ts';
