import * as E from 'fp-ts/lib/Either.js';
import { directoryRecordDefinitions } from '../directory/record-definitions.ts';
import type { ClinicalError, ClinicalTask } from '../errors.ts';
import { createBufferedStore } from '../records/buffered-store.ts';
import { transact } from '../records/transact.ts';
import type { ClinicalStore } from '../store/port.ts';
import { isCareTeam, sortByImportOrder } from './import-order.ts';
import type { ImportDecision, ImportOutcome, ResourceImporter } from './resource-importer.ts';
import type { UnpackedResource } from './unpacker.ts';

/** What takes in the resources of each type, on a given store. */
export type CreateImportersOn = (store: ClinicalStore) => Readonly<Record<string, ResourceImporter>>;

/** What became of a resource. */
export type ImportResult = readonly [UnpackedResource, E.Either<ClinicalError, ImportOutcome>];

/** Every store takes a thousand changes and a thousand premises in a commit; no resource adds a hundred to them, but a team's members. */
const maxRecordsInCommit = 900;

const findFailure = (result: ImportResult[1]): ClinicalError | null =>
  E.isLeft(result) && result.left._tag === 'StoreFailure' ? result.left : null;

/** What became of a batch, and what ended it, where the store or the host failed: what was decided before that is committed. */
type BatchOutcome = {
  readonly importResults: readonly ImportResult[];
  readonly failure: ClinicalError | null;
};

/** How often a batch is decided as one; if others keep writing to its records, each resource is then committed by itself. */
const maxBatchAttempts = 3;

const directoryTypes: ReadonlySet<string> = new Set(Object.keys(directoryRecordDefinitions));

/** Takes batches in, each in one commit if that can hold it. What became of each resource is returned in the order of the batch. */
export const createBatchImporter = (store: ClinicalStore, createImportersOn: CreateImportersOn) => {
  const buffer = createBufferedStore(store, (type) => directoryTypes.has(type));
  const bufferImporters = createImportersOn(buffer.store);
  const storeImporters = createImportersOn(store);
  const isFull = () => buffer.size() >= maxRecordsInCommit;

  /** Decides as many on the draft, one after the other, as its commit can hold. */
  const decideSome = async (
    resources: readonly UnpackedResource[],
    mayFollow: boolean,
  ): Promise<BatchOutcome> => {
    const importResults: ImportResult[] = [];
    const lookUp = (resource: UnpackedResource) =>
      (bufferImporters[resource.type] as ResourceImporter)(resource.content, mayFollow)();
    /** The failure that ends the batch, if there is one. */
    const decide = async (resource: UnpackedResource, found: E.Either<ClinicalError, ImportDecision>) => {
      const result = E.isLeft(found) ? found : await transact(buffer.store)(found.right)();
      const failure = findFailure(result);
      if (failure === null) importResults.push([resource, result]);
      return failure;
    };

    for (const resource of resources) {
      if (isCareTeam(resource)) break;
      if (isFull()) return { importResults, failure: null };
      const failure = await decide(resource, await lookUp(resource));
      if (failure !== null) return { importResults, failure };
    }
    // A team is dated when it is decided, and nothing that takes long may come between that and its commit.
    const found: (readonly [UnpackedResource, E.Either<ClinicalError, ImportDecision>])[] = [];
    for (const careTeam of resources.filter(isCareTeam)) found.push([careTeam, await lookUp(careTeam)]);
    for (const [careTeam, looked] of found) {
      if (isFull()) break;
      const failure = await decide(careTeam, looked);
      if (failure !== null) return { importResults, failure };
    }
    return { importResults, failure: null };
  };

  /** Takes each in by itself. */
  const importEach = async (
    resources: readonly UnpackedResource[],
    mayFollow: boolean,
  ): Promise<BatchOutcome> => {
    const importResults: ImportResult[] = [];
    for (const resource of resources) {
      const result = await transact(store)(async () => {
        const found = await (storeImporters[resource.type] as ResourceImporter)(
          resource.content,
          mayFollow,
        )();
        return E.isLeft(found) ? found : found.right();
      })();
      const failure = findFailure(result);
      if (failure !== null) return { importResults, failure };
      importResults.push([resource, result]);
    }
    return { importResults, failure: null };
  };

  const importSome =
    (resources: readonly UnpackedResource[], mayFollow: boolean): ClinicalTask<BatchOutcome> =>
    async () => {
      let attempts = 0;
      const some = await transact(store)(async () => {
        attempts += 1;
        if (attempts > 1) buffer.discard();
        // Each resource was committed as it was taken, and nothing is left.
        if (attempts > maxBatchAttempts)
          return E.right({ changes: [], result: await importEach(resources, mayFollow) });
        const outcome = await decideSome(resources, mayFollow);
        return E.right({ ...buffer.toCommit(), result: outcome });
      })();
      if (E.isRight(some)) buffer.afterCommit();
      else buffer.discard();
      return some;
    };

  return (batch: readonly UnpackedResource[], mayFollow: boolean): ClinicalTask<BatchOutcome> =>
    async () => {
      const resources = sortByImportOrder(batch);
      const results = new Map<UnpackedResource, ImportResult[1]>();
      let failure: ClinicalError | null = null;
      while (failure === null && results.size < resources.length) {
        const some = await importSome(resources.slice(results.size), mayFollow)();
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
