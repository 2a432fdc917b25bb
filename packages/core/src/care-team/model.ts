import type { Coding } from '../fhir/coding.ts';
import type { Reference } from '../fhir/reference.ts';

export const participantStatuses = [
  'proposed',
  'active',
  'suspended',
  'inactive',
  'entered-in-error',
] as const;

export type ParticipantStatus = (typeof participantStatuses)[number];

export type MemberType = 'Practitioner' | 'Organization';

/** A role as it is configured: it always has a display. */
export type CareTeamRole = Coding & { readonly display: string };

/** A member of a team, in the one status that it has there. */
export type Participant = {
  readonly member: { readonly type: MemberType; readonly id: string; readonly display: string };
  /** Null for organizations alone. */
  readonly role: CareTeamRole | null;
  readonly lead: boolean;
  readonly status: ParticipantStatus;
  /** When its status, role or lead last changed, in milliseconds since 1970 in UTC. */
  readonly changedAt: number;
};

/** The care team of a patient: every participant, whatever its status. */
export type Team = {
  readonly patient: {
    readonly id: string;
    readonly lastName: string;
    readonly firstName: string;
    readonly lastModified: number;
  };
  readonly participants: readonly Participant[];
};

/** Source: interface, "CareTeam". */
export type CareTeam = {
  readonly resourceType: 'CareTeam';
  readonly id: string;
  readonly status: ParticipantStatus;
  readonly name: string;
  readonly subject: Reference<'Patient'> & { readonly display: string };
  /** Absent where there is none: FHIR allows no empty array. */
  readonly participant?: readonly {
    readonly extension?: readonly { readonly url: string; readonly valueBoolean: boolean }[];
    readonly role?: readonly { readonly coding: readonly CareTeamRole[] }[];
    readonly member: Reference<MemberType> & { readonly display: string };
  }[];
};

export const isSameMember = (
  one: Participant['member'],
  other: { readonly type: string; readonly id: string },
): boolean => one.type === other.type && one.id === other.id;

export const isMemberType = (type: string): type is MemberType =>
  type === 'Practitioner' || type === 'Organization';
