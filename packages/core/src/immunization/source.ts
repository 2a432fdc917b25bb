import * as E from 'fp-ts/lib/Either.js';
import * as z from 'zod';
import { createImportedCommand } from '../chart/command.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { isEntryId } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, isFailure, ruleViolation } from '../errors.ts';
import { isSameSystem, urlOfSystem, withFurtherCodings } from '../fhir/coding.ts';
import { essential, list, normalizeCode } from '../fhir/element.ts';
import { type BodyRule, leftOutIssue } from '../fhir/issues.ts';
import { annotation } from '../fhir/reference.ts';
import { isOneOf, schemaForBase } from '../fhir/schema.ts';
import {
  createElementReader,
  createSourceIdSchema,
  createSourceReader,
  readCodedConcept,
  type SourceConcept,
  type SourceReader,
  type SourceReading,
  sourceConcept,
  sourceElements,
} from '../fhir/source-resource.ts';
import { createChartImporter } from '../importer/chart-import.ts';
import type { ImportContext, ResourceImporter } from '../importer/import-definition.ts';
import type { OtherVersion } from '../importer/other-formats.ts';
import { recordExists } from '../records/transact.ts';
import { createCommandPlacer, toCommandBody } from './commands.ts';
import {
  chartVaccineSystems,
  fhirReasonSystem,
  type Immunization,
  type ImmunizationCommand,
  type ImmunizationCommandBody,
  type ImmunizationElements,
  immunizationElements,
  noteIdUrl,
  statusReasonSystem,
  type VaccineCoding,
} from './model.ts';
import { defineImmunizationRecord, immunizationFacts } from './record.ts';
import { checkCommand, locateAtElements } from './rules.ts';

type Reason = NonNullable<ImmunizationCommand['statusReason']>;

const isVaccineSystem = isOneOf(chartVaccineSystems);

/** The codings in the accepted code systems. If there are none, the source's text as an unstructured coding. */
const readVaccineCode = (
  extensionBase: string,
  concept: SourceConcept,
): ImmunizationCommandBody['vaccineCode'] => {
  const { coding: [first] = [], text } = concept;
  const vaccineCode = readCodedConcept<VaccineCoding>(
    extensionBase,
    concept,
    ({ system: sent, code, display = text, ...rest }) => {
      const system = urlOfSystem(sent);
      return isVaccineSystem(system) && code !== undefined ? { system, code, display, ...rest } : undefined;
    },
  );
  const sourceCode = first?.code ?? text ?? first?.display;
  if (vaccineCode.coding.length > 0 || sourceCode === undefined) return vaccineCode;
  const unstructured = normalizeCode(sourceCode);
  return {
    ...vaccineCode,
    coding: [{ system: 'unstructured', code: unstructured, display: first?.display ?? text }],
  };
};

const createSourceSchema = schemaForBase((extensionBase) =>
  z.object({
    id: sourceElements.id,
    extension: sourceElements.extensions,
    status: z.enum(['completed', 'not-done', 'entered-in-error']),
    statusReason: sourceConcept.optional(),
    vaccineCode: sourceConcept.refine(
      (concept) => readVaccineCode(extensionBase, concept).coding.length > 0,
      {
        params: {
          rule: 'unsupported-codes' satisfies BodyRule,
          allowed: ['a code of CVX or CPT', 'a text'],
        },
      },
    ),
    patient: createSourceIdSchema('Patient'),
    encounter: essential(createSourceIdSchema('Encounter').optional()),
    occurrenceDateTime: sourceElements.dateTime,
    primarySource: z.boolean().optional(),
    isSubpotent: essential(z.literal(false).optional()),
    note: z.array(z.object({ text: sourceElements.text })).optional(),
  }),
);

