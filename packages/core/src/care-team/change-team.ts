import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import type { Environment } from '../environment.ts';
import type { ClinicalError, Result } from '../errors.ts';
import type { Present } from '../records/load.ts';
import type { ResourceVersion } from '../records/resource-version.ts';
import { transact } from '../records/transact.ts';
import type { Premise } from '../store/port.ts';
import { modifiedAt } from './derive.ts';
import { careTeamKind, teamChanges } from './kind.ts';
import { loadTeam } from './load-team.ts';
import type { Team, TeamRecord } from './model.ts';
import { teamVersion } from './reads.ts';

/** What a team becomes, given the time of the change, and what that relies on. */
export type TeamChange = {
  readonly premises: readonly Premise[];
  readonly teamAt: (at: number) => E.Either<ClinicalError, Team>;
};

/** Writes what a patient's team becomes, and answers it: `lookUp` is given the team as it stands, once for each attempt. */
export type ChangeTeam = (
  patientId: string,
  by: string | null,
  lookUp: (loaded: Present<TeamRecord>) => Result<TeamChange>,
) => Result<ResourceVersion>;

export const changingTeam = (environment: Environment, directory: DirectoryRecords): ChangeTeam => {
  const { store, now, extensionBase } = environment;
  const load = loadTeam(environment, directory);
  const changes = teamChanges(careTeamKind(extensionBase));
  return (patientId, by, lookUp) =>
    transact(store)(async () => {
      const found = await load(patientId)();
      if (E.isLeft(found)) return found;
      const loaded = found.right;
      const change = await lookUp(loaded)();
      if (E.isLeft(change)) return change;
      const { premises, teamAt } = change.right;
      // Not before: a client may have read the team while the host was asked for a member.
      const at = modifiedAt(loaded, now());
      const team = teamAt(at);
      if (E.isLeft(team)) return team;
      const made = changes(loaded, team.right, { at, by });
      const [whole] = made;
      const stored = whole ? { ...whole, version: loaded.stored.version + 1 } : loaded.stored;
      const answer = teamVersion(extensionBase, { ...team.right, status: 'active' }, stored);
      return E.right({ changes: made, premises, answer });
    });
};
