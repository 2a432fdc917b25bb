import { z } from 'zod';
import type { ChartRecord } from '../chart/command.ts';
import { outputCoding, outputConcept } from '../fhir/coding.ts';
import { dateTime } from '../fhir/date-time.ts';
import { code, text } from '../fhir/element.ts';
import { id, outputReference } from '../fhir/reference.ts';
import type { DeepReadonly, SchemaOutput } from '../fhir/schema-output.ts';

/** The extension with the id of the note that contains the immunization. */
export const noteIdUrl = (extensionBase: string): `${string}/note-id` => `${extensionBase}/note-id`;

/** The literal value of the HTTP interface. FHIR's own code system ends in `ActReason`. */
export const statusReasonSystem = 'http://terminology.hl7.org/CodeSystem/v3-ActReaso';

/** The code systems of vaccines that a POST accepts. Source: docs/http-interface.md#immunization. */
export const vaccineSystems = [
  'http://hl7.org/fhir/sid/cvx',
  'http://www.ama-assn.org/go/cpt',
  'unstructured',
] as const;

/** The code systems that a chart accepts. The last is CPT, as the sample reads of the HTTP interface name it. */
export const chartVaccineSystems = [...vaccineSystems, 'http://hl7.org/fhir/sid/cpt'] as const;

const vaccineCoding = z.strictObject({
  system: z.enum(chartVaccineSystems),
  code,
  display: text.optional(),
});
const reasonCoding = z.strictObject({ code, display: text.optional() });

export const immunizationCommand = z.strictObject({
  kind: z.enum(['immunize', 'immunizationStatement']),
  id: id.optional(),
  patientId: id,
  /** The note that contains the immunization, or the encounter of that note, or both. */
  noteId: id.optional(),
  encounterId: id.optional(),
  vaccineCode: z.strictObject({ coding: z.array(vaccineCoding).min(1) }),
  occurrenceDateTime: dateTime,
  /** By default, `not-done` if a reason is given, and otherwise `completed`. */
  status: z.enum(['completed', 'not-done']).optional(),
  statusReason: z.strictObject({ coding: z.array(reasonCoding).min(1) }).optional(),
  note: z.array(z.strictObject({ text })).optional(),
});

/** An immunize command or an immunization statement as a host gives it. */
export interface ImmunizationCommand extends DeepReadonly<z.infer<typeof immunizationCommand>> {}

/** An immunization command as it is stored: always in a note. */
export type ImmunizationCommandBody = Pick<
  ImmunizationCommand,
  'kind' | 'vaccineCode' | 'occurrenceDateTime' | 'statusReason' | 'note'
> & {
  readonly status: 'completed' | 'not-done';
  readonly noteId: string;
  readonly encounterId: string | null;
};

/** The command that one immunization derives from. */
export type ImmunizationRecord = ChartRecord<ImmunizationCommandBody>;

export const immunization = (extensionBase: string) =>
  z.object({
    resourceType: z.literal('Immunization'),
    id: z.string(),
    extension: z
      .array(z.object({ url: z.literal(noteIdUrl(extensionBase)), valueId: z.string() }))
      .describe('The id of the note that contains it.'),
    status: z.enum(['completed', 'entered-in-error', 'not-done']),
    statusReason: outputConcept(outputCoding.extend({ system: z.literal(statusReasonSystem) }))
      .exactOptional()
      .describe('Why it was not done.'),
    vaccineCode: outputConcept(outputCoding.extend({ system: z.enum(chartVaccineSystems) })),
    patient: z.object(outputReference('Patient')),
    encounter: z.object(outputReference('Encounter')).exactOptional().describe('The encounter of the note.'),
    occurrenceDateTime: dateTime,
    primarySource: z.boolean().describe('Whether it was administered within the clinic.'),
    note: z.array(z.object({ text: z.string() })).exactOptional(),
  });

/** An immunization, or one that was not done. Source: docs/http-interface.md#immunization. */
export interface Immunization extends SchemaOutput<ReturnType<typeof immunization>> {}
