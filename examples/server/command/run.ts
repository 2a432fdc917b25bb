import type { AnyClinicalRecords, ClinicOrganization, ImportReport } from '@clinical-records/core';
import type { Access } from '../access/access.ts';
import { createGrant } from '../access/grants.ts';
import { readTokens } from '../access/tokens-file.ts';
import { exportAudit } from '../audit/export-audit.ts';
import { verifyAudit } from '../audit/verify-audit.ts';
import { backUpInto } from '../backup/back-up-into.ts';
import { copyInto } from '../copy/copy-into.ts';
import { createDemo } from '../demo/create-demo.ts';
import { hasDemoClinic } from '../demo/demo-clinic.ts';
import { clinic, okafor } from '../demo/people.ts';
import { exportInto } from '../export/export-into.ts';
import { findSources } from '../import/find-sources.ts';
import { importSources } from '../import/import-sources.ts';
import { createIssueFile } from '../import/issue-file.ts';
import { reportText, totalOf } from '../import/report-text.ts';
import { isInMemory, isTenant } from '../open/data-location.ts';
import { createClinic } from '../open/open-database.ts';
import { updateIndex } from '../open/update-index.ts';
import { useRecords } from '../open/use-records.ts';
import { runWorkers } from '../processes/run-workers.ts';
import { greetingText } from '../serve/greeting.ts';
import { serveSite } from '../serve/serve-site.ts';
import { verify } from '../verify/verify.ts';
import { CommandError } from './command-error.ts';
import type { Flags } from './flags.ts';

const importInto = async (
  records: AnyClinicalRecords,
  { sources, skipped }: ReturnType<typeof findSources>,
  { data, importUpdates: updates }: Flags,
  signal: AbortSignal,
) => {
  const issueFile = createIssueFile(
    `${data._tag === 'File' ? data.filename : [data.schema, data.tenant].filter(Boolean).join('.')}.import-issues.txt`,
  );
  const report = await importSources(records, sources, {
    ...{ signal, screen: process.stderr, issueFile, updates },
  });
  console.log(reportText(report, { passedOver: skipped, issueFile: issueFile.path }));
  return report;
};

/** Throws a `CommandError` if an import had issues. */
const requireNoIssues = ({ issuesByRule }: ImportReport): void => {
  const issues = totalOf(issuesByRule);
  if (issues > 0)
    throw new CommandError(
      `the import is complete, with ${issues} ${issues === 1 ? 'issue' : 'issues'}`,
      'issues',
    );
};

/**
 * The organization that the clinic is: the one that is named, or that of the demo clinic; null if nobody says. Throws a
 * `CommandError` if it is not in the data, or if US Core needs one.
 */
const findOrganization = async (
  { directory }: AnyClinicalRecords,
  {
    organization: named,
    usCore,
    hasDemo,
  }: Pick<Flags, 'organization' | 'usCore'> & { readonly hasDemo: boolean },
): Promise<ClinicOrganization | null> => {
  const id = named ?? (hasDemo ? clinic : null);
  if (id === null) {
    if (!usCore) return null;
    throw new CommandError('--us-core needs --organization, the id of the organization that this clinic is');
  }
  const entry = await directory.read('Organization', id);
  if (entry === null) throw new CommandError(`--organization: there is no Organization/${id} in the data`);
  return { reference: `Organization/${id}`, display: entry.name };
};

/** Does what the flags ask for, and serves until the signal comes. Throws a `CommandError` if that fails. */
export const run = async (flags: Flags, signal: AbortSignal): Promise<void> => {
  const { data, processes, basePath } = flags;
  if (flags.backup !== undefined && data._tag === 'File') await backUpInto(flags.backup, data.filename);
  if (flags.verify) await verify(data, flags.head);
  if (flags.verifyAudit) await verifyAudit(data, flags.head);
  const terminal = { signal, write: (text: string) => process.stderr.write(text) };
  if (flags.export !== undefined) await exportInto(flags.export, data, terminal);
  const { backup, export: exportFolder, exportAudit: auditFile, copyFrom } = flags;
  if (auditFile !== undefined) await exportAudit(auditFile, data);
  if (flags.copyFrom !== undefined) await copyInto(data, flags.copyFrom, terminal);
  if (flags.verify || flags.verifyAudit) return;
  if ([backup, exportFolder, auditFile, copyFrom].some((flag) => flag !== undefined)) return;

  // A wrong file is reported before anything is written.
  if (flags.access?._tag === 'TokensFile') readTokens(flags.access.file);
  const found = flags.import === undefined ? null : findSources(flags.import);
  if (flags.createTenant && data._tag === 'Database' && data.tenant !== undefined)
    await createClinic(data, data.tenant);
  if (!flags.empty && !isInMemory(data) && !isTenant(data)) await createDemo(data);

  const bringUpToDate = async (records: AnyClinicalRecords) => {
    await updateIndex(records, (text) => process.stderr.write(text));
    return found === null ? null : importInto(records, found, flags, signal);
  };
  if (flags.importOnly) {
    const report = await useRecords(data, bringUpToDate);
    if (report !== null) requireNoIssues(report);
    return;
  }

  const prepare = async (records: AnyClinicalRecords) => {
    await bringUpToDate(records);
    const hasDemo = await hasDemoClinic(records);
    const subject = hasDemo ? `Practitioner/${okafor}` : 'Person/demo-user';
    const organization = await findOrganization(records, { ...flags, hasDemo });
    const access: Access = flags.access ?? { _tag: 'PrintedToken', grant: createGrant(subject) };
    return {
      site: { ...flags, access, hasDemo, organization, isPortShared: processes > 1 },
      serving: {
        signal,
        onListening: (origin: string) =>
          console.log(greetingText({ origin, basePath, access, hasDemo, usCore: flags.usCore })),
      },
    };
  };
  if (processes > 1) {
    // An audit that cannot be opened is reported once, and not by each process.
    const { site, serving } = await useRecords(data, prepare, { hasAudit: flags.audit });
    if (!signal.aborted) await runWorkers(site, { ...serving, count: processes });
  } else {
    await useRecords(
      data,
      async (records, store, auditLog) => {
        const { site, serving } = await prepare(records);
        if (!signal.aborted) await serveSite({ store, auditLog }, site, serving);
      },
      { hasAudit: flags.audit },
    );
  }
};
