import cluster from 'node:cluster';
import { once } from 'node:events';
import { endWithErrors } from '../command/command-error.ts';
import { createStopSignal } from '../command/stop-signal.ts';
import { useRecords } from '../open/use-records.ts';
import { serveSite } from '../serve/serve-site.ts';
import type { Site } from '../serve/site.ts';
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
