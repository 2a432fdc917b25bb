import { once } from 'node:events';
import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import { accessBy } from './access.ts';
import { backUpInto } from './backup-flag.ts';
import { hasDemoClinic } from './demo/demo-clinic.ts';
import { createDemoFile } from './demo/demo-file.ts';
import { withDocs } from './docs-page.ts';
import type { Flags } from './flags.ts';
import { greeting } from './greeting.ts';
import { importSources } from './import/import-sources.ts';
import { createProblemFile } from './import/problem-file.ts';
import { reportText } from './import/report.ts';
import { sourcesAt } from './import/sources.ts';
import { closeStore, openStore, whileStarting } from './open-store.ts';
import { serve } from './serve.ts';
import { careTeamRoles, extensionBase } from './settings.ts';
import { verifyFile } from './verify.ts';

const onError = (cause: unknown) => console.error(new Date().toISOString(), cause);

/** Does what the flags say, and serves until the signal comes. Throws a `Refusal` where that cannot be. */
export const run = async (flags: Flags, signal: AbortSignal): Promise<void> => {
  if (flags.backup !== undefined) await backUpInto(flags.backup, flags.data);
  if (flags.verify) await verifyFile(flags.data, flags.head);
  if (flags.backup !== undefined || flags.verify) return;

  const { authenticate, printed } = accessBy(flags.tokens);
  const found = flags.import === undefined ? null : sourcesAt(flags.import);
  if (!flags.empty) await createDemoFile(flags.data);
  const store = openStore(flags.data);
  try {
    const records = createClinicalRecords({ store, extensionBase, careTeamRoles });
    if (found !== null) {
      const problemFile = createProblemFile(`${flags.data}.import-problems.txt`);
      const { sources, passedOver } = found;
      const imported = await importSources(records, sources, { signal, screen: process.stderr, problemFile });
      console.log(reportText(imported, { passedOver, problemFile: problemFile.path }));
    }
    if (signal.aborted) return;

    const { basePath } = flags;
    const handler = createHttpHandler(records, { authenticate, basePath, onError });
    const { origin, stop } = await serve(toNodeListener(withDocs(handler, basePath)), flags.port);
    const hasDemo = await hasDemoClinic(records);
    console.log(greeting({ origin, basePath, token: printed, hasDemo }));
    if (!signal.aborted) await once(signal, 'abort');
    await stop();
  } catch (cause) {
    throw whileStarting(flags.data, cause);
  } finally {
    await closeStore(store);
  }
};
