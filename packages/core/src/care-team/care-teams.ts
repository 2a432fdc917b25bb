import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import type { Environment } from '../environment.ts';
import { invalidRequest, notSupported, type Result } from '../errors.ts';
import { parseBody } from '../fhir/body.ts';
import { type WriteOptions, withinChart } from '../records/access.ts';
import type { JsonReads } from '../records/json-reads.ts';
import { meets, type Precondition } from '../records/precondition.ts';
import { type ResourceReads, resourceOf, resourceReads } from '../records/resource-reads.ts';
import type { ResourceVersion } from '../records/resource-version.ts';
import { lastModified } from './derive.ts';
import { careTeamFault } from './faults.ts';
import type { CareTeam } from './model.ts';
import { careTeamReads } from './reads.ts';
import { updateBody, updateOf } from './request.ts';
import { type CareTeamScreens, createScreens } from './screens.ts';
import { teamOf } from './team-changes.ts';
import { parseTeamId } from './team-id.ts';
import { createTeamRecords } from './team-records.ts';
import { decideUpdate, loadNames, statusesFor } from './update.ts';

/** How care teams are written through the interface: `A` is what a write answers. Source: interface, "CareTeam". */
export type CareTeamUpdates<A> = {
  /**
   * Makes the participants sent the active ones of a patient's team, and those no longer sent inactive. Where none is sent,
   * those who are proposed or suspended become inactive, too.
   * Errors: `InvalidRequest`, `NotSupported`, `NotFound`, `PreconditionFailed`, `RuleViolation`, `Forbidden`, `StoreFailure`.
   */
  readonly update: (id: string, body: unknown, options?: WriteOptions & Precondition) => Result<A>;
};

/** Care teams: read, updated through the interface, and changed from the host's own screens; `asJson` hands on texts. */
export type CareTeams = ResourceReads<CareTeam> &
  CareTeamUpdates<CareTeam> &
  CareTeamScreens & { readonly asJson: JsonReads & CareTeamUpdates<ResourceVersion> };

export const createCareTeams = (environment: Environment, directory: DirectoryRecords): CareTeams => {
  const { extensionBase, roles } = environment;
  const teams = createTeamRecords(environment, directory);
  const json = careTeamReads(environment, { directory, teams });
  const parse = parseBody(updateBody(extensionBase), 'CareTeam');

  const update: CareTeamUpdates<ResourceVersion>['update'] = (id, body, options = {}) => {
    const { by = null, handling = 'lenient' } = options;
    const { patientId, suffix } = parseTeamId(id);
    if (suffix !== null) return TE.left(notSupported(careTeamFault('status-suffix', 'CareTeam.id')));
    const parsed = parse(body, handling);
    if (E.isLeft(parsed)) return TE.left(parsed.left);
    const sent = updateOf(parsed.right);
    if (sent.id !== id) return TE.left(invalidRequest(careTeamFault('id-differs', 'CareTeam.id')));
    const allowed = withinChart(options)(patientId);
    if (E.isLeft(allowed)) return TE.left(allowed.left);
    const isMet = meets(options);
    return teams.change(id, {
      by,
      needed: statusesFor(sent.participants),
      decide: (loaded) =>
        pipe(
          TE.fromEither(
            isMet({ version: loaded.active.stored.version, lastModified: lastModified(loaded.active.state) }),
          ),
          TE.flatMap(() => loadNames(directory)(sent.participants)),
          TE.map(({ names, premises }) => ({
            premises,
            teamAt: (at) => decideUpdate(teamOf(loaded), sent, { names, roles, at }),
          })),
        ),
    });
  };

  return {
    ...resourceReads<CareTeam>(json),
    ...createScreens(teams, { directory, roles }),
    update: (id, body, options) => pipe(update(id, body, options), TE.map(resourceOf<CareTeam>)),
    asJson: { ...json, update },
  };
};
