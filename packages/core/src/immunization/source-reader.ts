import { z } from 'zod';
import { annotation } from '../fhir/annotation.ts';
import { list, normalizeCode } from '../fhir/element.ts';
import { createElementReader } from '../fhir/element-reader.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import { type BodyRule, leftOutIssue } from '../fhir/issues.ts';
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
import { chartVaccineSystems, type ImmunizationCommand, noteIdUrl } from './model.ts';

type VaccineCoding = ImmunizationCommand['vaccineCode']['coding'][number];

type Reason = NonNullable<ImmunizationCommand['statusReason']>['coding'][number];

const isVaccineSystem = isOneOf(chartVaccineSystems);

/** The codings in the accepted code systems. If there are none, the source's text as an unstructured coding. */
const readVaccineCodings = ({ coding = [], text }: SourceConcept): readonly VaccineCoding[] => {
  const knownCodings = coding.flatMap(({ system, code, display = text, ...rest }) =>
    isVaccineSystem(system) && code !== undefined ? [{ system, code, display, ...rest }] : [],
  );
  const [first] = coding;
  const sourceCode = first?.code ?? text ?? first?.display;
  if (knownCodings.length > 0 || sourceCode === undefined) return knownCodings;
  return [{ system: 'unstructured', code: normalizeCode(sourceCode), display: first?.display ?? text }];
};

const sourceImmunizationSchema = z.object({
  id: sourceElements.id,
  extension: sourceElements.extensions,
  status: z.enum(['completed', 'not-done', 'entered-in-error']),
  statusReason: sourceConcept.optional(),
  vaccineCode: sourceConcept.refine((concept) => readVaccineCodings(concept).length > 0, {
    params: { rule: 'unsupported-codes' satisfies BodyRule },
  }),
  patient: createSourceIdSchema('Patient'),
  encounter: createSourceIdSchema('Encounter').optional(),
  occurrenceDateTime: sourceElements.dateTime,
  primarySource: z.boolean().optional(),
  isSubpotent: z.literal(false).optional(),
  note: z.array(z.object({ text: sourceElements.text })).optional(),
});

/** The reasons that have a code, and what of them all is left out: everything, where the vaccine was given. */
const readReasons = (
  status: string,
  statusReason: SourceConcept | undefined,
): SourceReading<readonly Reason[]> => {
  const element = 'Immunization.statusReason';
  const { coding = [], text } = statusReason ?? {};
  const codings = status === 'completed' ? [] : coding;
  const value = codings.flatMap(({ code, display = text }) =>
    code === undefined ? [] : [{ code, display }],
  );
  if (value.length === 0) return { value, issues: statusReason === undefined ? [] : [leftOutIssue(element)] };
  const issues = codings.flatMap(({ code }, at) =>
    code === undefined ? [leftOutIssue(`${element}.coding[${at}]`)] : [],
  );
  return { value, issues };
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
  createSourceReader(sourceImmunizationSchema, 'Immunization', (immunization, sent) => {
    const { extension = [], status, primarySource, occurrenceDateTime } = immunization;
    const { value: reasons, issues: reasonIssues } = readReasons(status, immunization.statusReason);
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
        vaccineCode: {
          coding: readVaccineCodings(immunization.vaccineCode),
          text: immunization.vaccineCode.text,
        },
        occurrenceDateTime,
        // An immunization entered in error with a not-done reason was not done.
        status: status === 'not-done' || reasons.length > 0 ? 'not-done' : 'completed',
        statusReason:
          reasons.length > 0 ? { coding: reasons, text: immunization.statusReason?.text } : undefined,
        ...notes,
        ...elements,
      },
    };
    return { value, issues };
  });