const isReasonSystem = (sent: string): boolean =>
  sent === statusReasonSystem || isSameSystem(sent, fhirReasonSystem);

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
  createSourceReader(createSourceSchema(extensionBase), 'Immunization', (immunization, sent) => {
    const { extension = [], status, primarySource, occurrenceDateTime } = immunization;
    const { value: statusReason, issues: reasonIssues } = readStatusReason(
      extensionBase,
      status,
      immunization.statusReason,
    );
    const { value: elements, issues: elementIssues } = readElements(sent);
    const { value: notes, issues: noteIssues } = readNotes(sent);
    const noteIds = extension
      .filter(({ url }) => url === noteIdUrl(extensionBase))
      .map((noteIdExtension) => noteIdExtension.valueId);
    const noteId = noteIds.find((id) => id !== undefined);
    const isNoteLost = noteIds.some((id) => id === undefined || id !== noteId);
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

/** An immunization as other systems send it: the codes of its reason are in FHIR's own code system, too. */
const toSourceImmunization = (immunization: Immunization): object => {
  const { statusReason } = immunization;
  const vaccineCode = withFurtherCodings(immunization.vaccineCode);
  if (statusReason === undefined) return { ...immunization, vaccineCode };
  const reason = withFurtherCodings(statusReason);
  const inFhirSystem = statusReason.coding.map((coding) => ({ ...coding, system: fhirReasonSystem }));
  return {
    ...immunization,
    vaccineCode,
    statusReason: { ...reason, coding: [...reason.coding, ...inFhirSystem] },
  };
};

/** Whether the patient and the encounter of a command are known. Notes are never imported, so none of them may follow. */
const findsReferences = async (
  { patientId, encounterId }: ImmunizationCommand,
  directory: DirectoryRecords,
): Promise<E.Either<ClinicalError, boolean>> => {
  const patient = await directory.find('Patient', patientId);
  if (E.isLeft(patient)) return patient;
  if (!recordExists(patient.right)) return E.right(false);
  if (encounterId === undefined) return E.right(true);
  const encounter = await directory.find('Encounter', encounterId);
  // An answer of the host that cannot be imported is known, and wrong.
  if (E.isLeft(encounter)) return isFailure(encounter.left) ? encounter : E.right(true);
  return E.right(recordExists(encounter.right));
};

/** Whether a command belongs to the encounter of an imported one, or names none. */
const isInSamePlace = ({ encounterId }: ImmunizationCommand, before: ImmunizationCommandBody): boolean =>
  encounterId === undefined || encounterId === before.encounterId;

/** Imports immunizations into the chart, each in the note that it names, if it can stand there. One that exists keeps its note. */
export const createImmunizationImporter = (environment: Environment): ResourceImporter => {
  const placeCommand = createCommandPlacer(environment);

  /** Places a command in the note that it names, or else as if it named none. Null where it has to wait. */
  const placeIfPossible = async (
    command: ImmunizationCommand,
    at: number,
    { directory, isLastPass, createNotes }: ImportContext,
  ) => {
    const placed = await placeCommand(directory, command, at);
    if (E.isRight(placed) || isFailure(placed.left)) return placed;
    if (!isLastPass) {
      const hasReferences = await findsReferences(command, directory);
      if (E.isLeft(hasReferences)) return hasReferences;
      if (!hasReferences.right) return E.right(null);
    }
    const { noteId } = command;
    if (noteId === undefined) return placed;
    const withoutNote = { ...command, noteId: undefined };
    if (!createNotes) return placeCommand(directory, withoutNote, at);
    const note = await directory.find('Note', noteId);
    const isFree =
      isEntryId('Note', noteId) && E.isRight(note) && !recordExists(note.right) && !note.right.isErased;
    const newId = isFree ? () => noteId : environment.newId;
    return createCommandPlacer({ ...environment, newId })(directory, withoutNote, at);
  };

  return createChartImporter(environment)({
    facts: immunizationFacts,
    event: {
      of: ({ vaccineCode, occurrenceDateTime }: Immunization) => ({
        concept: withFurtherCodings(vaccineCode),
        date: occurrenceDateTime,
      }),
      correctableDate: 'occurrenceDateTime',
    },
    recordDefinition: defineImmunizationRecord(environment),
    read: createImmunizationSourceReader(environment.extensionBase),
    toSource: toSourceImmunization,
    prepare: async ({ id, patientId, command, isInError }, at, context, existing) => {
      const status = isInError ? 'entered-in-error' : 'committed';
      const toRecord = (body: ImmunizationCommandBody) => ({
        id,
        patientId,
        commands: [createImportedCommand(body, { importedAt: at, status })],
      });
      const before = existing?.commands[0]?.body;
      if (before !== undefined && isInSamePlace(command, before)) {
        const issues = checkCommand(command, { zone: environment.zone, at });
        if (issues.length > 0) return E.left(locateAtElements(ruleViolation(issues)));
        const { noteId, encounterId } = before;
        return E.right({
          record: toRecord(toCommandBody(command, { id: noteId, encounterId })),
          sideChanges: [],
        });
      }
      const placed = await placeIfPossible(command, at, context);
      if (E.isLeft(placed)) return E.left(locateAtElements(placed.left));
      if (placed.right === null) return E.right(null);
      return E.right({ record: toRecord(placed.right.body), sideChanges: placed.right.sideChangesOf(id) });
    },
    complete: async ({ command: { noteId } }, record) => {
      const isKept = noteId === undefined || noteId === record.commands[0]?.body.noteId;
      return E.right({ value: record, issues: isKept ? [] : [leftOutIssue('Immunization.extension')] });
    },
  });
};

export const otherVersions: readonly OtherVersion[] = [
  { version: 'DSTU2', element: 'wasNotGiven', inR4: 'the status not-done' },
  { version: 'STU3', element: 'notGiven', inR4: 'the status not-done' },
  { version: 'STU3', element: 'date', inR4: 'occurrenceDateTime' },
  { version: 'R5', element: 'informationSource', inR4: 'reportOrigin' },
];
