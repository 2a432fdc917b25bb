import * as z from 'zod';
import { memberTypes, participantStatuses } from '../directory/model.ts';
import { codeableConcept, coding } from '../fhir/coding.ts';
import { type CommonElements, inputCommonElements, storeCommonElements } from '../fhir/common-elements.ts';
import { parseInterval, type TimeZone } from '../fhir/date-time.ts';
import {
  atMostOne,
  code,
  element,
  list,
  runDespiteIssues,
  text,
  unstoredResourceElements,
} from '../fhir/element.ts';
import type { BodyRule } from '../fhir/issues.ts';
import { readReferenceId, reference } from '../fhir/reference.ts';
import { named, type SchemaOutput, schemaForBase } from '../fhir/schema.ts';
import { type CareTeamRole, type LeadExtension, leadUrl, type Member } from './model.ts';
import { isAbsentRole } from './record.ts';

const practitionerSchema = z.object({
  member: z.object({ reference: z.string().startsWith('Practitioner/') }),
});

/** An empty array is as if it had been left out. */
const isPractitionerWithoutRole = (sent: { readonly role?: unknown }): boolean => {
  const { role = [] } = sent;
  return Array.isArray(role) && role.length === 0 && practitionerSchema.safeParse(sent).success;
};

const createSentParticipantSchema = (extensionBase: string) =>
  element(
    {
      extension: atMostOne(
        named<LeadExtension>(
          element({ url: z.literal(leadUrl(extensionBase)), valueBoolean: z.boolean() }, ['_valueBoolean']),
        ),
      )
        .optional()
        .describe(
          'True makes a practitioner the lead, false takes the lead away; left out, it stays as it is.',
        ),
      role: list(codeableConcept(named<CareTeamRole>(coding(text, code, text))))
        .optional()
        .describe('One configured role. Only organizations may omit it.'),
      /** The practitioner or the organization. */
      member: reference(...memberTypes),
    },
    ['onBehalfOf', 'period'],
  ).refine((sent) => !isPractitionerWithoutRole(sent), {
    path: ['role'],
    params: { rule: 'required' satisfies BodyRule },
    ...runDespiteIssues,
  });

/** A participant in the body that updates a care team. */
export interface CareTeamUpdateParticipant
  extends SchemaOutput<ReturnType<typeof createSentParticipantSchema>> {}

/** The elements of FHIR R4's CareTeam that are not stored. */
const unstoredElements = [
  ...unstoredResourceElements,
  'category',
  'encounter',
  'period',
  'reasonCode',
  'reasonReference',
  'managingOrganization',
  'telecom',
  'note',
  '_status',
  '_name',
];

const createExample = (extensionBase: string) => ({
  id: '7',
  participant: [
    {
      extension: [{ url: leadUrl(extensionBase), valueBoolean: true }],
      role: [{ coding: [{ system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' }] }],
      member: { reference: 'Practitioner/12' },
    },
  ],
});

/**
 * The body of a PUT. Status, name and displays are accepted without effect, so that a client can send back a team
 * that it has read. The other elements of FHIR R4 are not stored. Source: docs/http-interface.md#careteam.
 */
export const createUpdateBodySchema = schemaForBase((extensionBase) =>
  element(
    {
      resourceType: z.literal('CareTeam').optional(),
      meta: inputCommonElements.meta.describe(
        'The security labels and tags of the team. A list that is left out stays as it is.',
      ),
      identifier: inputCommonElements.identifier.describe(
        'The numbers by which other systems know the team. If they are left out, they stay as they are.',
      ),
      /** The patient's id, as in the path. */
      id: z
        .string()
        .min(1)
        .describe("The patient's id.")
        .meta({ examples: ['7'] }),
      status: z.enum(participantStatuses).optional().describe('Has no effect.'),
      name: text.optional().describe('Has no effect.'),
      subject: reference('Patient').optional().describe('The patient of the path.'),
      participant: list(named<CareTeamUpdateParticipant>(createSentParticipantSchema(extensionBase)))
        .optional()
        .describe(
          'The active participants from now on. Active participants who are left out become inactive. An empty list also makes proposed and suspended participants inactive.',
        ),
    },
    unstoredElements,
  ).meta({
    description: "Makes those who are sent the patient's active participants.",
    examples: [createExample(extensionBase)],
  }),
);

/** A participant as an update sends it: what counts of it. `lead` is undefined where nothing is said of it. */
export type SentParticipant = {
  readonly member: Member;
  readonly codings: readonly { readonly system: string; readonly code: string }[];
  readonly lead: boolean | undefined;
  /** Whether the sender says that the participant has left. */
  readonly hasEnded: boolean;
};

/** A requested update; `patientId` is the id of its subject, if it has one. */
export type CareTeamUpdate = {
  readonly id: string;
  readonly patientId: string | undefined;
  readonly common?: CommonElements | undefined;
  readonly participants: readonly SentParticipant[];
};

/** The body that updates a care team. Source: docs/http-interface.md#careteam. */
export interface CareTeamUpdateBody extends SchemaOutput<ReturnType<typeof createUpdateBodySchema>> {}

/** Whether a period ends before a time; a date ends with its day. Nothing else is asked of it, because it is not stored. */
const endsBefore = (
  period: unknown,
  { zone, now }: { readonly zone: TimeZone; readonly now: () => number },
): boolean => {
  const { end } = (period ?? {}) as { readonly end?: unknown };
  const interval = typeof end === 'string' ? parseInterval(end, zone) : null;
  return interval !== null && interval.until <= now();
};

const toSentParticipant = (
  { member: { reference: sent }, role = [], extension }: CareTeamUpdateParticipant,
  hasEnded: boolean,
): SentParticipant => ({
  member: {
    type: sent.startsWith('Practitioner/') ? 'Practitioner' : 'Organization',
    id: readReferenceId({ reference: sent }),
  },
  codings: role.flatMap((concept) => concept.coding.map(({ system, code }) => ({ system, code }))),
  lead: extension?.[0]?.valueBoolean,
  hasEnded,
});

/**
 * The update that a PUT asks for: nothing of the body itself, which is still its sender's, who may change it. `sent` is the body
 * before elements were dropped from it.
 */
export const toCareTeamUpdate = (
  body: CareTeamUpdateBody,
  sent: unknown,
  {
    hasFields = false,
    ...time
  }: {
    readonly zone: TimeZone;
    readonly now: () => number;
    /** Whether teams can have extensions of the host. */
    readonly hasFields?: boolean;
  },
): CareTeamUpdate => {
  const { id, meta, identifier, subject, participant = [] } = body;
  const { participant: sentParticipants = [] } = sent as {
    readonly participant?: readonly { readonly period?: unknown }[];
  };
  return {
    id,
    patientId: subject && readReferenceId(subject),
    common: meta || identifier || hasFields ? storeCommonElements(body) : undefined,
    participants: participant.map((one, index) =>
      toSentParticipant(one, endsBefore(sentParticipants[index]?.period, time)),
    ),
  };
};

const isAbsent = ({ member, codings }: SentParticipant): boolean =>
  member.type === 'Organization' && codings.every(isAbsentRole);

/** The update without the absent roles of organizations, so that a client can send back a team that it has read. */
export const omitAbsentRoles = (update: CareTeamUpdate): CareTeamUpdate => ({
  ...update,
  participants: update.participants.map((sent) => (isAbsent(sent) ? { ...sent, codings: [] } : sent)),
});
