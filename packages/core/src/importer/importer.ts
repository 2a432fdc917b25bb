import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { EithersOf } from '../outcome.ts';
import { createBatchImporter } from './batch-importer.ts';
import { guardCallbacks, type ImportOptions } from './import-callbacks.ts';
import { createReportBuilder, type ImportReport } from './import-report.ts';
import { type ImportSource, importSource } from './import-source.ts';
import { importWaiting } from './import-waiting.ts';
import { createLoadBatches } from './load-batches.ts';
import { createMemberFollower, type RenameMember } from './member-follower.ts';
import type { ImportDefinitions } from './resource-importer.ts';

/** Imports the resources of another system. */
export type Importer = {
  /**
   * Imports resources of another system into the directory and the chart. It accepts FHIR resources and Bundles in any order,
   * as objects or as JSON text. A single text is one item, and `ndjson` makes items of bytes. Ids and dates stay the same, and
   * so do codes for which there is an element. A resource that cannot be imported is reported, and the load continues.
   * Loading the same resources again changes nothing.
   * Errors: `StoreFailure`, if the store fails, the source of the resources fails (`source-failed`), `resolve` cannot answer
   * (`resolve-failed`), `onProgress` throws (`on-progress-failed`) or `onIssue` throws (`on-issue-failed`). Resources that
   * were imported before the failure stay.
   */
  readonly load: (resources: ImportSource, options?: ImportOptions) => Promise<ImportReport>;
};

export const createImporter = (
  directory: DirectoryRecords,
  { imports, renameMember }: { readonly imports: ImportDefinitions; readonly renameMember: RenameMember },
): EithersOf<Importer> => {
  const types = new Set(imports.keys());
  return {
    load: async (resources, options = {}) => {
      const callbacks = guardCallbacks(options);
      const report = createReportBuilder(callbacks.onIssue);
      const batches = createLoadBatches({
        importBatch: createBatchImporter(directory, imports, options),
        followMembers: createMemberFollower(renameMember),
        report,
        callbacks,
      });
      const read = await importSource(resources, { types, batches, report, callbacks });
      if (E.isLeft(read)) return read;
      const settled = await importWaiting(imports, batches);
      return E.isLeft(settled) ? settled : E.right(report.report());
    },
  };
};
