import type { ChartLimit, ClinicalRecords, ReadOptions } from '@clinical-records/core';
import {
  type AccessOptions,
  directoryResourceTypes,
  returnedResourcesIn,
} from '@clinical-records/core/adapter';
import type { Eithers, Outcome } from '@clinical-records/core/fp-ts';
import * as E from 'fp-ts/lib/Either.js';
import { type HostResources, noHostResources, readHostResource } from './host-resources.ts';

/** Reads a resource of one type as JSON text. It rejects if the host fails. */
export type ReadReferenced = (id: string, options: ChartLimit & AccessOptions) => Outcome<string>;

/** The reads of the resources to which charts refer, by their types. */
export type ReferencedResources = ReadonlyMap<string, ReadReferenced>;

/** The host serves its types. The directory serves the others, as far as it knows them. */
export const createReferencedResources = (
  { directory }: Eithers<Pick<ClinicalRecords, 'directory'>>,
  hostResources: HostResources = noHostResources,
): ReferencedResources =>
  new Map<string, ReadReferenced>([
    ...directoryResourceTypes.map((type): [string, ReadReferenced] => [
      type,
      async (id, options) => E.map(JSON.stringify)(await directory.readResource(type, id, options)),
    ]),
    ...hostResources.types.map((type): [string, ReadReferenced] => [
      type,
      async (id, options) => {
        const resource = await readHostResource(hostResources, { type, id }, options);
        if (E.isRight(resource)) {
          options.onReturn?.({ resources: returnedResourcesIn(resource.right), searchedPatientIds: [] });
        }
        return resource;
      },
    ]),
  ]);

/** The same reads for the resources that a search includes. */
export const createReadReferenced =
  (referenced: ReferencedResources): NonNullable<ReadOptions['readReferenced']> =>
  async (type, id, limit) =>
    referenced.get(type)?.(id, limit) ?? E.right(null);
