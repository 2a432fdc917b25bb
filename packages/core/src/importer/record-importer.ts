import * as E from 'fp-ts/lib/Either.js';
import * as z from 'zod';
import type { Warned } from '../access/warnings.ts';
import { addSourceReason, type ChartRecord, hasEnded } from '../chart/command.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { displayOf, type MemberType, unknownEntryIssue } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type Issue, type Outcome, ruleViolation, toClinicalError } from '../errors.ts';
import {
  readSourceId,
  type SentResource,
  type SourceDetails,
  type SourceReader,
  type SourceReading,
  sourceElements,
} from '../fhir/source-resource.ts';
import type { DerivedResource, RecordDefinition, ResourceFacts } from '../records/definition.ts';
import { isEnteredInError } from '../records/page.ts';
import { createChange, type Decision, type LoadedRecord, load, recordExists } from '../records/transact.ts';
import type { ClinicalStore, RecordChange, RecordRef, VersionCheck } from '../store/port.ts';
import { exactVersion } from '../store/versions.ts';
import { createFittingReader, type ReadResource } from './fitting-reader.ts';
import {
  createRecognizer,
  type EventDefinition,
  type IdentifiedRecords,
  unidentified,
} from './identified-records.ts';
import { findLostElements, importIssue } from './import-report.ts';
import type { OtherVersion } from './other-formats.ts';

/**
 * Imports resources of one type: looks up what may take long, such as an answer of the host, and returns the decision. It is
 * built once, and keeps no store.
 */
export type ResourceImporter = (resource: unknown, context: ImportContext) => Outcome<ImportDecision>;

/** Decides what to write of a resource, by the current state of the store. */
export type ImportDecision = () => Outcome<Decision<ImportOutcome>>;

export type ImportOutcome = Warned & {
  /**
   * The column of the report that counts the resource. A resource is `waiting` for others that it refers to, and is imported
   * again once these may be there. Null where no column counts it, and the issues say why.
   */
  readonly countedAs: 'imported' | 'unchanged' | 'waiting' | null;
  /** The issues of the parts of the resource that were not imported. */
  readonly issues: readonly Issue[];
  /** The elements of a resource that cannot be read here, by their paths, each as often as it is lost. */
  readonly lostElements?: readonly string[];
  /** The member of care teams whose name may have changed. A new member is in no team yet. */
  readonly member?: { readonly type: MemberType; readonly id: string; readonly isNew: boolean };
};

export type ImportContext = {
  /** The directory on the store into which the resource is imported. */
  readonly directory: DirectoryRecords;
  /**
   * Whether no resource follows that might be one of those referred to. Only then is a resource imported without references
   * that are unknown.
   */
  readonly isLastPass: boolean;
  /** Whether a note that an immunization names, and the directory lacks, is created under its id. */
  readonly createNotes: boolean;
  /** The records that may have the business identifiers of the resources. */
  readonly identified: IdentifiedRecords;
};

/** How the resources of one type are imported. */
export type ImportDefinition = {
  readonly importResource: ResourceImporter;
  /** Whether they come after those of all other types. */
  readonly isLast?: boolean;
  /** Whether a record is known by a business identifier of a resource, too. */
  readonly isKnownByIdentifier?: boolean;
  /** Whether they wait for the encounter to which they refer. */
  readonly requiresEncounter?: boolean;
  /** The ids of the records that an import reads for a patient, of a type of which each patient has one. */
  readonly recordIds?: (patientId: string) => readonly string[];
};

/** The import of the resources of one type. */
export type TypeImport = ImportDefinition & {
  /** Whether each patient has one, under the id of the patient. */
  readonly isOnePerPatient?: boolean;
  /** The elements in which another system names practitioners and organizations. */
  readonly people: readonly string[];
  readonly otherVersions: readonly OtherVersion[];
};

/** The imports by the types of their resources. */
export type ImportDefinitions = ReadonlyMap<string, TypeImport>;

/**
 * The version checks of the records to which a record refers, except records that change with it. A record may have been read
 * long ago, and its chart may have been merged or erased since.
 */
const checkReferences = async (
  store: ClinicalStore,
  refs: readonly RecordRef[],
  changes: readonly RecordRef[],
): Outcome<readonly VersionCheck[]> => {
  const versionChecks: VersionCheck[] = [];
  for (const { type, id } of refs) {
    if (changes.some((change) => change.type === type && change.id === id)) continue;
    const stored = await store.read({ type, id });
    if (E.isLeft(stored)) return E.left(toClinicalError(stored.left));
    if (stored.right !== null) versionChecks.push({ type, id, expects: exactVersion(stored.right.version) });
  }
  return E.right(versionChecks);
};

