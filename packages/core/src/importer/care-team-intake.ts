import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { CareTeamContext } from '../care-team/care-teams.ts';
import { careTeamFromFhir, type ForeignParticipant, joined, type Newcomer } from '../care-team/from-fhir.ts';
import { displayOf } from '../care-team/names.ts';
import { careTeamReads } from '../care-team/reads.ts';
import { careTeamKind, teamChanges } from '../care-team/record.ts';
import type { ClinicalError } from '../errors.ts';
import type { Environment } from '../records/environment.ts';
import { transact } from '../records/transact.ts';
import { type Intake, outcome } from './intake.ts';

/** Takes the participants of another system's care teams into the one team that each patient has here. */
export const careTeamIntake = (environment: Environment, context: CareTeamContext): Intake => {
  const { directory, extensionBase, roles } = context;
  const { loadTeam } = careTeamReads(environment, context);
  const changes = teamChanges(careTeamKind(extensionBase));

  const named = (participant: ForeignParticipant): TE.TaskEither<ClinicalError, Newcomer> =>
    participant.member === null
      ? TE.right({ ...participant, display: null })
      : pipe(
          directory.demanded(participant.member.type, participant.member.id, participant.element),
          TE.map(({ state }) => ({ ...participant, display: displayOf(state) })),
        );

  return (resource) =>
    pipe(
      TE.fromEither(careTeamFromFhir(roles)(resource)),
      TE.bindTo('foreign'),
      TE.bind('newcomers', ({ foreign }) => TE.traverseArray(named)(foreign.participants)),
      TE.flatMap(({ foreign: { patientId, status }, newcomers }) =>
        transact(environment.store)(() => {
          const at = environment.now();
          return pipe(
            directory.demanded('Patient', patientId, 'CareTeam.subject'),
            TE.flatMap(() => loadTeam(patientId)),
            TE.map((loaded) => {
              const { team, faults } = joined(loaded.state, newcomers, { status, at });
              const made = changes(loaded, team, { at, by: null });
              return { changes: made, answer: outcome(made.length > 0, faults) };
            }),
          )();
        }),
      ),
    );
};
