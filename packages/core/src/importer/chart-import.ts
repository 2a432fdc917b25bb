import * as E from 'fp-ts/lib/Either.js';
import { addSourceReason, type ChartRecord, hasEnded } from '../chart/command.ts';
import { displayOf, unknownEntryIssue } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type Issue, type Outcome, ruleViolation, toClinicalError } from '../errors.ts';
import {
  readLastUpdated,
  type SentResource,
  type SourceDetails,
  type SourceReader,
  type SourceReading,
} from '../fhir/source-resource.ts';
import { createFieldReader } from '../host-fields/read-fields.ts';
import type { DerivedResource, RecordDefinition, ResourceFacts } from '../records/definition.ts';
import { isEnteredInError } from '../records/page.ts';
import {
  createChange,
  type Decision,
  type ExistingRecord,
  isSameState,
  type LoadedRecord,
  load,
  recordExists,
} from '../records/transact.ts';
import type { ClinicalStore, RecordChange, RecordRef, VersionCheck } from '../store/port.ts';
import { exactVersion } from '../store/versions.ts';
import { createFittingReader, type ReadResource, type WholeReading } from './fitting-reader.ts';
import {
  createRecognizer,
  describeMissing,
  type EventDefinition,
  unidentified,
} from './identified-records.ts';
import { checkChartDates } from './implausible-dates.ts';
import { findLostElements, findRemovedElements, importIssue } from './import-report.ts';
import {
  type ImportContext,
  type ImportDecision,
  type ImportOutcome,
  type ResourceImporter,
  waitingDecision,
} from './record-importer.ts';
import {
  decideRepeatedLoad,
  enterInError,
  findImportedState,
  readIdentity,
  type SourceRecordIdentity,
} from './repeated-load.ts';

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
  /** The record with what an earlier import has added to it: the names of authors, and the ids of notes. */
  readonly continueFrom?: (before: ChartRecord<Body>, record: ChartRecord<Body>) => ChartRecord<Body>;
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

/** Whether a patient was merged into another one, directly or by way of others. */
const isMergedInto = async (
  directory: ImportContext['directory'],
  id: string,
  intoId: string,
): Outcome<boolean> => {
  const patient = await directory.find('Patient', id);
  if (E.isLeft(patient)) return patient;
  const { replacedBy } = patient.right.state ?? {};
  if (replacedBy === undefined) return E.right(false);
  return replacedBy === intoId ? E.right(true) : isMergedInto(directory, replacedBy, intoId);
};

/** Loads the record that a resource is about. It must be of the same patient, or of the one into whom that was merged. */
const loadKnownRecord = async <Body>(
  { directory }: ImportContext,
  definition: RecordDefinition<ChartRecord<Body>>,
  { id, patientId }: SourceRecordIdentity,
): Outcome<LoadedRecord<ChartRecord<Body>>> => {
  const loaded = await load(directory.store, definition, id);
  if (E.isLeft(loaded) || !recordExists(loaded.right) || patientId === undefined) return loaded;
  const ownerId = loaded.right.state.patientId;
  const isOwned = ownerId === patientId ? E.right(true) : await isMergedInto(directory, patientId, ownerId);
  if (E.isLeft(isOwned)) return isOwned;
  return isOwned.right
    ? loaded
    : E.left(ruleViolation(importIssue('resource-of-another-patient', `${definition.type}.id`)));
};

/** A resource as it was sent, whether its system has entered it in error, and the time of the import. */
type SourceFacts = { readonly asSent: SentResource; readonly isInError: boolean; readonly at: number };

/** The record that a resource becomes, with what derives from it. */
type SourceRecord<Body> = {
  readonly record: ChartRecord<Body>;
  /** The record without what the directory adds to it, which says nothing about the source. */
  readonly asRead: ChartRecord<Body>;
  readonly derived: DerivedResource | null;
  readonly issues: readonly Issue[];
  readonly lostElements: readonly string[];
  readonly sideChanges: readonly RecordChange[];
};

