import * as z from 'zod';
import type { ChartRecord } from '../chart/command.ts';
import { statusExtensions } from '../chart/command.ts';
import {
  anyConcept,
  type Coding,
  type CommandConcept,
  codedConcept,
  commandConcept,
  commandConceptOrText,
  storedCoding,
} from '../fhir/coding.ts';
import { inputCommonElements, outputCommonElements } from '../fhir/common-elements.ts';
import { date, dateTime } from '../fhir/date-time.ts';
import { code, element, list, nonEmptyElement, oneOf, positiveInteger, text } from '../fhir/element.ts';
import type { BodyRule } from '../fhir/issues.ts';
import { simpleQuantity } from '../fhir/quantity.ts';
import { annotation, elementReference, id, outputReference, parseReference } from '../fhir/reference.ts';
import { named, type SchemaOutput, schemaForBase } from '../fhir/schema.ts';
import { createElementStorer } from '../fhir/stored-element.ts';

const performerSchema = element(
  {
    /** The part that the performer took, such as giving the vaccine. */
    function: anyConcept.optional(),
    /** The practitioner or the organization. */
    actor: elementReference('Practitioner', 'PractitionerRole', 'Organization'),
  },
  [],
);

/** Somebody who took part in a vaccination. */
export interface ImmunizationPerformer extends SchemaOutput<typeof performerSchema> {}

const reactionSchema = nonEmptyElement(
  {
    /** When the reaction began: a FHIR `dateTime`. */
    date: dateTime.optional(),
    /** The observation of it. */
    detail: elementReference('Observation').optional(),
    /** Whether the patient reported it. */
    reported: z.boolean().optional(),
  },
  ['_date', '_reported'],
);

/** A reaction to a vaccine. */
export interface ImmunizationReaction extends SchemaOutput<typeof reactionSchema> {}

const protocolElementSchema = nonEmptyElement(
  {
    /** The name of the series. */
    series: text.optional(),
    /** The publisher of the protocol. */
    authority: elementReference('Organization').optional(),
    /** The diseases against which the vaccine protects. */
    targetDisease: list(anyConcept).optional(),
    /** The number of the dose in the series. */
    doseNumberPositiveInt: positiveInteger.optional(),
    /** The number of the dose in the series, as a text. */
    doseNumberString: text.optional(),
    /** How many doses are recommended. */
    seriesDosesPositiveInt: positiveInteger.optional(),
    /** How many doses are recommended, as a text. */
    seriesDosesString: text.optional(),
  },
  ['_series', '_doseNumberPositiveInt', '_doseNumberString', '_seriesDosesPositiveInt', '_seriesDosesString'],
);

/** The protocol that a vaccination follows. */
export interface ImmunizationProtocol extends SchemaOutput<typeof protocolElementSchema> {}

const protocolSchema = oneOf(
  oneOf(named<ImmunizationProtocol>(protocolElementSchema), 'doseNumberPositiveInt', 'doseNumberString'),
  'seriesDosesPositiveInt',
  'seriesDosesString',
);

const educationSchema = nonEmptyElement(
  {
    /** The identifier of the document. */
    documentType: text.optional(),
    /** The URL of the document. */
    reference: text
      .refine((sent) => parseReference(sent) === null, {
        params: {
          rule: 'value' satisfies BodyRule,
          allowed: ['a URL such as https://clinic.example/flu.pdf'],
        },
      })
      .optional(),
    /** When it was published: a FHIR `dateTime`. */
    publicationDate: dateTime.optional(),
    /** When the patient got it: a FHIR `dateTime`. */
    presentationDate: dateTime.optional(),
  },
  ['_documentType', '_reference', '_publicationDate', '_presentationDate'],
);

/** A document that the patient got with a vaccine. */
export interface ImmunizationEducation extends SchemaOutput<typeof educationSchema> {}