export const waitingDecision: Decision<ImportOutcome> = {
  changes: [],
  result: { countedAs: 'waiting', issues: [] },
};

/** Makes an importer of a decision that needs no lookup before it. */
export const createImporterFromDecision =
  (decide: (resource: unknown, context: ImportContext) => ReturnType<ImportDecision>): ResourceImporter =>
  async (resource, context) =>
    E.right(() => decide(resource, context));

/** The record that a resource is about. The source may have removed the patient. */
type SourceRecordIdentity = { readonly id: string; readonly patientId: string | undefined };

const patientSchema = sourceElements.reference.optional();

const identitySchema = z.object({ id: sourceElements.id, subject: patientSchema, patient: patientSchema });

/** The record that a resource is about, whatever else its system has left in it. Null if it does not say so. */
const readIdentity = (resource: unknown): SourceRecordIdentity | null => {
  const { data } = identitySchema.safeParse(resource);
  return data === undefined
    ? null
    : { id: data.id, patientId: readSourceId('Patient', data.subject ?? data.patient) };
};

/** The record that a resource becomes, and the changes beside it. */
export type PreparedRecord<Body> = {
  readonly record: ChartRecord<Body>;
  readonly sideChanges: readonly RecordChange[];
};

/** Defines the import of one type into records of commands. `prepare` and `complete` return null for a resource that has to wait. */
type RecordImportDefinition<Read, Body, Resource> = {
  /** How a record is known again by a business identifier. */
  readonly event: EventDefinition<Resource>;
  readonly facts: Pick<ResourceFacts, 'type' | 'inError'>;
  readonly recordDefinition: RecordDefinition<ChartRecord<Body>>;
  readonly read: SourceReader<Read>;
  /** The resource that derives from a record, in the form in which other systems send it. */
  readonly toSource: (resource: Resource) => object;
  readonly prepare: (
    sent: Read,
    at: number,
    context: ImportContext,
    existing: ChartRecord<Body> | null,
  ) => Outcome<PreparedRecord<Body> | null>;
  /** Adds to the record what the directory knows, and finds the parts of the resource that the record lacks. */
  readonly complete: (
    sent: Read,
    record: ChartRecord<Body>,
    context: ImportContext,
  ) => Outcome<SourceReading<ChartRecord<Body>> | null>;
};

const unchanged = (
  issues: readonly Issue[],
  lostElements: readonly string[] = [],
): E.Either<never, Decision<ImportOutcome>> =>
  E.right({ changes: [], result: { countedAs: 'unchanged', issues, lostElements } });

/** Loads the record that a resource is about, which must not be of another patient. */
const loadRecord = async <Body>(
  store: ClinicalStore,
  definition: RecordDefinition<ChartRecord<Body>>,
  { id, patientId }: SourceRecordIdentity,
): Outcome<LoadedRecord<ChartRecord<Body>>> => {
  const loaded = await load(store, definition, id);
  if (E.isLeft(loaded) || !recordExists(loaded.right) || patientId === undefined) return loaded;
  return loaded.right.state.patientId === patientId
    ? loaded
    : E.left(ruleViolation(importIssue('resource-of-another-patient', `${definition.type}.id`)));
};

