import * as E from 'fp-ts/lib/Either.js';
import { modifiedAt } from '../care-team/derive.ts';
import { careTeamFault } from '../care-team/faults.ts';
import { careTeamFromFhir, type ForeignParticipant } from '../care-team/from-fhir.ts';
import { isSameMember, type Team } from '../care-team/model.ts';
import { displayOf } from '../care-team/names.ts';
import { joined, type Newcomer, statusesForNewcomers } from '../care-team/newcomers.ts';
import { teamOf } from '../care-team/team-changes.ts';
import { createTeamRecords } from '../care-team/team-records.ts';
import type { DirectoryRecords } from '../directory/directory.ts';
import { directoryKinds } from '../directory/kinds.ts';
import type { Environment } from '../environment.ts';
import type { Fault, Result } from '../errors.ts';
import { premiseOf } from '../records/change.ts';
import type { Premise } from '../store/port.ts';
import { importFault } from './faults.ts';
import { canDoWithout, type Intake, type Outcome } from './intake.ts';

/** Those who can join, that their names must still be the same, and what keeps the others out. */
type Known = {
  readonly newcomers: readonly Newcomer[];
  readonly premises: readonly Premise[];
  readonly faults: readonly Fault[];
};

/** What is told of those who are entered in error there, and are here in another status: they stay in it. */
const faultsOfRetracted = ({ participants }: Team, newcomers: readonly Newcomer[]): readonly Fault[] =>
  newcomers
    .filter(({ status }) => status === 'entered-in-error')
    .filter(({ member, status }) =>
      participants.some((one) => isSameMember(one.member, member) && one.status !== status),
    )
    .map(({ element }) => importFault('in-error-there', element));

const hasSomeOf = ({ participants }: Team, newcomers: readonly Newcomer[]): boolean =>
  newcomers.some(({ member }) => participants.some((one) => isSameMember(one.member, member)));

/** Takes the participants of another system's care teams into the one team that each patient has here. */
export const careTeamIntake = (environment: Environment, directory: DirectoryRecords): Intake => {
  const { now } = environment;
  const teams = createTeamRecords(environment, directory);
  const read = careTeamFromFhir(environment);

  /** The participants with the names of their members, as far as these are known. */
  const named =
    (participants: readonly ForeignParticipant[], mayFollow: boolean): Result<Known> =>
    async () => {
      const newcomers: Newcomer[] = [];
      const premises: Premise[] = [];
      const faults: Fault[] = [];
      for (const participant of participants) {
        const { member, element } = participant;
        if (member === null) {
          faults.push(careTeamFault('no-member', `${element}.member`));
          continue;
        }
        const loaded = await directory.demanded(member.type, member.id, element)();
        if (E.isRight(loaded)) {
          newcomers.push({ ...participant, member: { ...member, display: displayOf(loaded.right.state) } });
          premises.push(premiseOf(directoryKinds[member.type], loaded.right));
        } else if (canDoWithout(loaded.left, mayFollow)) faults.push(...loaded.left.faults);
        else return loaded;
      }
      return E.right({ newcomers, premises, faults });
    };

  return (resource, mayFollow) => async () => {
    const foreign = read(resource);
    if (E.isLeft(foreign)) return foreign;
    const {
      read: { patientId, participants },
      faults: inResource,
    } = foreign.right;
    const members = await named(participants, mayFollow)();
    if (E.isLeft(members)) return members;
    const patient = await directory.demanded('Patient', patientId, 'CareTeam.subject')();
    if (E.isLeft(patient)) return patient;
    const { newcomers, faults: keptOut } = members.right;
    // Of an empty team, the patient says when it was modified.
    const premises = [...members.right.premises, premiseOf(directoryKinds.Patient, patient.right)];

    return E.right(async () => {
      const loaded = await teams.load(patientId, statusesForNewcomers(newcomers))();
      if (E.isLeft(loaded)) return loaded;
      const before = teamOf(loaded.right);
      const at = modifiedAt(loaded.right.active, now());
      const { team, faults } = joined(before, newcomers, at);
      const changes = await teams.changes(loaded.right, team, { at, by: null })();
      if (E.isLeft(changes)) return changes;
      const found = [...inResource, ...keptOut, ...faultsOfRetracted(before, newcomers), ...faults];
      const answer: Outcome =
        changes.right.length > 0
          ? { countedAs: 'taken', faults: found }
          : hasSomeOf(before, newcomers)
            ? { countedAs: 'alreadyHere', faults: found }
            : { countedAs: null, faults: [...found, importFault('nobody-joins', 'CareTeam.participant')] };
      return E.right({
        changes: changes.right,
        premises: [...loaded.right.premises, ...premises],
        answer,
      });
    });
  };
};
