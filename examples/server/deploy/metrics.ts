import { createServer } from 'node:http';
import { metrics } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { MeterProvider } from '@opentelemetry/sdk-metrics';

// Loaded by `node --import`: serves the metrics of `--telemetry` for Prometheus at 127.0.0.1:9464/metrics.

const exporter = new PrometheusExporter({ preventServerStart: true });

/** A collector adds the unit to the name of a metric, and this exporter does not. */
const inSeconds = (instrumentName: string) => ({ instrumentName, name: `${instrumentName}.seconds` });

metrics.setGlobalMeterProvider(
  new MeterProvider({
    readers: [exporter],
    views: [inSeconds('clinical_records.request.duration'), inSeconds('clinical_records.store.duration')],
  }),
);

// Neither the server nor the connection of Prometheus keeps a process running that has stopped.
createServer((request, response) => exporter.getMetricsRequestHandler(request, response))
  .on('connection', (socket) => socket.unref())
  .on('error', ({ message }) => console.error(`The metrics are not served: ${message}`))
  .listen(Number(process.env.METRICS_PORT ?? 9464), '127.0.0.1')
  .unref();
