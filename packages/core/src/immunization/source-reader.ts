import { z } from 'zod';
import { annotation } from '../fhir/annotation.ts';
import { readCodedConcept } from '../fhir/coded-concept.ts';
import { list, normalizeCode } from '../fhir/element.ts';
import { createElementReader } from '../fhir/element-reader.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import { type BodyRule, leftOutIssue } from '../fhir/issues.ts';
import { schemaForBase } from '../fhir/schema-for-base.ts';
import {
  createSourceIdSchema,
  createSourceReader,
  type SourceConcept,
  type SourceReader,
  type SourceReading,
  sourceConcept,
  sourceElements,
} from '../fhir/source-resource.ts';
import { type ImmunizationElements, immunizationElements } from './elements.ts';
import {
  chartVaccineSystems,
  fhirReasonSystem,
  type ImmunizationCommand,
  noteIdUrl,
  statusReasonSystem,
} from './model.ts';

type VaccineCoding = ImmunizationCommand['vaccineCode']['coding'][number];

type Reason = NonNullable<ImmunizationCommand['statusReason']>;

const isVaccineSystem = isOneOf(chartVaccineSystems);

/** The codings in the accepted code systems. If there are none, the source's text as an unstructured coding. */
const readVaccineCode = (
  extensionBase: string,
  concept: SourceConcept,
): ImmunizationCommand['vaccineCode'] => {
  const { coding: [first] = [], text } = concept;
  const vaccineCode = readCodedConcept<VaccineCoding>(
    extensionBase,
    concept,
    ({ system, code, display = text, ...rest }) =>
      isVaccineSystem(system) && code !== undefined ? { system, code, display, ...rest } : undefined,
  );
  const sourceCode = first?.code ?? text ?? first?.display;
  if (vaccineCode.coding.length > 0 || sourceCode === undefined) return vaccineCode;
  const unstructured = normalizeCode(sourceCode);
  return {
    ...vaccineCode,
    coding: [{ system: 'unstructured', code: unstructured, display: first?.display ?? text }],
  };
};

const createSchema = schemaForBase((extensionBase) =>
  z.object({
    id: sourceElements.id,
    extension: sourceElements.extensions,
    status: z.enum(['completed', 'not-done', 'entered-in-error']),
    statusReason: sourceConcept.optional(),
    vaccineCode: sourceConcept.refine(
      (concept) => readVaccineCode(extensionBase, concept).coding.length > 0,
      {
        params: { rule: 'unsupported-codes' satisfies BodyRule },
      },
    ),
    patient: createSourceIdSchema('Patient'),
    encounter: createSourceIdSchema('Encounter').optional(),
    occurrenceDateTime: sourceElements.dateTime,
    primarySource: z.boolean().optional(),
    isSubpotent: z.literal(false).optional(),
    note: z.array(z.object({ text: sourceElements.text })).optional(),
  }),
);

const isReasonSystem = isOneOf([statusReasonSystem, fhirReasonSystem] as const);

/** The reason with the codes of all codings. Codings without a code, or in other code systems, are kept as further codings. */
const readReason = (extensionBase: string, concept: SourceConcept): Reason => {
  const { coding = [], text } = concept;
  const reason = readCodedConcept(extensionBase, concept, ({ code, display = text }) =>
    code === undefined ? undefined : { code, display },
  );
  const inOtherSystems = coding.filter(
    ({ system, code }) => code !== undefined && system !== undefined && !isReasonSystem(system),
  );
  if (inOtherSystems.length === 0) return reason;
  return { ...reason, furtherCodings: [...inOtherSystems, ...(reason.furtherCodings ?? [])] };
};

/** The reason for which a vaccine was not given. It is left out if it has no code, or if the vaccine was given. */
const readStatusReason = (
  extensionBase: string,
  status: string,
  sent: SourceConcept | undefined,
): SourceReading<Reason | undefined> => {
  if (sent === undefined) return { value: undefined, issues: [] };
  const reason = readReason(extensionBase, sent);
  return status !== 'completed' && reason.coding.length > 0
    ? { value: reason, issues: [] }
    : { value: undefined, issues: [leftOutIssue('Immunization.statusReason')] };
};

/** An immunization of another system: the command that derives to it, and whether that was entered in error. */
export type SourceImmunization = {
  readonly id: string;
  readonly patientId: string;
  readonly command: ImmunizationCommand;
  readonly isInError: boolean;
};

const readElements = createElementReader<ImmunizationElements>('Immunization', immunizationElements);

const readNotes = createElementReader<Pick<ImmunizationCommand, 'note'>>('Immunization', {
  note: list(annotation),
});

export const createImmunizationSourceReader = (extensionBase: string): SourceReader<SourceImmunization> =>
  createSourceReader(createSchema(extensionBase), 'Immunization', (immunization, sent) => {
    const { extension = [], status, primarySource, occurrenceDateTime } = immunization;
    const { value: statusReason, issues: reasonIssues } = readStatusReason(
      extensionBase,
      status,
      immunization.statusReason,
    );
    const { value: elements, issues: elementIssues } = readElements(sent);
    const { value: notes, issues: noteIssues } = readNotes(sent);
    const noteIds = extension.filter(({ url }) => url === noteIdUrl(extensionBase)).map((one) => one.valueId);
    const noteId = noteIds.find((one) => one !== undefined);
    const isNoteLost = noteIds.some((one) => one === undefined || one !== noteId);
    const issues = [
      ...reasonIssues,
      ...elementIssues,
      ...noteIssues,
      ...(isNoteLost ? [leftOutIssue('Immunization.extension')] : []),
    ];
    const patientId = immunization.patient;
    const value: SourceImmunization = {
      id: immunization.id,
      patientId,
      isInError: status === 'entered-in-error',
      command: {
        kind: primarySource === true ? 'immunize' : 'immunizationStatement',
        patientId,
        noteId,
        encounterId: immunization.encounter,
        vaccineCode: readVaccineCode(extensionBase, immunization.vaccineCode),
        occurrenceDateTime,
        // An immunization entered in error with a not-done reason was not done.
        status: status === 'not-done' || statusReason !== undefined ? 'not-done' : 'completed',
        statusReason,
        ...notes,
        ...elements,
      },
    };
    return { value, issues };
  });
