import { diffFacts } from '../model/history/diff.ts';
import { factsOf } from '../model/history/facts.ts';
import type { ChartResource, ChartType, ResourceVersion } from '../model/resources.ts';
import type { Client } from './client.ts';
import { loadHistory } from './history.ts';

/** Reads the current version of a resource, who wrote it, and how it differs from an earlier one. */
export const loadConflict = async <Resource extends ChartResource>(
  client: Client,
  { type, id }: { readonly type: ChartType; readonly id: string },
  earlier: Resource,
) => {
  const [current, versions] = await Promise.all([
    client.read(type, id) as Promise<Resource & ResourceVersion>,
    loadHistory(client, { type, id }),
  ]);
  return {
    current,
    author: versions[0]?.author ?? null,
    changes: diffFacts(factsOf(earlier), factsOf(current)),
  };
};
