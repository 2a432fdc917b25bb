import * as z from 'zod';
import {
  type MemberType,
  memberTypes,
  type ParticipantStatus,
  participantStatuses,
} from '../directory/model.ts';
import { outputConcept } from '../fhir/coding.ts';
import { type CommonElements, outputCommonElements } from '../fhir/common-elements.ts';
import { outputNamedReference, parseReference } from '../fhir/reference.ts';
import { named, type SchemaOutput, schemaForBase } from '../fhir/schema.ts';

/** A reference to somebody who can take part in a care team. */
export type MemberReference = `${MemberType}/${string}`;

/** Somebody who can take part in a care team. */
export type Member = {
  readonly type: MemberType;
  readonly id: string;
};

/** A member with the name that the directory has. */
export type NamedMember = Member & {
  readonly display: string;
};

const roleSchema = z.object({
  /** The URI of the code system. */
  system: z.string(),
  /** The code, as the system writes it. */
  code: z.string(),
  /** The role in words. */
  display: z.string(),
});

/** A role as it is configured: it always has a display. */
export interface CareTeamRole extends SchemaOutput<typeof roleSchema> {}

/** A member of a team, in the one status that it has there. */
export type Participant = {
  readonly member: NamedMember;
  /** Null only for organizations. */
  readonly role: CareTeamRole | null;
  readonly lead: boolean;
  readonly status: ParticipantStatus;
  /** When its status, role or lead last changed, in milliseconds since 1970 in UTC. */
  readonly changedAt: number;
  /** Set if an import made the participant, and the clinic has not changed it since. */
  readonly isImported?: true;
};

/** The care team of a patient: all its participants, in whatever status. */
export type CareTeamState = {
  readonly patient: {
    readonly id: string;
    readonly lastName: string;
    /** The first name; absent or empty if there is none. */
    readonly firstName?: string;
    /** Used only when the team has no participants. It is read from the directory: the stored value may be older. */
    readonly lastModified: number;
    /** The id of the patient into whom this one was merged, with the participants. There is then no team to read. */
    readonly replacedBy?: string;
  };
  /** The elements that resources of every type have. Each status shows them. */
  readonly common?: CommonElements | undefined;
  readonly participants: readonly Participant[];
};

/** The properties of a patient that a team keeps. The others are only in the directory. */
export const toTeamPatient = ({
  id,
  lastName,
  firstName,
  lastModified,
  replacedBy,
}: CareTeamState['patient']): CareTeamState['patient'] => ({
  id,
  lastName,
  ...(firstName !== undefined && { firstName }),
  lastModified,
  ...(replacedBy !== undefined && { replacedBy }),
});

/** The stored participants of one status other than active. */
export type TeamPart = CareTeamState & { readonly status: Exclude<ParticipantStatus, 'active'> };

/**
 * The active participants as they are kept, and what has to be known of the whole team without reading its other parts.
 * Every change of a team writes this record: its version is the version of the team.
 */
export type ActivePart = CareTeamState & {
  readonly status: 'active';
  /** When a participant, in whatever status, or a common element last changed, in milliseconds since 1970 in UTC; 0 where none ever did. */
  readonly changedAt: number;
  /** The other statuses in which the team has participants. */
  readonly otherStatuses: readonly TeamPart['status'][];
};

/** A care team is kept as a record for each status in which it ever had participants, and one for the active ones in any case. */
export type TeamRecord = ActivePart | TeamPart;

/** The extension that says whether a participant is the lead. */
export const leadUrl = (extensionBase: string): `${string}/careteam-lead` => `${extensionBase}/careteam-lead`;

const createLeadSchema = (extensionBase: string) =>
  z.object({
    /** The `extensionBase` of the host, and `/careteam-lead`. */
    url: z.literal(leadUrl(extensionBase)),
    /** Whether the practitioner leads the team. */
    valueBoolean: z.boolean(),
  });

/** The extension that says whether a practitioner leads a care team. */
export interface LeadExtension extends SchemaOutput<ReturnType<typeof createLeadSchema>> {}

const createParticipantSchema = (extensionBase: string) =>
  z.object({
    /** Whether a practitioner leads the team; absent for organizations. */
    extension: z
      .array(named<LeadExtension>(createLeadSchema(extensionBase)))
      .exactOptional()
      .describe('Whether a practitioner leads the team.'),
    /** The one role; absent only for organizations. */
    role: z
      .array(outputConcept(named<CareTeamRole>(roleSchema)))
      .exactOptional()
      .describe('Absent only for organizations.'),
    /** The practitioner or the organization. */
    member: outputNamedReference(...memberTypes),
  });

/** A participant of a care team. */
export interface CareTeamParticipant extends SchemaOutput<ReturnType<typeof createParticipantSchema>> {}

export const createCareTeamSchema = schemaForBase((extensionBase) =>
  z.object({
    resourceType: z.literal('CareTeam'),
    id: z
      .string()
      .describe("The patient's id; for participants who are not active, followed by `.<status>`."),
    ...outputCommonElements,
    /** The status of all the participants. */
    status: z.enum(participantStatuses),
    name: z.string().describe('`Care Team for <last name>, <first name>`.'),
    /** The patient. */
    subject: outputNamedReference('Patient'),
    participant: z
      .array(named<CareTeamParticipant>(createParticipantSchema(extensionBase)))
      .exactOptional()
      .describe('Absent where there is none: FHIR allows no empty array.'),
  }),
);

/** A care team: the participants of one status. Source: docs/http-interface.md#careteam. */
export interface CareTeam extends SchemaOutput<ReturnType<typeof createCareTeamSchema>> {}

export const isSameMember = (left: Member, right: Member): boolean =>
  left.type === right.type && left.id === right.id;

/** Whether two roles are the same, whatever their displays; none is the same as none. */
export const isSameRole = (left: CareTeamRole | null, right: CareTeamRole | null): boolean =>
  left?.system === right?.system && left?.code === right?.code;

/** The member that a reference names; null where it names nobody who can take part. */
export const parseMember = (reference: string): Member | null => {
  const parsed = parseReference(reference);
  const type = memberTypes.find((memberType) => memberType === parsed?.type);
  return parsed === null || type === undefined ? null : { type, id: parsed.id };
};