/** The elements of an immunization that are stored as they were sent. No rule looks at them. FHIR R4, Immunization, 9.5.5. */
export const immunizationElements = {
  /** When it was first recorded, where another system says so: a FHIR `dateTime`. */
  recorded: dateTime.optional(),
  /** Where a reported vaccination is known from. */
  reportOrigin: anyConcept.optional(),
  /** Where the vaccine was given. */
  location: elementReference('Location').optional(),
  /** The manufacturer of the vaccine. */
  manufacturer: elementReference('Organization').optional(),
  /** The lot number of the vaccine. */
  lotNumber: text.optional(),
  /** When the vaccine expires: a FHIR `date`. */
  expirationDate: date.optional(),
  /** Where in the body it was given. */
  site: anyConcept.optional(),
  /** How it entered the body. */
  route: anyConcept.optional(),
  /** How much was given. */
  doseQuantity: simpleQuantity.optional(),
  /** The people and organizations that took part. */
  performer: list(named<ImmunizationPerformer>(performerSchema)).optional(),
  /** Why it was given. */
  reasonCode: list(anyConcept).optional(),
  /** The conditions and observations for which it was given. */
  reasonReference: list(elementReference('Condition', 'Observation', 'DiagnosticReport')).optional(),
  /** The documents that the patient got. */
  education: list(named<ImmunizationEducation>(educationSchema)).optional(),
  /** The programs for which the patient is eligible. */
  programEligibility: list(anyConcept).optional(),
  /** The source of the money for the vaccine. */
  fundingSource: anyConcept.optional(),
  /** The reactions that followed. */
  reaction: list(named<ImmunizationReaction>(reactionSchema)).optional(),
  /** The protocols that were followed. */
  protocolApplied: list(protocolSchema).optional(),
};

const elementsSchema = z.object(immunizationElements);

/** The elements of an immunization that are stored as they were sent. */
export interface ImmunizationElements extends SchemaOutput<typeof elementsSchema> {}

/** The elements of an immunization as they are stored; undefined if there are none. */
export const storeImmunizationElements = createElementStorer<ImmunizationElements>(immunizationElements);

/** The extension with the id of the note that contains the immunization. */
export const noteIdUrl = (extensionBase: string): `${string}/note-id` => `${extensionBase}/note-id`;

/** The literal value of the HTTP interface. */
export const statusReasonSystem = 'http://terminology.hl7.org/CodeSystem/v3-ActReaso';

/** FHIR's own code system of these reasons. */
export const fhirReasonSystem = 'http://terminology.hl7.org/CodeSystem/v3-ActReason';

/** The code systems of vaccines that a POST accepts. Source: docs/http-interface.md#immunization. */
export const vaccineSystems = [
  'http://hl7.org/fhir/sid/cvx',
  'http://www.ama-assn.org/go/cpt',
  'unstructured',
] as const;

/** The code systems that a chart accepts. The last is CPT, as the sample reads of the HTTP interface name it. */
export const chartVaccineSystems = [...vaccineSystems, 'http://hl7.org/fhir/sid/cpt'] as const;

/** A coding of a vaccine. */
export interface VaccineCoding extends Coding<(typeof chartVaccineSystems)[number]> {}

const vaccineCodingSchema = named<VaccineCoding>(storedCoding(z.enum(chartVaccineSystems)));

const reasonCodingSchema = z.strictObject({
  /** A code of the interface's reasons. */
  code,
  /** The meaning of the code, in words. */
  display: text.optional(),
});

/** A coding of why a vaccine was not given. Its system is always the same. */
export interface ReasonCoding extends SchemaOutput<typeof reasonCodingSchema> {}

