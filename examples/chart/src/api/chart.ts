import type {
  CareTeam,
  Goal,
  Immunization,
  Patient,
  PossibleMember,
  ServiceRequest,
  Versioned,
} from '../model/resources.ts';
import { type Client, listOf } from './client.ts';
import { isStagedGoal, type StagedGoal, searchStaged } from './commands.ts';

/** Everything that the page of a patient shows. */
export type Chart = {
  readonly patient: Patient;
  readonly team: CareTeam & Versioned;
  /** The parts of the team in other statuses, such as who is proposed. */
  readonly otherParts: readonly CareTeam[];
  /** The versions of the team, the newest first. */
  readonly teamVersions: readonly (CareTeam & Versioned)[];
  readonly goals: readonly (Goal & Versioned)[];
  /** The staged goals of all authors. */
  readonly stagedGoals: readonly StagedGoal[];
  readonly orders: readonly (ServiceRequest & Versioned)[];
  readonly immunizations: readonly (Immunization & Versioned)[];
};

/** Reads a patient's chart, all of its parts at the same time. */
export const loadChart = async (client: Client, id: string): Promise<Chart> => {
  const ofPatient = { patient: `Patient/${id}` } as const;
  const [patient, team, parts, teamVersions, goals, staged, orders, immunizations] = await Promise.all([
    client.read('Patient', id),
    client.read('CareTeam', id),
    listOf(client.search('CareTeam', ofPatient)),
    listOf(client.history('CareTeam', id)),
    listOf(client.search('Goal', ofPatient)),
    searchStaged(client, { patient: id }),
    listOf(client.search('ServiceRequest', ofPatient)),
    listOf(client.search('Immunization', ofPatient)),
  ]);
  return {
    patient,
    team,
    otherParts: parts.filter(({ status }) => status !== 'active' && status !== 'inactive'),
    stagedGoals: staged.filter(isStagedGoal),
    ...{ teamVersions, goals, orders, immunizations },
  };
};

/** The practitioners and organizations who can be on a team. */
export const loadPossibleMembers = async (client: Client): Promise<readonly PossibleMember[]> => {
  const [practitioners, organizations] = await Promise.all([
    listOf(client.search('Practitioner', {})),
    listOf(client.search('Organization', {})),
  ]);
  return [...practitioners, ...organizations];
};
