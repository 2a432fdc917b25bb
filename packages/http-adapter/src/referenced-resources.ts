import {
  type AccessOptions,
  type ChartLimit,
  type ClinicalError,
  type ClinicalRecords,
  directoryResourceTypes,
  type ReadOptions,
  returnedResourcesIn,
} from '@clinical-records/core';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type HostResources, readHostResource } from './host-resources.ts';

/** Reads a resource of one type as JSON text. It rejects if the host fails. */
export type ReadReferenced = (
  id: string,
  options: ChartLimit & AccessOptions,
) => TE.TaskEither<ClinicalError, string>;

/** The reads of the resources to which charts refer, by their types. */
export type ReferencedResources = ReadonlyMap<string, ReadReferenced>;

/** The host serves its types. The directory serves the others, as far as it knows them. */
export const createReferencedResources = (
  { directory }: Pick<ClinicalRecords, 'directory'>,
  hostResources: HostResources = { types: [], read: () => null },
): ReferencedResources =>
  new Map<string, ReadReferenced>([
    ...directoryResourceTypes.map((type): [string, ReadReferenced] => [
      type,
      (id, options) => TE.map(JSON.stringify)(directory.readResource(type, id, options)),
    ]),
    ...hostResources.types.map((type): [string, ReadReferenced] => [
      type,
      (id, options) => async () => {
        const found = await readHostResource(hostResources, { type, id }, options);
        if (E.isRight(found)) {
          options.onReturn?.({ resources: returnedResourcesIn(found.right), searchedPatientIds: [] });
        }
        return found;
      },
    ]),
  ]);

/** The same reads for the resources that a search includes. */
export const createReadReferenced =
  (referenced: ReferencedResources): NonNullable<ReadOptions['readReferenced']> =>
  (type, id, limit) =>
    referenced.get(type)?.(id, limit) ?? TE.right(null);