export const immunizationCommandSchema = z.strictObject({
  /** `immunize` for a vaccine that the clinic gives, `immunizationStatement` for one that was given elsewhere. */
  kind: z.enum(['immunize', 'immunizationStatement']),
  /** The id of the new immunization; by default a new one. Refused beside a limit to charts. */
  id: id.optional(),
  patientId: id,
  ...inputCommonElements,
  /** The id of the note that contains it. Without a note and an encounter, a new note is created. */
  noteId: id.optional(),
  /** The id of the encounter of the note. */
  encounterId: id.optional(),
  /** The vaccine: in CVX, in CPT, as an unstructured code, or as a text, which is stored as an unstructured code. */
  vaccineCode: commandConceptOrText(vaccineCodingSchema),
  /** When it was given: a FHIR `dateTime`, as precise as it is known. */
  occurrenceDateTime: dateTime,
  /** By default, `not-done` if a reason is given, and otherwise `completed`. */
  status: z.enum(['completed', 'not-done']).optional(),
  /** Why it was not given. */
  statusReason: commandConcept(named<ReasonCoding>(reasonCodingSchema)).optional(),
  /** Comments, in their order. */
  note: z.array(annotation).optional(),
  ...immunizationElements,
});

/** An immunize command or an immunization statement as a host gives it. */
export interface ImmunizationCommand extends SchemaOutput<typeof immunizationCommandSchema> {}

/** An immunization command as it is stored: always in a note. */
export type ImmunizationCommandBody = Pick<
  ImmunizationCommand,
  'kind' | 'occurrenceDateTime' | 'statusReason' | 'note'
> & {
  /** The vaccine. It has a coding. */
  readonly vaccineCode: CommandConcept<VaccineCoding>;
  /** Whether it was given. */
  readonly status: 'completed' | 'not-done';
  /** The id of the note that contains it. */
  readonly noteId: string;
  /** The id of the encounter of the note; null if there is none. */
  readonly encounterId: string | null;
  /** The elements of the resource at which no rule looks, where there are any. */
  readonly elements?: ImmunizationElements | undefined;
};

/** The command that one immunization derives from. */
export type ImmunizationRecord = ChartRecord<ImmunizationCommandBody>;

/** The extension with the id of a note, as in a response. */
const noteIdSchema = (extensionBase: string) =>
  z.object({
    /** The `extensionBase` of the host, and `/note-id`. */
    url: z.literal(noteIdUrl(extensionBase)),
    valueId: z.string(),
  });

/** The extension that names the note of an immunization. */
export interface NoteIdExtension extends SchemaOutput<ReturnType<typeof noteIdSchema>> {}

/** A coding of why a vaccine was not given, with the system that the interface defines. */
export interface StatusReasonCoding extends Coding<typeof statusReasonSystem> {}

/** The states of an immunization. Source: docs/http-interface.md#immunization. */
export const immunizationStatuses = ['completed', 'entered-in-error', 'not-done'] as const;

export const immunizationSchema = schemaForBase((extensionBase) =>
  z.object({
    resourceType: z.literal('Immunization'),
    id: z.string(),
    ...outputCommonElements,
    extension: z
      .array(named<NoteIdExtension>(noteIdSchema(extensionBase)))
      .describe('The id of the note that contains it.'),
    /** `not-done` for a vaccine that was not given. */
    status: z.enum(immunizationStatuses),
    _status: statusExtensions(extensionBase),
    statusReason: codedConcept(
      extensionBase,
      named<StatusReasonCoding>(storedCoding(z.literal(statusReasonSystem))),
    )
      .exactOptional()
      .describe('Why it was not done.'),
    /** The vaccine, in CVX, in CPT, or as an unstructured text. */
    vaccineCode: codedConcept(extensionBase, vaccineCodingSchema),
    /** The patient who got it. */
    patient: outputReference('Patient'),
    encounter: outputReference('Encounter').exactOptional().describe('The encounter of the note.'),
    /** When it was given: a FHIR `dateTime`, as precise as it is known. */
    occurrenceDateTime: dateTime,
    primarySource: z.boolean().describe('Whether it was administered within the clinic.'),
    /** Comments, in their order. */
    note: z.array(annotation).exactOptional(),
    ...immunizationElements,
  }),
);

/** An immunization, or one that was not done. Source: docs/http-interface.md#immunization. */
export interface Immunization extends SchemaOutput<ReturnType<typeof immunizationSchema>> {}
