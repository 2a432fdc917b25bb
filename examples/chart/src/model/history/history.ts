import type { ChartResource, Provenance, ResourceVersion } from '../resources.ts';
import { type Change, diffFacts } from './diff.ts';
import { factsOf } from './facts.ts';

/** A version in a history: when it was written, by whom, and how it differs from the one before. */
export type HistoryVersion = {
  readonly number: string;
  readonly at: string;
  /** A reference such as `Practitioner/12`, or null if nobody was named. */
  readonly author: string | null;
  /** The software that proposed it; empty if none did. */
  readonly proposedBy: string;
  /** Why a command was discarded or entered in error; empty if nobody said. */
  readonly reason: string;
  readonly changes: readonly Change[];
  readonly isFirst: boolean;
};

/** The one that has a part in a version, such as its author. */
const agentOf = ({ agent }: Provenance, part: string) =>
  agent.find(({ type }) => type?.coding?.[0]?.code === part)?.who;

const versionOf = ({ target }: Provenance): string => target[0]?.reference.split('/_history/')[1] ?? '';

const timeOf = ({ meta }: ResourceVersion): number => Date.parse(meta?.lastUpdated ?? '');

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

/** The versions of a resource with their authors and changes, the newest first. Parts are those of a team in other statuses. */
export const toHistory = (
  versions: readonly ChartResource[],
  provenances: readonly Provenance[],
  parts: readonly (readonly ChartResource[])[],
): readonly HistoryVersion[] => {
  const byVersion = new Map(provenances.map((one) => [versionOf(one), one]));
  return versions.map((version, index) => {
    const before = versions[index + 1];
    const number = version.meta?.versionId ?? '';
    const provenance = byVersion.get(number);
    const software = provenance && agentOf(provenance, 'assembler');
    return {
      ...{ number, at: version.meta?.lastUpdated ?? '' },
      author: (provenance && agentOf(provenance, 'author')?.reference) ?? null,
      proposedBy: software?.display ?? software?.reference ?? '',
      reason: provenance?.reason?.[0]?.text ?? '',
      changes: diffFacts(before === undefined ? [] : factsAt(before, parts), factsAt(version, parts)),
      isFirst: before === undefined,
    };
  });
};
