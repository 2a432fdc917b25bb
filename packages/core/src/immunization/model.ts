import { z } from 'zod';
import type { ChartRecord } from '../chart/command.ts';
import { annotation } from '../fhir/annotation.ts';
import { codedConcept, commandConcept } from '../fhir/coded-concept.ts';
import { type Coding, storedCoding } from '../fhir/coding.ts';
import { dateTime } from '../fhir/date-time.ts';
import { code, text } from '../fhir/element.ts';
import { id } from '../fhir/id.ts';
import { meta } from '../fhir/meta.ts';
import { outputReference } from '../fhir/reference.ts';
import { named, type SchemaOutput } from '../fhir/schema-output.ts';
import { type ImmunizationElements, immunizationElements } from './elements.ts';

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

const vaccineCoding = named<VaccineCoding>(storedCoding(z.enum(chartVaccineSystems)));

const reasonCoding = z.strictObject({
  /** A code of the interface's reasons. */
  code,
  /** The meaning of the code, in words. */
  display: text.optional(),
});

/** A coding of why a vaccine was not given. Its system is always the same. */
export interface ReasonCoding extends SchemaOutput<typeof reasonCoding> {}

export const immunizationCommand = z.strictObject({
  /** `immunize` for a vaccine that the clinic gives, `immunizationStatement` for one that was given elsewhere. */
  kind: z.enum(['immunize', 'immunizationStatement']),
  /** The id of the new immunization; by default a new one. */
  id: id.optional(),
  patientId: id,
  /** The id of the note that contains it. Without a note and an encounter, a new note is created. */
  noteId: id.optional(),
  /** The id of the encounter of the note. */
  encounterId: id.optional(),
  /** The vaccine, in CVX, in CPT, or as an unstructured text. */
  vaccineCode: commandConcept(vaccineCoding),
  /** When it was given: a FHIR `dateTime`, as precise as it is known. */
  occurrenceDateTime: dateTime,
  /** By default, `not-done` if a reason is given, and otherwise `completed`. */
  status: z.enum(['completed', 'not-done']).optional(),
  /** Why it was not given. */
  statusReason: commandConcept(named<ReasonCoding>(reasonCoding)).optional(),
  /** Comments, in their order. */
  note: z.array(annotation).optional(),
  ...immunizationElements,
});

/** An immunize command or an immunization statement as a host gives it. */
export interface ImmunizationCommand extends SchemaOutput<typeof immunizationCommand> {}

/** An immunization command as it is stored: always in a note. */
export type ImmunizationCommandBody = Pick<
  ImmunizationCommand,
  'kind' | 'vaccineCode' | 'occurrenceDateTime' | 'statusReason' | 'note'
> & {
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
const outputNoteId = (extensionBase: string) =>
  z.object({
    /** The `extensionBase` of the host, and `/note-id`. */
    url: z.literal(noteIdUrl(extensionBase)),
    valueId: z.string(),
  });

/** The extension that names the note of an immunization. */
export interface NoteIdExtension extends SchemaOutput<ReturnType<typeof outputNoteId>> {}

/** A coding of why a vaccine was not given, with the system that the interface defines. */
export interface StatusReasonCoding extends Coding<typeof statusReasonSystem> {}

/** The states of an immunization. Source: docs/http-interface.md#immunization. */
export const immunizationStatuses = ['completed', 'entered-in-error', 'not-done'] as const;

export const immunization = (extensionBase: string) =>
  z.object({
    resourceType: z.literal('Immunization'),
    id: z.string(),
    /** The version; absent if the resource is not stored yet. */
    meta,
    /** The id of the note that contains it. */
    extension: z
      .array(named<NoteIdExtension>(outputNoteId(extensionBase)))
      .describe('The id of the note that contains it.'),
    /** `not-done` for a vaccine that was not given. */
    status: z.enum(immunizationStatuses),
    /** Why it was not done. */
    statusReason: codedConcept(
      extensionBase,
      named<StatusReasonCoding>(storedCoding(z.literal(statusReasonSystem))),
    )
      .exactOptional()
      .describe('Why it was not done.'),
    /** The vaccine, in CVX, in CPT, or as an unstructured text. */
    vaccineCode: codedConcept(extensionBase, vaccineCoding),
    /** The patient who got it. */
    patient: outputReference('Patient'),
    /** The encounter of the note. */
    encounter: outputReference('Encounter').exactOptional().describe('The encounter of the note.'),
    /** When it was given: a FHIR `dateTime`, as precise as it is known. */
    occurrenceDateTime: dateTime,
    /** Whether it was administered within the clinic. */
    primarySource: z.boolean().describe('Whether it was administered within the clinic.'),
    /** Comments, in their order. */
    note: z.array(annotation).exactOptional(),
    ...immunizationElements,
  });

/** An immunization, or one that was not done. Source: docs/http-interface.md#immunization. */
export interface Immunization extends SchemaOutput<ReturnType<typeof immunization>> {}
