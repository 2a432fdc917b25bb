import { type Change, diffFacts } from '../model/diff.ts';
import { factsOf } from '../model/facts.ts';
import type {
  CareTeam,
  ChartType,
  Goal,
  Immunization,
  Provenance,
  ServiceRequest,
  Versioned,
} from '../model/resources.ts';
import type { Client } from './client.ts';

/** A version in a history: when it was written, by whom, and how it differs from the one before. */
export type HistoryVersion = {
  readonly number: string;
  readonly at: string;
  /** A reference such as `Practitioner/12`, or null if nobody was named. */
  readonly author: string | null;
  readonly changes: readonly Change[];
  readonly isFirst: boolean;
};

type ChartResource = (CareTeam | Goal | ServiceRequest | Immunization) & Versioned;

const authorOf = ({ agent }: Provenance): string | null =>
  agent.find(({ type }) => type?.coding?.[0]?.code === 'author')?.who.reference ?? null;

const versionOf = ({ target }: Provenance): string => target[0]?.reference.split('/_history/')[1] ?? '';

/** Reads who changed a resource, when and how, the newest version first. */
export const loadHistory = async (
  client: Client,
  { type, id }: { readonly type: ChartType; readonly id: string },
): Promise<readonly HistoryVersion[]> => {
  const [versions, provenances] = await Promise.all([
    client.history<ChartResource>(`${type}/${encodeURIComponent(id)}`),
    client.searchAll<Provenance>('Provenance', { target: `${type}/${id}` }),
  ]);
  const authors = new Map(provenances.map((one) => [versionOf(one), authorOf(one)]));
  return versions.map((version, index) => {
    const before = versions[index + 1];
    const number = version.meta?.versionId ?? '';
    return {
      ...{ number, at: version.meta?.lastUpdated ?? '', author: authors.get(number) ?? null },
      changes: diffFacts(before === undefined ? [] : factsOf(before), factsOf(version)),
      isFirst: before === undefined,
    };
  });
};
