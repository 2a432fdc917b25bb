import * as E from 'fp-ts/lib/Either.js';
import { z } from 'zod';
import { omitChartReferences } from '../../src/chart/move-record.ts';
import type { ClinicalRecords } from '../../src/clinical-records/clinical-records.ts';
import { createRecords } from '../../src/clinical-records/create-records.ts';
import type { Environment } from '../../src/environment.ts';
import { identifier } from '../../src/fhir/identifier.ts';
import {
  createReference,
  readReferenceId,
  replaceReference,
  subjectReferences,
} from '../../src/fhir/reference.ts';
import { createSourceReader, sourceElements } from '../../src/fhir/source-resource.ts';
import {
  checkReferences,
  createImporterFromDecision,
  type ImportDefinition,
} from '../../src/importer/record-importer.ts';
import type { ClinicalRecordsOptions } from '../../src/options.ts';
import type { RecordDefinition, ResourceFacts } from '../../src/records/definition.ts';
import { addCommonElements } from '../../src/records/page.ts';
import {
  createReadableResources,
  createReadTables,
  type ReadableResources,
} from '../../src/records/resource-reads.ts';
import { createChange, isSameState, load, recordExists } from '../../src/records/transact.ts';
import type { ResourceDefinition, Resources } from '../../src/resource-definition.ts';
import { resourcesByType } from '../../src/resources.ts';
import { indexerOf, type StoredParameterTable } from '../../src/search/index-entries.ts';
import type { SearchInput } from '../../src/search/search-input.ts';

const concept = z.object({ coding: z.array(sourceElements.coding).min(1) });

/** A condition as other systems send it, and as it is kept: its record is the resource. */
const conditionSchema = z.looseObject({
  resourceType: z.literal('Condition'),
  id: sourceElements.id,
  identifier: z.array(identifier).optional(),
  clinicalStatus: concept.optional(),
  verificationStatus: concept.optional(),
  category: z.array(concept).optional(),
  code: concept,
  subject: z.object({ reference: z.string().regex(/^Patient\/./) }),
  recordedDate: sourceElements.dateTime.optional(),
  recorder: sourceElements.reference.optional(),
});

export type Condition = z.infer<typeof conditionSchema>;

export const conditionParameters = {
  _id: { kind: 'id' },
  _lastUpdated: { kind: 'lastUpdated' },
  patient: { kind: 'patient' },
  identifier: { kind: 'token', at: 'identifier' },
  'clinical-status': { kind: 'token', at: 'clinicalStatus' },
  code: { kind: 'token', at: 'code' },
  'recorded-date': { kind: 'date', at: 'recordedDate' },
} as const satisfies StoredParameterTable<Condition>;

type ConditionSearch = SearchInput<typeof conditionParameters>;

type ConditionFacts = ResourceFacts<'Condition', Condition>;

const conditionFacts: ConditionFacts = {
  type: 'Condition',
  initial: 'Co',
  profile: 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-condition-problems-health-concerns',
  conforms: ({ category = [] }) => category.length > 0,
  inError: 'verificationStatus.coding.code',
  parameters: conditionParameters,
  references: subjectReferences,
  elements: { mandatory: ['code', 'subject', 'category'], summary: ['clinicalStatus', 'recordedDate'] },
};

const patientIdOf = ({ subject }: Condition): string => readReferenceId(subject);

const defineConditionRecord = (
  { zone }: Pick<Environment, 'zone'>,
  facts: ConditionFacts,
): RecordDefinition<Condition> => ({
  type: facts.type,
  id: ({ id }) => id,
  patientId: patientIdOf,
  derive: (condition) => ({
    resource: addCommonElements(facts, condition),
    index: indexerOf(facts.parameters)(condition, zone),
  }),
  refersTo: (condition) => [{ type: 'Patient', id: patientIdOf(condition) }],
  withPatient: (condition, from, to) => replaceReference(condition, `Patient/${from}`, `Patient/${to}`),
});

const defineConditionImport = (environment: Environment, facts: ConditionFacts): ImportDefinition => {
  const definition = defineConditionRecord(environment, facts);
  const read = createSourceReader(conditionSchema, 'Condition', ({ id }, { meta: _, ...sent }) => ({
    value: { resourceType: 'Condition', id, ...sent } as Condition,
    issues: [],
  }));
  return {
    importResource: createImporterFromDecision(async (resource, { directory }) => {
      const reading = read(resource);
      if (E.isLeft(reading)) return reading;
      const { value: condition } = reading.right;
      const patient = await directory.require('Patient', patientIdOf(condition), 'Condition.subject');
      if (E.isLeft(patient)) return patient;
      const loaded = await load<Condition>(directory.store, definition, condition.id);
      if (E.isLeft(loaded)) return loaded;
      if (recordExists(loaded.right) && isSameState(loaded.right.state, condition)) {
        return E.right({ changes: [], result: { countedAs: 'unchanged', issues: [] } });
      }
      const checks = await checkReferences(directory.store, definition.refersTo(condition), []);
      if (E.isLeft(checks)) return checks;
      return E.right({
        changes: [createChange(definition, loaded.right, condition, { at: environment.now(), by: null })],
        versionChecks: checks.right,
        result: { countedAs: 'imported', issues: [] },
      });
    }),
  };
};

type Conditions = ReadableResources<Condition, ConditionSearch>;

type ConditionDefinition = ResourceDefinition<'Condition', 'conditions', Condition, Conditions>;

/** A fifth type of resource, which is only imported and read, and is not made of commands. It is searched by some parameters. */
export const createCondition = (
  parameters: ConditionFacts['parameters'] = conditionParameters,
): ConditionDefinition => {
  const facts: ConditionFacts = { ...conditionFacts, parameters };
  return {
    ...facts,
    name: 'conditions',
    schema: () => conditionSchema,
    requests: {},
    isEnd: () => false,
    defineRecord: (environment) => defineConditionRecord(environment, facts),
    createService: (environment, { includes }) =>
      createReadableResources<Condition>(environment, facts, includes),
    functions: createReadTables('Condition'),
    createCommands: null,
    people: ['recorder'],
    otherVersions: [
      { version: 'DSTU2', element: 'dateRecorded', inR4: 'recordedDate' },
      { version: 'DSTU1', type: 'Problem' },
    ],
    defineImport: (environment) => defineConditionImport(environment, facts),
    move: ({ subject: _, ...elements }: Condition, { patientId }) => ({
      state: { ...omitChartReferences(elements), subject: createReference('Patient', patientId) },
      sideChanges: [],
    }),
  };
};

export const condition = createCondition();

const withCondition = (definition: ConditionDefinition): Resources =>
  new Map([...resourcesByType, [definition.type, definition]]);

/** Records that have conditions, too. */
export const createRecordsWithConditions = (
  options: ClinicalRecordsOptions,
  definition: ConditionDefinition = condition,
): ClinicalRecords & { readonly conditions: Conditions } => {
  const records = createRecords(options, withCondition(definition));
  return records as ReturnType<typeof createRecordsWithConditions>;
};
