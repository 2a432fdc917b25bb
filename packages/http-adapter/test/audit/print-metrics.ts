import { metrics } from '@opentelemetry/api';
import {
  ConsoleMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';

// Preloaded by `node --import`: prints the metrics of a process several times a second.
const interval = { exportIntervalMillis: 200, exportTimeoutMillis: 200 };
const reader = new PeriodicExportingMetricReader({ exporter: new ConsoleMetricExporter(), ...interval });
metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
