import type {
  CareTeam,
  Goal,
  Immunization,
  Patient,
  PossibleMember,
  ServiceRequest,
  Versioned,
} from '../model/resources.ts';
import type { Client, Loaded } from './client.ts';
import { isStagedGoal, type StagedGoal, searchStaged } from './commands.ts';

/** Everything that the page of a patient shows. */
export type Chart = {
  readonly patient: Patient;
  readonly team: Loaded<CareTeam & Versioned>;
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
  const ofPatient = { patient: `Patient/${id}` };
  const [patient, team, parts, teamVersions, goals, staged, orders, immunizations] = await Promise.all([
    client.read<Patient>(`Patient/${encodeURIComponent(id)}`),
    client.read<CareTeam & Versioned>(`CareTeam/${encodeURIComponent(id)}`),
    client.searchAll<CareTeam>('CareTeam', ofPatient),
    client.history<CareTeam & Versioned>(`CareTeam/${encodeURIComponent(id)}`),
    client.searchAll<Goal & Versioned>('Goal', ofPatient),
    searchStaged(client, { patient: id }),
    client.searchAll<ServiceRequest & Versioned>('ServiceRequest', ofPatient),
    client.searchAll<Immunization & Versioned>('Immunization', ofPatient),
  ]);
  return {
    patient: patient.resource,
    team,
    otherParts: parts.filter(({ status }) => status !== 'active' && status !== 'inactive'),
    stagedGoals: staged.filter(isStagedGoal),
    ...{ teamVersions, goals, orders, immunizations },
  };
};

/** The practitioners and organizations who can be on a team. */
export const loadPossibleMembers = async (client: Client): Promise<readonly PossibleMember[]> => {
  const [practitioners, organizations] = await Promise.all([
    client.searchAll<PossibleMember>('Practitioner', {}),
    client.searchAll<PossibleMember>('Organization', {}),
  ]);
  return [...practitioners, ...organizations];
};
