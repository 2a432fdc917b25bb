import type { Environment } from '../environment.ts';
import type { EithersOf } from '../outcome.ts';
import type { IncludeTable } from './include.ts';
import { createJsonReads, type JsonReads } from './json-reads.ts';
import type { ResourceFacts } from './resource-facts.ts';
import { createResourceReads, type ResourceReads } from './resource-reads.ts';

/** A type of resource that is only read. */
export type ReadableResources<Resource, Search> = ResourceReads<Resource, Search> & {
  /** The same with JSON texts as results. */
  readonly asJson: JsonReads<Search>;
};

/** The reads of a type whose records are its resources. */
export const createReadableResources = <Resource>(
  environment: Environment,
  facts: ResourceFacts,
  includes: IncludeTable,
): EithersOf<ReadableResources<Resource, object>> => {
  const asJson = createJsonReads(environment, { facts, includes });
  return { ...createResourceReads<Resource>(asJson), asJson };
};
