import * as z from 'zod';
import { anyConcept, type Coding, codedConcept, storedCoding, toCommandConcept } from '../fhir/coding.ts';
import { inputCommonElements } from '../fhir/common-elements.ts';
import { dateTime } from '../fhir/date-time.ts';
import { atMostOne, element, list, unstoredResourceElements } from '../fhir/element.ts';
import { annotation, id, readReferenceId, reference } from '../fhir/reference.ts';
import { named, type SchemaOutput, schemaForBase } from '../fhir/schema.ts';
import {
  chartVaccineSystems,
  type ImmunizationCommand,
  immunizationElements,
  type NoteIdExtension,
  noteIdUrl,
  vaccineSystems,
} from './model.ts';

const fields = <System extends string>(extensionBase: string, systems: readonly System[]) => ({
  resourceType: z.literal('Immunization').optional(),
  ...inputCommonElements,
  extension: atMostOne(
    named<NoteIdExtension>(element({ url: z.literal(noteIdUrl(extensionBase)), valueId: id }, ['_valueId'])),
  )
    .optional()
    .describe('The note that contains it. Without a note and an encounter, a new note is created.'),
  /** `create` accepts only completed, `update` only entered-in-error. */
  status: z
    .enum(['completed', 'entered-in-error', 'not-done'])
    .describe('POST accepts only completed, PUT only entered-in-error.'),
  /** The reason of a vaccine that was not given. `create` accepts none. */
  statusReason: anyConcept
    .optional()
    .describe('The reason of a vaccine that was not given. POST accepts none.'),
  /** The vaccine, in CVX, in CPT, or as an unstructured text. */
  vaccineCode: codedConcept(extensionBase, named<Coding<System>>(storedCoding(z.enum(systems)))),
  /** The patient who got it. */
  patient: reference('Patient'),
  encounter: reference('Encounter').optional().describe('The encounter of the note.'),
  /** When it was given: a FHIR `dateTime`, as precise as it is known. */
  occurrenceDateTime: dateTime,
  /** `create` accepts only false: an immunization that was administered elsewhere. */
  primarySource: z
    .boolean()
    .describe('POST accepts only false: an immunization that was administered elsewhere.'),
  /** Comments, in their order. */
  note: list(annotation).optional(),
  ...immunizationElements,
});

/** The elements of FHIR R4's Immunization that are not stored. */
const unstoredElements = [
  ...unstoredResourceElements,
  'occurrenceString',
  'isSubpotent',
  'subpotentReason',
  '_status',
  '_occurrenceDateTime',
  '_occurrenceString',
  '_recorded',
  '_primarySource',
  '_lotNumber',
  '_expirationDate',
  '_isSubpotent',
];

const exampleBody = {
  vaccineCode: {
    coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140', display: 'Influenza, seasonal' }],
  },
  patient: { reference: 'Patient/7' },
  occurrenceDateTime: '2024-10-02',
  primarySource: false,
};

/** The body of a POST. An id in it is dropped: the server takes none that a client made. */
export const createBodySchema = schemaForBase((extensionBase) =>
  element(
    {
      ...fields(extensionBase, vaccineSystems),
      isSubpotent: z
        .literal(false)
        .optional()
        .describe('Not stored: a dose that protects less cannot be recorded.'),
    },
    unstoredElements,
  ).meta({
    description: 'Records an immunization that was administered elsewhere, as an Immunization Statement.',
    examples: [{ status: 'completed', ...exampleBody, note: [{ text: 'The vaccination card was seen.' }] }],
  }),
);

/** The body of a PUT: what was read can be sent back. */
export const updateBodySchema = schemaForBase((extensionBase) =>
  element(
    {
      /** The id of the immunization, as in the path. */
      id,
      ...fields(extensionBase, chartVaccineSystems),
    },
    unstoredElements,
  ).meta({
    description:
      'Marks an Immunization Statement as entered in error. The other required elements must be sent, and change nothing. Patient, note and encounter must be those of the statement.',
    examples: [{ id: '6b1f0c9e-6f0f-4a4b-9d52-6a6f4f0a2f11', status: 'entered-in-error', ...exampleBody }],
  }),
);

/** The body that creates an immunization. Source: docs/http-interface.md#immunization. */
export interface ImmunizationCreateBody extends SchemaOutput<ReturnType<typeof createBodySchema>> {}

/** The body that marks an immunization as entered in error. Source: docs/http-interface.md#immunization. */
export interface ImmunizationUpdateBody extends SchemaOutput<ReturnType<typeof updateBodySchema>> {}

/** The statement that a POST requests. Source: docs/http-interface.md#immunization. */
export const toStatement = ({
  resourceType: _resourceType,
  extension,
  status: _status,
  statusReason: _statusReason,
  vaccineCode,
  patient,
  encounter,
  primarySource: _primarySource,
  isSubpotent: _isSubpotent,
  ...rest
}: ImmunizationCreateBody): ImmunizationCommand => ({
  ...rest,
  kind: 'immunizationStatement',
  patientId: readReferenceId(patient),
  noteId: extension?.[0]?.valueId,
  encounterId: encounter && readReferenceId(encounter),
  vaccineCode: toCommandConcept(vaccineCode),
});
