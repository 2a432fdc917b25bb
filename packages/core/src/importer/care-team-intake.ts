import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { CareTeamContext } from '../care-team/care-teams.ts';
import { careTeamFromFhir, type ForeignParticipant, joined, type Newcomer } from '../care-team/from-fhir.ts';
import { displayOf } from '../care-team/names.ts';
import { careTeamReads } from '../care-team/reads.ts';
import { careTeamKind, teamChanges } from '../care-team/record.ts';
import { directoryKinds } from '../directory/kinds.ts';
import type { Result } from '../errors.ts';
import type { Environment } from '../records/environment.ts';
import { premiseOf } from '../records/record-kind.ts';
import { transact } from '../records/transact.ts';
import type { Premise } from '../store/port.ts';
import { type Intake, outcome } from './intake.ts';

type Named = { readonly newcomer: Newcomer; readonly premises: readonly Premise[] };

/** Takes the participants of another system's care teams into the one team that each patient has here. */
export const careTeamIntake = (environment: Environment, context: CareTeamContext): Intake => {
  const { directory, extensionBase, roles } = context;
  const { loadTeam } = careTeamReads(environment, context);
  const changes = teamChanges(careTeamKind(extensionBase));

  /** A participant with the name of the member, and that the name must still be the same. */
  const named = (participant: ForeignParticipant): Result<Named> => {
    const { member, element } = participant;
    if (member === null) return TE.right({ newcomer: { ...participant, display: null }, premises: [] });
    return pipe(
      directory.demanded(member.type, member.id, element),
      TE.map((loaded) => ({
        newcomer: { ...participant, display: displayOf(loaded.state) },
        premises: [premiseOf(directoryKinds[member.type], loaded)],
      })),
    );
  };

  return (resource) =>
    pipe(
      TE.fromEither(careTeamFromFhir(roles)(resource)),
      TE.flatMap(({ patientId, status, participants }) =>
        transact(environment.store)(() => {
          const at = environment.now();
          return pipe(
            TE.traverseArray(named)(participants),
            TE.bindTo('members'),
            TE.tap(() => directory.demanded('Patient', patientId, 'CareTeam.subject')),
            TE.bind('loaded', () => loadTeam(patientId)),
            TE.map(({ members, loaded }) => {
              const newcomers = members.map(({ newcomer }) => newcomer);
              const { team, faults } = joined(loaded.state, newcomers, { status, at });
              const made = changes(loaded, team, { at, by: null });
              return {
                changes: made,
                premises: members.flatMap(({ premises }) => premises),
                answer: outcome(made.length > 0, faults),
              };
            }),
          )();
        }),
      ),
    );
};
