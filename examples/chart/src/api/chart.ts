import { RequestError } from '@clinical-records/client';
import { type Draft, draftsOf } from '../model/drafts.ts';
import type {
  Allergy,
  CareTeam,
  Goal,
  Immunization,
  Patient,
  PossibleMember,
  ResourceVersion,
  ServiceRequest,
} from '../model/resources.ts';
import { type Client, listOf, searchStaged } from './client.ts';

/** Everything that the page of a patient shows. */
export type Chart = {
  readonly patient: Patient;
  readonly team: CareTeam & ResourceVersion;
  /** The parts of the team in other statuses, such as who is proposed. */
  readonly otherParts: readonly CareTeam[];
  /** The part with those who left; undefined if nobody did. */
  readonly inactivePart: CareTeam | undefined;
  /** The versions of the team, the newest first. */
  readonly teamVersions: readonly (CareTeam & ResourceVersion)[];
  readonly goals: readonly (Goal & ResourceVersion)[];
  /** The drafts of all authors, and the proposals of software. */
  readonly drafts: readonly Draft[];
  readonly orders: readonly (ServiceRequest & ResourceVersion)[];
  readonly immunizations: readonly (Immunization & ResourceVersion)[];
  /** Null where this user may not see them; undefined if the server has none. */
  readonly allergies: readonly Allergy[] | null | undefined;
};

/** Whatever else fails is an error: without its allergies, a chart would look as if there were none. */
const searchAllergies = async (client: Client, patient: string): Promise<Chart['allergies']> => {
  try {
    return await listOf(client.search('AllergyIntolerance', { patient }));
  } catch (cause) {
    const status = cause instanceof RequestError ? cause.status : 0;
    if (status === 403) return null;
    if (status === 404) return undefined;
    throw cause;
  }
};

/** Reads a patient's chart, all of its parts at the same time. */
export const loadChart = async (client: Client, id: string): Promise<Chart> => {
  const ofPatient = { patient: `Patient/${id}` } as const;
  const [patient, team, parts, teamVersions, goals, staged, orders, immunizations, allergies] =
    await Promise.all([
      client.read('Patient', id),
      client.read('CareTeam', id),
      listOf(client.search('CareTeam', ofPatient)),
      listOf(client.history('CareTeam', id)),
      listOf(client.search('Goal', ofPatient)),
      searchStaged(client, { patient: id }),
      listOf(client.search('ServiceRequest', ofPatient)),
      listOf(client.search('Immunization', ofPatient)),
      searchAllergies(client, id),
    ]);
  return {
    patient,
    team,
    otherParts: parts.filter(({ status }) => status !== 'active' && status !== 'inactive'),
    inactivePart: parts.find(({ status }) => status === 'inactive'),
    drafts: draftsOf(staged, goals, orders),
    // A draft of an order is among the drafts.
    orders: orders.filter(({ status }) => status !== 'draft'),
    ...{ teamVersions, goals, immunizations, allergies },
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