/** Imports resources of one type into the chart. A record that exists is updated if only imports have written it. */
export const createRecordImporter =
  ({ now, zone, extensionBase, fields }: Pick<Environment, 'now' | 'zone' | 'extensionBase' | 'fields'>) =>
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
    continueFrom = (_before, record) => record,
    complete,
  }: RecordImportDefinition<Read, Body, Resource>): ResourceImporter => {
    const { type } = recordDefinition;
    const readFitting = createFittingReader(read, type, createFieldReader(type, fields?.get(type)));
    const showAsSent = (derived: DerivedResource | null, { common }: Pick<ChartRecord<Body>, 'common'>) => ({
      ...(derived && toSource(derived.resource as Resource)),
      meta: common,
      identifier: common?.identifier,
    });
    const recognize = createRecognizer({
      facts,
      event,
      zone,
      derive: (record: ChartRecord<Body>) =>
        (recordDefinition.derive(record)?.resource ?? null) as Resource | null,
      toSource,
    });

    /** Reads the record that a resource becomes, after the one of an earlier import. Null where it has to wait. */
    const toSourceRecord = async (
      { value: { sent, common }, issues }: SourceReading<WholeReading<Read>>,
      before: ChartRecord<Body> | null,
      { asSent, isInError, at }: SourceFacts,
      context: ImportContext,
    ): Outcome<SourceRecord<Body> | null> => {
      const prepared = await prepare(sent, at, context, before);
      if (E.isLeft(prepared) || prepared.right === null) return prepared as E.Either<ClinicalError, null>;
      const { record: own, sideChanges } = prepared.right;
      const continued = before === null ? own : continueFrom(before, { ...own, patientId: before.patientId });
      const completed = await complete(sent, continued, context);
      if (E.isLeft(completed) || completed.right === null) return completed as E.Either<ClinicalError, null>;
      const { value, issues: lost } = completed.right;
      const imported = readLastUpdated(asSent, at);
      const toWhole = (part: ChartRecord<Body>): ChartRecord<Body> => {
        const whole = { ...part, common, imported };
        return isInError ? addSourceReason(extensionBase, whole, asSent) : whole;
      };
      const record = toWhole(value);
      const dates = await checkChartDates(context.directory, asSent, record.patientId, {
        type,
        now: at,
        zone,
      });
      if (E.isLeft(dates)) return dates;
      const derived = recordDefinition.derive(record);
      const lostElements = findLostElements(asSent, showAsSent(derived, record), type);
      return E.right({
        ...{ record, asRead: toWhole(continued), derived, lostElements, sideChanges },
        issues: [...issues, ...lost, ...dates.right],
      });
    };

    const writeRecord = async (
      loaded: LoadedRecord<ChartRecord<Body>>,
      { record, derived, sideChanges }: Pick<SourceRecord<Body>, 'record' | 'derived' | 'sideChanges'>,
      result: ImportOutcome,
      { store, at }: { readonly store: ClinicalStore; readonly at: number },
    ): Outcome<Decision<ImportOutcome>> => {
      const versionChecks = await checkReferences(store, recordDefinition.refersTo(record), sideChanges);
      if (E.isLeft(versionChecks)) return versionChecks;
      const change = createChange(recordDefinition, loaded, record, { at, by: null }, derived);
      return E.right({ changes: [change, ...sideChanges], versionChecks: versionChecks.right, result });
    };

    /** Decides about a resource whose record exists. `source` is null if its system has stripped it. */
    const importAgain = async (
      existing: ExistingRecord<ChartRecord<Body>>,
      imported: ChartRecord<Body>,
      source: SourceRecord<Body> | null,
      { asSent, isInError, at }: SourceFacts,
      { directory: { store }, updates }: ImportContext,
    ): Outcome<Decision<ImportOutcome>> => {
      const mark = readLastUpdated(asSent, at);
      const record = source?.record ?? { ...enterInError(existing.state, at), imported: mark };
      const { issues = [], lostElements = [], sideChanges = [] } = source ?? {};
      const derived = source === null ? recordDefinition.derive(record) : source.derived;
      const before = recordDefinition.derive(imported);
      const result = decideRepeatedLoad({
        isSame:
          source !== null && isSameState(before?.resource, recordDefinition.derive(source.asRead)?.resource),
        isInError: { sent: isInError, known: hasEnded(existing.state.commands[0]) },
        sent: mark,
        known: existing.state.imported,
        updates,
      });
      if (result === 'unchanged') return unchanged(issues, lostElements);
      if (result !== 'updated') {
        const issue = importIssue(result);
        const current = recordDefinition.derive(existing.state);
        const missing = isInError ? '' : describeMissing(type, asSent, showAsSent(current, existing.state));
        return unchanged([...issues, { ...issue, message: `${issue.message}${missing}` }], lostElements);
      }
      const removedElements = findRemovedElements(
        showAsSent(before, imported),
        showAsSent(derived, record),
        type,
      );
      const outcome = { countedAs: 'updated', issues, lostElements, removedElements } as const;
      return writeRecord(existing, { record, derived, sideChanges }, outcome, { store, at });
    };

    /** Decides about a resource that has no record under its id. The patient may have it under another one. */
    const importNew = async (
      loaded: LoadedRecord<ChartRecord<Body>>,
      source: SourceRecord<Body>,
      { asSent, isInError, at }: SourceFacts,
      { directory: { store }, identified }: ImportContext,
    ): Outcome<Decision<ImportOutcome>> => {
      const { record, issues, lostElements } = source;
      const recognized =
        asSent.identifier === undefined
          ? unidentified
          : await recognize({ record, isInError, sent: asSent, at }, store, identified);
      if (E.isLeft(recognized)) return recognized;
      const { event: which, issues: known, changes } = recognized.right;
      if (which === 'same') return unchanged(known);
      if (which === 'unclear') return E.right({ changes: [], result: { countedAs: null, issues: known } });
      const written = { ...source, sideChanges: [...source.sideChanges, ...changes] };
      const result = { countedAs: 'imported', issues: [...issues, ...known], lostElements } as const;
      return writeRecord(loaded, written, result, { store, at });
    };

    const decide = async (resource: unknown, context: ImportContext): ReturnType<ImportDecision> => {
      const reading = readFitting(resource);
      const asSent = resource as SentResource;
      const facet = { asSent, isInError: isEnteredInError(facts, asSent), at: now() };
      const identified: E.Either<ClinicalError, SourceRecordIdentity> = E.isRight(reading)
        ? E.right(reading.right.value.sent)
        : E.fromNullable(reading.left)(facet.isInError ? readIdentity(resource) : null);
      if (E.isLeft(identified)) return identified;
      const loaded = await loadKnownRecord(context, recordDefinition, identified.right);
      if (E.isLeft(loaded)) return loaded;
      const existing = recordExists(loaded.right) ? loaded.right : null;
      if (E.isLeft(reading) && existing === null) return reading;
      const before =
        existing === null ? E.right(null) : await findImportedState(context.directory.store, type, existing);
      if (E.isLeft(before)) return before;
      const source = E.isLeft(reading)
        ? E.right(null)
        : await toSourceRecord(reading.right, before.right, facet, context);
      if (E.isLeft(source)) return source;
      if (E.isRight(reading) && source.right === null) return E.right(waitingDecision);
      return existing !== null && before.right !== null
        ? importAgain(existing, before.right, source.right, facet, context)
        : importNew(loaded.right, source.right as SourceRecord<Body>, facet, context);
    };

    return async (resource, context) => E.right(() => decide(resource, context));
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
