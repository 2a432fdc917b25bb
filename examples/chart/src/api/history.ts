import { type Change, diffFacts } from '../model/diff.ts';
import { factsOf } from '../model/facts.ts';
import type { ChartResource, ChartType, Provenance, Versioned } from '../model/resources.ts';
import { type Client, listOf } from './client.ts';

/** A version in a history: when it was written, by whom, and how it differs from the one before. */
export type HistoryVersion = {
  readonly number: string;
  readonly at: string;
  /** A reference such as `Practitioner/12`, or null if nobody was named. */
  readonly author: string | null;
  /** Why a command was discarded or entered in error; empty if nobody said. */
  readonly reason: string;
  readonly changes: readonly Change[];
  readonly isFirst: boolean;
};

const authorOf = ({ agent }: Provenance): string | null =>
  agent.find(({ type }) => type?.coding?.[0]?.code === 'author')?.who.reference ?? null;

const versionOf = ({ target }: Provenance): string => target[0]?.reference.split('/_history/')[1] ?? '';

/** The statuses whose members the history of a team shows, too. Those who are inactive have only left. */
const otherStatuses = ['proposed', 'suspended', 'entered-in-error'];

/** The versions of the parts of a team that are not active. */
const loadParts = (client: Client, id: string) =>
  Promise.all(otherStatuses.map((status) => listOf(client.history('CareTeam', `${id}.${status}`))));

const timeOf = ({ meta }: Versioned): number => Date.parse(meta?.lastUpdated ?? '');

/** The facts of a version, with those of the parts as they were then. A change of any part is a version of the team. */
const factsAt = (
  version: ChartResource,
  parts: readonly (readonly ChartResource[])[],
): ReturnType<typeof factsOf> => [
  ...factsOf(version),
  ...parts.flatMap((newestFirst) => {
    const part = newestFirst.find((earlier) => timeOf(earlier) <= timeOf(version));
    return part === undefined ? [] : factsOf(part);
  }),
];

/** Reads who changed a resource, when and how, the newest version first. */
export const loadHistory = async (
  client: Client,
  { type, id }: { readonly type: ChartType; readonly id: string },
): Promise<readonly HistoryVersion[]> => {
  const [versions, provenances, parts] = await Promise.all([
    listOf<ChartResource>(client.history(type, id)),
    listOf(client.search('Provenance', { target: `${type}/${id}` })),
    type === 'CareTeam' ? loadParts(client, id) : [],
  ]);
  const byVersion = new Map(provenances.map((one) => [versionOf(one), one]));
  return versions.map((version, index) => {
    const before = versions[index + 1];
    const number = version.meta?.versionId ?? '';
    const provenance = byVersion.get(number);
    return {
      ...{ number, at: version.meta?.lastUpdated ?? '', author: provenance ? authorOf(provenance) : null },
      reason: provenance?.reason?.[0]?.text ?? '',
      changes: diffFacts(before === undefined ? [] : factsAt(before, parts), factsAt(version, parts)),
      isFirst: before === undefined,
    };
  });
};
