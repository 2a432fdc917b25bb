import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { directoryRecordDefinitions } from '../directory/record-definitions.ts';
import { type ClinicalError, type Outcome, toClinicalError } from '../errors.ts';
import { createBufferedStore } from '../records/buffered-store.ts';
import { transact } from '../records/transact.ts';
import { lacksRequiredReference } from './find-missing-reference.ts';
import { isLast, sortByImportOrder } from './import-order.ts';
import { createRecordsToRead } from './records-to-read.ts';
import {
  type ImportContext,
  type ImportDecision,
  type ImportDefinition,
  type ImportDefinitions,
  type ImportOutcome,
  waitingDecision,
} from './resource-importer.ts';
import type { UnpackedResource } from './unpacker.ts';

/** A resource and the outcome of its import. */
export type ImportResult = readonly [UnpackedResource, E.Either<ClinicalError, ImportOutcome>];

/**
 * Every store takes a thousand changes and a thousand version checks in a commit. Only a team with many members adds more than
 * a hundred.
 */
const maxRecordsInCommit = 900;

const findFailure = (result: ImportResult[1]): ClinicalError | null =>
  E.isLeft(result) && result.left._tag === 'StoreFailure' ? result.left : null;

/** The results of a batch, and the failure of the store or the host that ended it. The resources before it are committed. */
type BatchOutcome = {
  readonly importResults: readonly ImportResult[];
  readonly failure: ClinicalError | null;
};

/** Whether this is the last pass over the resources of a load: see `ImportContext`. */
export type Pass = Pick<ImportContext, 'isLastPass'>;

/** How often a batch is decided as one; if others keep writing to its records, each resource is then committed by itself. */
const maxBatchAttempts = 3;

const directoryTypes: ReadonlySet<string> = new Set(Object.keys(directoryRecordDefinitions));

/** Imports a batch, in one commit if that can hold it. The results are in the order of the batch. */
export type BatchImporter = (batch: readonly UnpackedResource[], pass: Pass) => Outcome<BatchOutcome>;

export const createBatchImporter = (
  directory: DirectoryRecords,
  imports: ImportDefinitions,
  { createNotes = false }: Partial<Pick<ImportContext, 'createNotes'>> = {},
): BatchImporter => {
  const { store } = directory;
  const recordsToRead = createRecordsToRead(imports);
  const isLastType = (resource: UnpackedResource) => isLast(imports, resource);
  const buffer = createBufferedStore(store, (type) => directoryTypes.has(type));
  const bufferDirectory = directory.onStore(buffer.store);
  const isFull = () => buffer.size() >= maxRecordsInCommit;

  const lookUp = async (
    { type, content }: UnpackedResource,
    context: ImportContext,
  ): Outcome<ImportDecision> => {
    // The types of the resources of a load are those of its imports.
    const definition = imports.get(type) as ImportDefinition;
    if (!context.isLastPass) {
      const lacks = await lacksRequiredReference(content, definition, context.directory);
      if (E.isLeft(lacks)) return lacks;
      if (lacks.right) return E.right(async () => E.right(waitingDecision));
    }
    return definition.importResource(content, context);
  };

  /** Decides as many resources on the buffered store, one after the other, as its commit can hold. */
  const decideSome = async (
    resources: readonly UnpackedResource[],
    { isLastPass }: Pass,
  ): Promise<BatchOutcome> => {
    const context: ImportContext = { directory: bufferDirectory, isLastPass, createNotes };
    const importResults: ImportResult[] = [];
    /** The failure that ends the batch, if there is one. */
    const decide = async (resource: UnpackedResource, found: E.Either<ClinicalError, ImportDecision>) => {
      const result = E.isLeft(found) ? found : await transact(buffer.store)(found.right);
      const failure = findFailure(result);
      if (failure === null) importResults.push([resource, result]);
      return failure;
    };

    for (const resource of resources) {
      if (isLastType(resource)) break;
      if (isFull()) return { importResults, failure: null };
      const failure = await decide(resource, await lookUp(resource, context));
      if (failure !== null) return { importResults, failure };
    }
    // The last ones may be dated when they are decided, as teams are, so no slow operation may come between the decision and
    // the commit.
    const found: (readonly [UnpackedResource, E.Either<ClinicalError, ImportDecision>])[] = [];
    for (const last of resources.filter(isLastType)) found.push([last, await lookUp(last, context)]);
    for (const [last, looked] of found) {
      if (isFull()) break;
      const failure = await decide(last, looked);
      if (failure !== null) return { importResults, failure };
    }
    return { importResults, failure: null };
  };

  /** Commits each resource by itself. */
  const importEach = async (
    resources: readonly UnpackedResource[],
    { isLastPass }: Pass,
  ): Promise<BatchOutcome> => {
    const importResults: ImportResult[] = [];
    for (const resource of resources) {
      const result = await transact(store)(async () => {
        const found = await lookUp(resource, { directory, isLastPass, createNotes });
        return E.isLeft(found) ? found : found.right();
      });
      const failure = findFailure(result);
      if (failure !== null) return { importResults, failure };
      importResults.push([resource, result]);
    }
    return { importResults, failure: null };
  };

  const importSome = async (resources: readonly UnpackedResource[], pass: Pass): Outcome<BatchOutcome> => {
    let attempts = 0;
    const some = await transact(store)(async () => {
      attempts += 1;
      if (attempts > 1) buffer.discard();
      // Each resource commits itself, so this transaction writes nothing.
      if (attempts > maxBatchAttempts)
        return E.right({ changes: [], result: await importEach(resources, pass) });
      const read = await buffer.readAhead(recordsToRead(resources));
      if (E.isLeft(read)) return E.left(toClinicalError(read.left));
      const outcome = await decideSome(resources, pass);
      return E.right({ ...buffer.toCommit(), result: outcome });
    });
    if (E.isRight(some)) buffer.afterCommit();
    else buffer.discard();
    return some;
  };

  return async (batch, pass) => {
    const resources = sortByImportOrder(imports, batch);
    const results = new Map<UnpackedResource, ImportResult[1]>();
    let failure: ClinicalError | null = null;
    while (failure === null && results.size < resources.length) {
      const some = await importSome(resources.slice(results.size), pass);
      if (E.isLeft(some)) return some;
      for (const [resource, result] of some.right.importResults) results.set(resource, result);
      failure = some.right.failure;
    }
    const importResults = batch.flatMap((resource): readonly ImportResult[] => {
      const result = results.get(resource);
      return result === undefined ? [] : [[resource, result]];
    });
    return E.right({ importResults, failure });
  };
};
