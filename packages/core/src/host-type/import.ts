import * as E from 'fp-ts/lib/Either.js';
import * as z from 'zod';
import type { Environment } from '../environment.ts';
import { type ClinicalError, invalidRequest, ruleViolation } from '../errors.ts';
import { isPresent } from '../fhir/element.ts';
import { bodyIssue, leftOutIssue } from '../fhir/issues.ts';
import { createReference } from '../fhir/reference.ts';
import type { JsonObject } from '../fhir/schema.ts';
import {
  createCommonReader,
  createElementReader,
  createSourceIdSchema,
  createSourceReader,
  readLastUpdated,
  type SourceReader,
  type SourceReading,
  sourceElements,
} from '../fhir/source-resource.ts';
import { createFieldReader } from '../host-fields/read-fields.ts';
import { findLostElements, importIssue } from '../importer/import-report.ts';
import { createImporterFromDecision, type ImportDefinition } from '../importer/record-importer.ts';
import { decideRepeatedLoad, type UpdateMode } from '../importer/repeated-load.ts';
import { isEnteredInError } from '../records/page.ts';
import { createChange, createVersionCheck, load } from '../records/transact.ts';
import { choicesOf, type HostBodies } from './bodies.ts';
import type { AnyHostTypeSpec } from './model.ts';
import {
  defineHostRecord,
  type HostFacts,
  type HostRecord,
  isSameContent,
  patientIdOf,
  requireFitting,
  withProfile,
} from './record.ts';

/** The elements without which a body of the type is not valid. */
const requiredElements = ({ elements }: AnyHostTypeSpec): readonly string[] =>
  Object.entries(elements).flatMap(([name, schema]) => (schema.safeParse(undefined).success ? [] : [name]));

/** A resource of another system, with the smallest parts left out that are not valid. */
type ReadSource = Omit<HostRecord, 'imported'> & { readonly source: NonNullable<HostRecord['imported']> };

/** Of each choice, keeps the first element, and reports the others as left out. */
const chooseElements = (
  spec: AnyHostTypeSpec,
  { value, issues }: SourceReading<JsonObject>,
): SourceReading<JsonObject> => {
  const others = choicesOf(spec).flatMap((names) => names.filter((name) => isPresent(value[name])).slice(1));
  return {
    value: Object.fromEntries(Object.entries(value).filter(([name]) => !others.includes(name))),
    issues: [
      ...issues,
      ...others.map((name) => leftOutIssue(`${spec.type}.${name}`, bodyIssue('many').message)),
    ],
  };
};

const createReader = (
  spec: AnyHostTypeSpec,
  environment: Pick<Environment, 'now' | 'fields'>,
): SourceReader<ReadSource> => {
  const { type, patient, elements } = spec;
  const readElements = createElementReader<JsonObject>(type, elements);
  const readCommon = createCommonReader(type, createFieldReader(type, environment.fields?.get(type)));
  const identity = z.object({ id: sourceElements.id, [patient]: createSourceIdSchema('Patient') });
  return createSourceReader(identity, type, ({ id, [patient]: patientId }, sent) => {
    const own = chooseElements(
      spec,
      readElements({ ...sent, [patient]: createReference('Patient', `${patientId}`) }),
    );
    const common = readCommon(sent);
    return {
      value: {
        id: `${id}`,
        elements: own.value,
        common: common.value,
        source: readLastUpdated(sent, environment.now()),
      },
      issues: [...own.issues, ...common.issues],
    };
  });
};

/** Creates the import of a host's type. A source changes only what nobody has changed here since it was imported. */
export const defineHostImport = (
  spec: AnyHostTypeSpec,
  facts: HostFacts,
  { elementsOf }: HostBodies,
  environment: Environment,
): ImportDefinition => {
  const { type, patient } = spec;
  const definition = defineHostRecord(spec, facts, environment);
  const required = requiredElements(spec);
  const read = createReader(spec, environment);
  const isInError = ({ elements }: Pick<HostRecord, 'elements'>) => isEnteredInError(facts, elements);

  /** The record that a source becomes. One that is stripped, because it is in error, keeps the elements that are known. */
  const toRecord = (
    { id, elements, common, source }: ReadSource,
    before: HostRecord | null,
  ): E.Either<ClinicalError, HostRecord> => {
    const whole = before !== null && isInError({ elements }) ? { ...before.elements, ...elements } : elements;
    const missing = required.filter((name) => !isPresent(whole[name]));
    return missing.length > 0
      ? E.left(invalidRequest(missing.map((name) => bodyIssue('required', `${type}.${name}`))))
      : requireFitting(withProfile(facts, { id, elements: elementsOf(whole), common, imported: source }));
  };

  /** Decides about a source whose record exists. */
  const decide = (before: HostRecord, after: HostRecord, updates: UpdateMode) =>
    decideRepeatedLoad({
      isSame: isSameContent(before, after),
      isInError: { sent: isInError(after), known: isInError(before) },
      sent: after.imported ?? {},
      known: before.imported,
      updates,
    });

  return {
    importResource: createImporterFromDecision(async (resource, { directory, updates }) => {
      const reading = read(resource);
      if (E.isLeft(reading)) return reading;
      const { value, issues } = reading.right;
      const loaded = await load(directory.store, definition, value.id);
      if (E.isLeft(loaded)) return loaded;
      const before = loaded.right.state;
      const record = toRecord(value, before);
      if (E.isLeft(record)) return record;
      const after = record.right;
      const patientId = patientIdOf(spec, after.elements);
      const known = await directory.require('Patient', patientId, `${type}.${patient}`);
      if (E.isLeft(known)) return known;
      if (before !== null && patientIdOf(spec, before.elements) !== patientId)
        return E.left(ruleViolation(importIssue('resource-of-another-patient', `${type}.id`)));
      const derived = definition.derive(after);
      const lostElements = findLostElements(resource, { ...derived?.resource, meta: after.common }, type);
      const result = before === null ? 'imported' : decide(before, after, updates);
      if (result !== 'imported' && result !== 'updated') {
        const refused = result === 'unchanged' ? [] : [importIssue(result, `${type}.id`)];
        return E.right({
          changes: [],
          result: { countedAs: 'unchanged', issues: [...issues, ...refused], lostElements },
        });
      }
      return E.right({
        changes: [
          createChange(definition, loaded.right, after, { at: environment.now(), by: null }, derived),
        ],
        versionChecks: [createVersionCheck({ type: 'Patient' }, known.right)],
        result: { countedAs: result, issues, lostElements },
      });
    }),
  };
};
