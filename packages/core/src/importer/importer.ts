import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { type ClinicalError, storeFailure } from '../errors.ts';
import { pause } from '../records/pause.ts';
import type { Result, TasksOf } from '../result.ts';
import { createBatchBuffer } from './batch-buffer.ts';
import { createBatchImporter, type Pass, type ResourceImporters } from './batch-importer.ts';
import { sortByImportOrder } from './import-order.ts';
import { createReportBuilder, type ImportIssue, type ImportReport } from './import-report.ts';
import { createMemberFollower, type RenameMember } from './member-follower.ts';
import { createUnpacker, type UnpackedResource } from './unpacker.ts';

/**
 * The progress of a load: the resources read so far, those imported, and those that wait for others to which they refer.
 * Waiting resources are imported once everything is read.
 */
export type ImportProgress = { readonly read: number; readonly imported: number; readonly waiting: number };

/** Callbacks of a load. */
export type ImportOptions = {
  /** Called after each batch. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Called with each issue as it occurs; the report holds only the first thousand. */
  readonly onIssue?: (issue: ImportIssue) => void;
};

type ImportSource = AsyncIterable<unknown> | Iterable<unknown>;

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
  readonly load: (resources: ImportSource, options?: ImportOptions) => Result<ImportReport>;
};

/** Treats a text, or bytes, as one item, because they iterate over characters and numbers. */
const toItems = (resources: ImportSource): ImportSource =>
  typeof resources === 'string' || ArrayBuffer.isView(resources) ? [resources] : resources;

/** The load yields after this many resources. A store may never yield, and resources that are not imported do not call it. */
const resourcesPerTurn = 1_000;

/** Creates callbacks to the host. If one throws, the load ends, and none is called again. */
const createCallbacks = () => {
  let failure: ClinicalError | null = null;
  return {
    createCallback:
      <A>(call: (value: A) => void, rule: 'on-progress-failed' | 'on-issue-failed') =>
      (value: A): void => {
        if (failure !== null) return;
        try {
          call(value);
        } catch (cause) {
          failure = storeFailure(rule, cause);
        }
      },
    checkFailure: (): E.Either<ClinicalError, void> =>
      failure === null ? E.right(undefined) : E.left(failure),
  };
};

export const createImporter = (
  directory: DirectoryRecords,
  { importers, renameMember }: { readonly importers: ResourceImporters; readonly renameMember: RenameMember },
): TasksOf<Importer> => {
  const types = new Set(Object.keys(importers));
  return {
    load:
      (resources, { onProgress = () => {}, onIssue = () => {} } = {}) =>
      async () => {
        const callbacks = createCallbacks();
        const reportProgress = callbacks.createCallback(onProgress, 'on-progress-failed');
        const reportBuilder = createReportBuilder(callbacks.createCallback(onIssue, 'on-issue-failed'));
        const unpack = createUnpacker();
        const importBatch = createBatchImporter(directory, importers);
        const followMembers = createMemberFollower(renameMember);
        const buffer = createBatchBuffer<UnpackedResource>();
        let read = 0;
        let deferred: UnpackedResource[] = [];
        /** How many resources wait for others. */
        let waiting = 0;

        /** Imports the buffered resources, and keeps those that have to wait. */
        const importBuffered = async (pass: Pass): Promise<E.Either<ClinicalError, void>> => {
          const batch = buffer.take();
          if (batch.length === 0) return callbacks.checkFailure();
          const done = await importBatch(batch, pass)();
          if (E.isLeft(done)) return done;
          const { importResults: imported, failure } = done.right;
          const followed = await followMembers(imported);
          if (E.isLeft(followed)) return followed;
          if (failure !== null) return E.left(failure);
          for (const [resource, result] of imported) {
            if (E.isRight(result)) {
              const { countedAs, issues } = result.right;
              if (countedAs === 'waiting') {
                deferred.push(resource);
                waiting += 1;
                continue;
              }
              if (countedAs !== null) reportBuilder.count(countedAs, resource.type);
              reportBuilder.addIssues(resource, countedAs ?? 'rejected', issues);
            } else reportBuilder.addIssues(resource, 'rejected', result.left.issues);
          }
          reportProgress({ read, imported: reportBuilder.countImported(), waiting });
          return callbacks.checkFailure();
        };

        /** Imports the waiting resources again, as long as that helps. */
        const importDeferred = async (): Promise<E.Either<ClinicalError, void>> => {
          for (let before = Number.POSITIVE_INFINITY; deferred.length > 0; ) {
            const again = sortByImportOrder(deferred);
            const isLastPass = again.length >= before;
            before = again.length;
            deferred = [];
            for (const [at, resource] of again.entries()) {
              const isFull = buffer.add(resource);
              waiting -= 1;
              if (!isFull && at < again.length - 1) continue;
              const imported = await importBuffered({ isLastPass });
              if (E.isLeft(imported)) return imported;
            }
          }
          return E.right(undefined);
        };

        /** An error that is thrown during the import of a batch does not come from the source. */
        let isImporting = false;
        try {
          let item = 0;
          for await (const sent of toItems(resources)) {
            item += 1;
            for (const found of unpack(sent, item)) {
              read += 1;
              if (read % resourcesPerTurn === 0) await pause();
              const isSupported = types.has(found.type);
              const isReported = isSupported || found.type === '' || found.type === 'Bundle';
              if (found.issue !== null && isReported)
                reportBuilder.addIssues(found, 'rejected', [found.issue]);
              else if (!isSupported) reportBuilder.count('unsupported', found.type);
              else if (buffer.add(found)) {
                isImporting = true;
                const imported = await importBuffered({ isLastPass: false });
                isImporting = false;
                if (E.isLeft(imported)) return imported;
              }
            }
            const called = callbacks.checkFailure();
            if (E.isLeft(called)) return called;
          }
        } catch (cause) {
          if (isImporting) throw cause;
          const imported = await importBuffered({ isLastPass: false });
          return E.isLeft(imported) ? imported : E.left(storeFailure('source-failed', cause));
        }
        const imported = await importBuffered({ isLastPass: false });
        if (E.isLeft(imported)) return imported;
        const settled = await importDeferred();
        return E.isLeft(settled) ? settled : E.right(reportBuilder.report());
      },
  };
};
