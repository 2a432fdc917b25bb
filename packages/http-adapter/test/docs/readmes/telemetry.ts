// #region telemetry
import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  ConsoleMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BatchSpanProcessor, ConsoleSpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';

// In place of the console, use the exporters of your system, such as those of OTLP.
export const traces = new TracerProvider({
  spanProcessors: [new BatchSpanProcessor({ exporter: new ConsoleSpanExporter() })],
});
export const meters = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: new ConsoleMetricExporter() })],
});

trace.setGlobalTracerProvider(traces);
metrics.setGlobalMeterProvider(meters);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
// #endregion
