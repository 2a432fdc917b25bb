import { type HistoryVersion, toHistory } from '../model/history/history.ts';
import type { ChartResource, ChartType } from '../model/resources.ts';
import { type Client, listOf } from './client.ts';

/** The statuses whose members the history of a team shows, too. Those who are inactive have only left. */
const otherStatuses = ['proposed', 'suspended', 'entered-in-error'];

/** Reads who changed a resource, when and how, the newest version first. */
export const loadHistory = async (
  client: Client,
  { type, id }: { readonly type: ChartType; readonly id: string },
): Promise<readonly HistoryVersion[]> => {
  const partIds = type === 'CareTeam' ? otherStatuses.map((status) => `${id}.${status}`) : [];
  const [versions, provenances, parts] = await Promise.all([
    listOf<ChartResource>(client.history(type, id)),
    listOf(client.search('Provenance', { target: `${type}/${id}` })),
    Promise.all(partIds.map((partId) => listOf(client.history('CareTeam', partId)))),
  ]);
  return toHistory(versions, provenances, parts);
};
