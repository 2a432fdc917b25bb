import { once } from 'node:events';
import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import { backUpInto } from './back-up-into.ts';
import { hasDemoClinic } from './demo/demo-clinic.ts';
import { createDemoFile } from './demo/demo-file.ts';
import type { Flags } from './flags.ts';
import { greetingText } from './greeting.ts';
import { findSources } from './import/find-sources.ts';
import { importSources } from './import/import-sources.ts';
import { createIssueFile } from './import/issue-file.ts';
import { reportText } from './import/report-text.ts';
import { closeStore, openStore, startupErrorOf } from './open-store.ts';
import { serve } from './serve.ts';
import { createServerAccess } from './server-access.ts';
import { careTeamRoles, extensionBase } from './settings.ts';
import { verifyFile } from './verify.ts';
import { withWebsite } from './web/website.ts';

const onError = (cause: unknown) => console.error(new Date().toISOString(), cause);

/** Does what the flags ask for, and serves until the signal comes. Throws a `CommandError` if that fails. */
export const run = async (flags: Flags, signal: AbortSignal): Promise<void> => {
  if (flags.backup !== undefined) await backUpInto(flags.backup, flags.data);
  if (flags.verify) await verifyFile(flags.data, flags.head);
  if (flags.backup !== undefined || flags.verify) return;

  const { authenticate, printedToken } = createServerAccess(flags.tokens);
  const found = flags.import === undefined ? null : findSources(flags.import);
  if (!flags.empty) await createDemoFile(flags.data);
  const store = openStore(flags.data);
  try {
    const records = createClinicalRecords({ store, extensionBase, careTeamRoles });
    if (found !== null) {
      const issueFile = createIssueFile(`${flags.data}.import-problems.txt`);
      const { sources, skipped } = found;
      const report = await importSources(records, sources, {
        signal,
        screen: process.stderr,
        issueFile,
      });
      console.log(reportText(report, { passedOver: skipped, issueFile: issueFile.path }));
    }
    if (signal.aborted) return;

    const { basePath } = flags;
    const handler = createHttpHandler(records, { authenticate, basePath, onError });
    const hasDemo = await hasDemoClinic(records);
    const site = withWebsite(handler, { basePath, hasDemo, isTokenPrinted: printedToken !== null });
    const { origin, stop } = await serve(toNodeListener(site), flags.port);
    console.log(greetingText({ origin, basePath, token: printedToken, hasDemo }));
    if (!signal.aborted) await once(signal, 'abort');
    await stop();
  } catch (cause) {
    throw startupErrorOf(flags.data, cause);
  } finally {
    await closeStore(store);
  }
};
