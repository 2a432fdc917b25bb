import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';

// Loaded by `node --import`: serves the metrics of `--telemetry` for Prometheus at 127.0.0.1:9464/metrics.

/** A collector adds the unit to the name of a metric, and this exporter does not. */
const inSeconds = (instrumentName: string) => ({ instrumentName, name: `${instrumentName}.seconds` });

metrics.setGlobalMeterProvider(
  new MeterProvider({
    readers: [new PrometheusExporter({ host: '127.0.0.1', port: Number(process.env.METRICS_PORT ?? 9464) })],
    views: [inSeconds('clinical_records.request.duration'), inSeconds('clinical_records.store.duration')],
  }),
);
