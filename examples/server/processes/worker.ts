import cluster from 'node:cluster';
import { once } from 'node:events';
import { endWithErrors } from '../command-error.ts';
import { serveSite } from '../serve-site.ts';
import type { Site } from '../site.ts';
import { createStopSignal } from '../stop-signal.ts';
import { useRecords } from '../use-records.ts';
import type { WorkerMessage } from './run-worker.ts';

// One of several processes that serve a site. The primary process sends it the site.

const tell = (message: WorkerMessage) => process.send?.(message);

const signal = createStopSignal();
await endWithErrors(async () => {
  const message = once(process, 'message');
  tell('started');
  const [site] = (await message) as [Site];
  await useRecords(
    site.data,
    (_, store, auditLog) =>
      serveSite({ store, auditLog }, site, { signal, onListening: () => tell('listening') }),
    { hasAudit: site.audit },
  );
});
cluster.worker?.disconnect();
