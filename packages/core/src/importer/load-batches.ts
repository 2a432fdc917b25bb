import * as E from 'fp-ts/lib/Either.js';
import type { ClinicalError } from '../errors.ts';
import { createBatchBuffer } from './batch-buffer.ts';
import type { BatchImporter, ImportResult, Pass } from './batch-importer.ts';
import type { ImportCallbacks } from './import-callbacks.ts';
import type { ReportBuilder } from './import-report.ts';
import type { MemberFollower } from './member-follower.ts';
import type { UnpackedResource } from './unpacker.ts';

type Outcome = Promise<E.Either<ClinicalError, void>>;

/** The batches of one load. Every pass adds its resources to them. */
export type LoadBatches = {
  /** Adds a resource, and imports the batch if it is full. */
  readonly add: (resource: UnpackedResource, pass: Pass) => Outcome;
  /** Imports the last batch of a pass. */
  readonly importRest: (pass: Pass) => Outcome;
  /** The resources that wait for others to which they refer. */
  readonly waiting: ReadonlySet<UnpackedResource>;
};

/** Creates the batches of a load. After each batch, the members in it are renamed and the progress is reported. */
export const createLoadBatches = ({
  importBatch,
  followMembers,
  report,
  callbacks,
}: {
  readonly importBatch: BatchImporter;
  readonly followMembers: MemberFollower;
  readonly report: ReportBuilder;
  readonly callbacks: ImportCallbacks;
}): LoadBatches => {
  const buffer = createBatchBuffer<UnpackedResource>();
  const waiting = new Set<UnpackedResource>();

  const reportResult = ([resource, result]: ImportResult): void => {
    waiting.delete(resource);
    if (E.isLeft(result)) {
      report.addIssues(resource, 'rejected', result.left.issues);
      return;
    }
    const { countedAs, issues, lostElements = [] } = result.right;
    if (countedAs === 'waiting') {
      waiting.add(resource);
      return;
    }
    if (countedAs !== null) report.count(countedAs, resource.type);
    report.addIssues(resource, countedAs ?? 'rejected', issues);
    report.countLostElements(lostElements);
  };

  const importRest: LoadBatches['importRest'] = async (pass) => {
    const batch = buffer.take();
    if (batch.length === 0) return callbacks.checkFailure();
    const imported = await importBatch(batch, pass);
    if (E.isLeft(imported)) return imported;
    const { importResults, failure } = imported.right;
    const followed = await followMembers(importResults);
    if (E.isLeft(followed)) return followed;
    if (failure !== null) return E.left(failure);
    for (const result of importResults) reportResult(result);
    callbacks.onProgress(report.progress(waiting.size));
    return callbacks.checkFailure();
  };

  return {
    add: async (resource, pass) => (buffer.add(resource) ? importRest(pass) : E.right(undefined)),
    importRest,
    waiting,
  };
};
