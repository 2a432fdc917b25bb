import * as E from 'fp-ts/lib/Either.js';
import { parseTeamId } from '../directory/team-id.ts';
import { type Outcome, toClinicalError } from '../errors.ts';
import type { FoundMatch } from '../records/find.ts';
import type { ClinicalStore } from '../store/port.ts';

const type = 'CareTeam';

/**
 * Gives each match the version of its team, which is that of the active part. Returns null if a part has changed since it
 * was found, because the match may then belong to an earlier version of the team.
 */
export const withTeamVersions = async (
  store: ClinicalStore,
  matches: readonly FoundMatch[],
): Outcome<readonly FoundMatch[] | null> => {
  const isPart = ({ id, version }: FoundMatch) => version !== null && parseTeamId(id).suffix !== null;
  const parts = matches.filter(isPart);
  if (parts.length === 0) return E.right(matches);
  const read = (ids: readonly string[]) => Promise.all(ids.map((id) => store.readResource({ type, id })));
  const teams = E.sequenceArray(await read(parts.map(({ id }) => parseTeamId(id).patientId)));
  // A part that is unchanged after its team was read was unchanged when its team was read.
  const after = E.sequenceArray(await read(parts.map(({ id }) => id)));
  if (E.isLeft(teams)) return E.left(toClinicalError(teams.left));
  if (E.isLeft(after)) return E.left(toClinicalError(after.left));
  if (parts.some(({ version }, at) => after.right[at]?.version !== version)) return E.right(null);
  const teamOf = new Map(parts.map((part, at) => [part, teams.right[at]]));
  return E.right(
    matches.map((match) => {
      const team = teamOf.get(match);
      return team == null ? match : { ...match, version: team.version, at: team.at };
    }),
  );
};
