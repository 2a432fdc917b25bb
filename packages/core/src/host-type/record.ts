import * as E from 'fp-ts/lib/Either.js';
import { maxRecordBytes, recordFullIssue } from '../chart/command-records.ts';
import { omitChartReferences } from '../chart/move-record.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, ruleViolation } from '../errors.ts';
import type { CommonElements } from '../fhir/common-elements.ts';
import { createReference, readReferenceId, replaceReference } from '../fhir/reference.ts';
import { type JsonObject, withNumbers } from '../fhir/schema.ts';
import type { RecordDefinition, ResourceFacts } from '../records/definition.ts';
import { addCommonElements } from '../records/page.ts';
import { type ImportMark, isSameState } from '../records/transact.ts';
import type { MovedRecord, MoveTarget } from '../resource-definition.ts';
import { commonParameters, indexerOf } from '../search/index-entries.ts';
import { bytesOf } from '../store/versions.ts';
import type { AnyHostResource, AnyHostTypeSpec } from './model.ts';

/** A record of a host's type. */
export type HostRecord = {
  readonly id: string;
  /** The elements of the type, as they are stored. One refers to the patient. */
  readonly elements: JsonObject;
  readonly common?: CommonElements | undefined;
  /** The URL of its profile, if it conforms. It is stored, so that a version says what it said when it was written. */
  readonly profile?: string | undefined;
  /** Set if an import has written it. */
  readonly imported?: ImportMark | undefined;
};

export type HostFacts = ResourceFacts<string, AnyHostResource>;

/** A function of the host, which gets numbers in place of the decimals of a state. */
const onNumbers = <A extends readonly unknown[], B>(
  run: (resource: AnyHostResource, ...more: A) => B,
): typeof run => {
  return (resource, ...more) => run(withNumbers(resource), ...more);
};

/** The search parameters of a type, whose functions get numbers. */
const createParameters = (search: AnyHostTypeSpec['search']): AnyHostTypeSpec['search'] =>
  Object.fromEntries(
    Object.entries<{ readonly at: unknown }>(search).map(([name, parameter]) => [
      name,
      typeof parameter.at === 'function' ? { ...parameter, at: onNumbers(parameter.at as never) } : parameter,
    ]),
  );

/** The facts about a host's type. */
export const createFacts = (spec: AnyHostTypeSpec): HostFacts => {
  const { type, initial = type, profile, conforms, patient, search, references } = spec;
  return {
    type,
    initial,
    profile,
    conforms: conforms === undefined ? () => true : onNumbers(conforms),
    inError: spec.inError,
    parameters: {
      _id: { kind: 'id' },
      _lastUpdated: { kind: 'lastUpdated' },
      patient: { kind: 'patient' },
      ...createParameters(search),
      ...commonParameters(profile),
    },
    references: {
      patient: [patient],
      ...(patient === 'subject' && { subject: [patient] }),
      ...Object.fromEntries(Object.entries(references).map(([name, path]) => [name, path.split('.')])),
    },
    elements: { mandatory: spec.mandatory, summary: spec.summary },
  };
};

/** The id of the patient to whose chart a record belongs. */
export const patientIdOf = ({ patient }: Pick<AnyHostTypeSpec, 'patient'>, elements: JsonObject): string =>
  readReferenceId(elements[patient] as { readonly reference: string });

/** Refuses a record that is too large. Each version has all of it. */
export const requireFitting = (record: HostRecord): E.Either<ClinicalError, HostRecord> =>
  bytesOf(JSON.stringify(record)) > maxRecordBytes ? E.left(ruleViolation(recordFullIssue)) : E.right(record);

/** The record with its profile, if it conforms. */
export const withProfile = (
  { type, profile, conforms }: HostFacts,
  { profile: _, ...record }: HostRecord,
): HostRecord => {
  const { id, elements } = record;
  return conforms({ resourceType: type, id, ...elements }) ? { ...record, profile } : record;
};

/** Whether two records say the same, however they were written. */
export const isSameContent = (a: HostRecord, b: HostRecord): boolean =>
  isSameState([a.elements, a.common], [b.elements, b.common]);

/** The resource as which a record is read: what is stored, with the elements that every type has. */
export const deriveResource = (
  type: string,
  { id, elements, common, profile }: HostRecord,
): AnyHostResource =>
  addCommonElements<AnyHostResource>(
    { profile: profile ?? '', conforms: () => profile !== undefined },
    { resourceType: type, id, ...elements },
    common,
  );

/** The record of another patient, into whom its own was merged. */
export const withPatient = (record: HostRecord, from: string, to: string): HostRecord => ({
  ...record,
  elements: replaceReference(record.elements, `Patient/${from}`, `Patient/${to}`),
});

/** How a record of a host's type derives. */
export const defineHostRecord = (
  spec: Pick<AnyHostTypeSpec, 'type' | 'patient'>,
  facts: HostFacts,
  { zone }: Pick<Environment, 'zone'>,
): RecordDefinition<HostRecord> => {
  const { type } = spec;
  return {
    type,
    id: ({ id }) => id,
    patientId: ({ elements }) => patientIdOf(spec, elements),
    derive: (record) => {
      const resource = deriveResource(type, record);
      return { resource, index: indexerOf(facts.parameters)(resource, zone) };
    },
    refersTo: ({ elements }) => [{ type: 'Patient', id: patientIdOf(spec, elements) }],
    withPatient,
  };
};

/** Moves a record to the chart of another patient, without its references to what is in the chart that it leaves. */
export const moveHostRecord =
  ({ patient }: Pick<AnyHostTypeSpec, 'patient'>, facts: HostFacts) =>
  ({ elements, ...record }: HostRecord, { patientId }: MoveTarget): MovedRecord => {
    const { [patient]: _, ...others } = elements;
    const kept: JsonObject = {
      ...omitChartReferences(others),
      [patient]: createReference('Patient', patientId),
    };
    // In their order, so that a write with the same elements changes nothing.
    const moved = Object.fromEntries(
      Object.keys(elements).flatMap((name) => (kept[name] === undefined ? [] : [[name, kept[name]]])),
    );
    return { state: withProfile(facts, { ...record, elements: moved }), sideChanges: [] };
  };
