import * as E from 'fp-ts/lib/Either.js';
import * as z from 'zod';
import type { Environment } from '../environment.ts';
import { invalidRequest } from '../errors.ts';
import { anyConcept } from '../fhir/coding.ts';
import { isPresent } from '../fhir/element.ts';
import { bodyIssue, leftOutIssue } from '../fhir/issues.ts';
import { createReference } from '../fhir/reference.ts';
import type { JsonObject } from '../fhir/schema.ts';
import {
  createCommonReader,
  createElementReader,
  createSourceIdSchema,
  createSourceReader,
  type SentResource,
  type SourceReader,
  type SourceReading,
  sourceElements,
  type WholeReading,
} from '../fhir/source-resource.ts';
import { createFieldReader } from '../host-fields/read-fields.ts';
import type { EventDefinition } from '../importer/identified-records.ts';
import type { ImportDefinition } from '../importer/import-definition.ts';
import { createRecordImporter } from '../importer/record-importer.ts';
import { isEnteredInError } from '../records/page.ts';
import { elementsAt } from '../search/index-entries.ts';
import { choicesOf, type HostBodies } from './bodies.ts';
import type { AnyHostResource, AnyHostTypeSpec } from './model.ts';
import {
  defineHostRecord,
  type HostFacts,
  type HostRecord,
  patientIdOf,
  requireFitting,
  withProfile,
} from './record.ts';

/** The elements without which a body of the type is not valid. */
const requiredElements = ({ elements }: AnyHostTypeSpec): readonly string[] =>
  Object.entries(elements).flatMap(([name, schema]) => (schema.safeParse(undefined).success ? [] : [name]));

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

/** The elements of a resource of another system, with the smallest parts left out that are not valid. */
type ReadSource = Pick<HostRecord, 'id' | 'elements'> & { readonly patientId: string };

const createReader = (
  spec: AnyHostTypeSpec,
  readElements: (resource: SentResource) => SourceReading<JsonObject>,
  { fields }: Pick<Environment, 'fields'>,
): SourceReader<WholeReading<ReadSource>> => {
  const { type, patient } = spec;
  const required = requiredElements(spec);
  const readCommon = createCommonReader(type, createFieldReader(type, fields?.get(type)));
  const identity = z.object({ id: sourceElements.id, [patient]: createSourceIdSchema('Patient') });
  const read = createSourceReader(identity, type, (sent, resource) => {
    const [id, patientId] = [`${sent.id}`, `${sent[patient]}`];
    const reference = createReference('Patient', patientId);
    const own = chooseElements(spec, readElements({ ...resource, [patient]: reference }));
    const common = readCommon(resource);
    return {
      value: { sent: { id, patientId, elements: own.value }, common: common.value },
      issues: [...own.issues, ...common.issues],
    };
  });
  return (resource) => {
    const reading = read(resource);
    if (E.isLeft(reading)) return reading;
    const { sent, common } = reading.right.value;
    const missing = required.filter((name) => !isPresent(sent.elements[name]));
    if (missing.length > 0)
      return E.left(invalidRequest(missing.map((name) => bodyIssue('required', `${type}.${name}`))));
    const fitting = requireFitting({ ...sent, common });
    return E.isLeft(fitting) ? fitting : reading;
  };
};

/** How a resource is known again by its identifiers; null if the host does not say what else must be equal. */
const eventOf = ({ identity }: AnyHostTypeSpec): EventDefinition<AnyHostResource> | null => {
  if (identity === null) return null;
  const { concept, date } = identity;
  return {
    of: (resource) => {
      const [found] = elementsAt(resource, [concept.split('.')]);
      const [time] = date === undefined ? [] : elementsAt(resource, [date.split('.')]);
      return {
        concept: anyConcept.safeParse(found).data ?? {},
        ...(typeof time === 'string' && { date: time }),
      };
    },
  };
};

/** Creates the import of a host's type. */
export const defineHostImport = (
  spec: AnyHostTypeSpec,
  facts: HostFacts,
  { elementsOf }: HostBodies,
  environment: Environment,
): ImportDefinition => {
  const { type, patient, elements, inError } = spec;
  const readElements = createElementReader<JsonObject>(type, elements);
  const [statusElement = ''] = inError.split('.');
  const event = eventOf(spec);
  const withElements = (record: HostRecord, changed: JsonObject): HostRecord =>
    withProfile(facts, { ...record, elements: elementsOf({ ...record.elements, ...changed }) });

  return {
    isKnownByIdentifier: event !== null,
    importResource: createRecordImporter(environment)<ReadSource, HostRecord, AnyHostResource>({
      facts,
      recordDefinition: defineHostRecord(spec, facts, environment),
      event,
      read: createReader(spec, readElements, environment),
      toSource: (resource) => resource,
      patientIdOf: (record) => patientIdOf(spec, record.elements),
      ofPatient: (record, patientId) =>
        withElements(record, { [patient]: createReference('Patient', patientId) }),
      contentOf: (record) => [record.elements, record.common],
      isInError: (record) => isEnteredInError(facts, record.elements),
      enterInError: (record, { asSent }) => {
        const { value } = readElements({ [statusElement]: asSent[statusElement] });
        return withElements(record, value);
      },
      prepare: async ({ id, patientId, elements: sent }, _at, { directory }, existing) => {
        const known =
          existing === null
            ? await directory.require('Patient', patientId, `${type}.${patient}`)
            : E.right(null);
        if (E.isLeft(known)) return known;
        return E.right({ record: withElements({ id, elements: sent }, {}), sideChanges: [] });
      },
    }),
  };
};