/** Imports resources of one type into the chart. A record that exists stays as the clinic has it. */
export const createRecordImporter =
  ({ now, zone, extensionBase }: Pick<Environment, 'now' | 'zone' | 'extensionBase'>) =>
  <
    Read extends ReadResource & SourceRecordIdentity & { readonly patientId: string },
    Body,
    Resource extends object,
  >({
    event,
    facts,
    recordDefinition,
    read,
    toSource,
    prepare,
    complete,
  }: RecordImportDefinition<Read, Body, Resource>): ResourceImporter => {
    const readFitting = createFittingReader(read, recordDefinition.type);
    const showAsSent = (derived: DerivedResource | null) => derived && toSource(derived.resource as Resource);
    const recognize = createRecognizer({
      facts,
      event,
      zone,
      derive: (record: ChartRecord<Body>) =>
        (recordDefinition.derive(record)?.resource ?? null) as Resource | null,
      toSource,
    });
    return createImporterFromDecision(async (resource, context) => {
      const reading = readFitting(resource);
      const asSent = resource as SentResource;
      const isInError = isEnteredInError(facts, asSent);
      const identified: E.Either<ClinicalError, SourceRecordIdentity> = E.isRight(reading)
        ? E.right(reading.right.value.sent)
        : E.fromNullable(reading.left)(isInError ? readIdentity(resource) : null);
      if (E.isLeft(identified)) return identified;
      const { store } = context.directory;
      const loaded = await loadRecord(store, recordDefinition, identified.right);
      if (E.isLeft(loaded)) return loaded;
      const existing = recordExists(loaded.right) ? loaded.right : null;
      const isRetracted = isInError && existing !== null && !hasEnded(existing.state.commands[0]);
      const retracted = isRetracted ? [importIssue('entered-in-error-at-source')] : [];
      // Its system has stripped the resource: it says only that it was entered in error.
      if (E.isLeft(reading)) return existing === null ? reading : unchanged(retracted);
      const { value, issues } = reading.right;
      const { sent, common } = value;
      const at = now();
      const prepared = await prepare(sent, at, context, existing?.state ?? null);
      if (E.isLeft(prepared)) return prepared;
      if (prepared.right === null) return E.right(waitingDecision);
      const { record, sideChanges } = prepared.right;
      const recognized =
        existing === null && asSent.identifier !== undefined
          ? await recognize(
              { record: { ...record, common }, isInError, sent: asSent, at },
              store,
              context.identified,
            )
          : unidentified;
      if (E.isLeft(recognized)) return recognized;
      const { event: which, issues: known, changes: identifying } = recognized.right;
      if (which === 'same') return unchanged(known);
      if (which === 'unclear') return E.right({ changes: [], result: { countedAs: null, issues: known } });
      const completed = await complete(sent, record, context);
      if (E.isLeft(completed)) return completed;
      if (completed.right === null) return E.right(waitingDecision);
      const { value: named, issues: lost } = completed.right;
      const withCommon = { ...named, common };
      const completeRecord = isInError ? addSourceReason(extensionBase, withCommon, asSent) : withCommon;
      const allIssues = [...issues, ...lost, ...retracted, ...known];
      const derived = recordDefinition.derive(completeRecord);
      const lostElements = findLostElements(
        resource,
        { ...showAsSent(derived), meta: common, identifier: common?.identifier },
        recordDefinition.type,
      );
      if (existing !== null) return unchanged(allIssues, lostElements);
      const references = recordDefinition.refersTo(completeRecord);
      const versionChecks = await checkReferences(store, references, sideChanges);
      if (E.isLeft(versionChecks)) return versionChecks;
      const change = createChange(recordDefinition, loaded.right, completeRecord, { at, by: null }, derived);
      return E.right({
        changes: [change, ...sideChanges, ...identifying],
        versionChecks: versionChecks.right,
        result: { countedAs: 'imported', issues: allIssues, lostElements },
      });
    });
  };

/** Prepares the record of a patient, who must be known if it is new; `subject` is the element that refers to the patient. */
export const requirePatient =
  (subject: string) =>
  async <Body>(
    { id, patientId, commands }: ChartRecord<Body>,
    _at: number,
    { directory }: ImportContext,
    existing: ChartRecord<Body> | null,
  ): Outcome<PreparedRecord<Body>> => {
    const patient =
      existing === null ? await directory.require('Patient', patientId, subject) : E.right(null);
    return E.isLeft(patient) ? patient : E.right({ record: { id, patientId, commands }, sideChanges: [] });
  };

/**
 * Adds the names of the practitioners to whom a resource refers, and reports the unknown ones, whose ids the record keeps.
 * Null where they may still come.
 */
export const addNames =
  <Chart>(nameAuthors: (record: Chart, displays: ReadonlyMap<string, string>) => Chart) =>
  async (
    { practitioners }: SourceDetails,
    record: Chart,
    { directory, isLastPass }: ImportContext,
  ): Outcome<SourceReading<Chart> | null> => {
    const issues: Issue[] = [];
    const displays = new Map<string, string>();
    for (const { id, element } of practitioners) {
      const practitioner = await directory.find('Practitioner', id);
      if (E.isLeft(practitioner)) return practitioner;
      if (recordExists(practitioner.right)) displays.set(id, displayOf(practitioner.right.state));
      else if (!isLastPass) return E.right(null);
      else issues.push(unknownEntryIssue('Practitioner', element));
    }
    return E.right({ value: nameAuthors(record, displays), issues });
  };
