import * as E from 'fp-ts/lib/Either.js';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type Issue, type Outcome, ruleViolation, toClinicalError } from '../errors.ts';
import type { CommonElements } from '../fhir/common-elements.ts';
import {
  readLastUpdated,
  type SentResource,
  type SourceReader,
  type SourceReading,
  type WholeReading,
} from '../fhir/source-resource.ts';
import type { DerivedResource, RecordDefinition, ResourceFacts } from '../records/definition.ts';
import { isEnteredInError } from '../records/page.ts';
import {
  createChange,
  type Decision,
  type ExistingRecord,
  type ImportMark,
  isSameState,
  type LoadedRecord,
  load,
  recordExists,
} from '../records/transact.ts';
import type { ClinicalStore, RecordChange, RecordRef, VersionCheck } from '../store/port.ts';
import { exactVersion } from '../store/versions.ts';
import {
  createRecognizer,
  describeMissing,
  type EventDefinition,
  unidentified,
} from './identified-records.ts';
import { checkChartDates } from './implausible-dates.ts';
import {
  type ImportContext,
  type ImportDecision,
  type ImportOutcome,
  type ResourceImporter,
  waitingDecision,
} from './import-definition.ts';
import { findLostElements, findRemovedElements, importIssue } from './import-report.ts';
import {
  decideRepeatedLoad,
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

/** The parts of the state of a record that every import writes. */
type ImportedState = {
  readonly common?: CommonElements | undefined;
  /** Set if an import has written it. */
  readonly imported?: ImportMark | undefined;
};

/** A resource as it was sent, whether its system has entered it in error, and the time of the import. */
export type SourceFacts = { readonly asSent: SentResource; readonly isInError: boolean; readonly at: number };

/** The record that a resource becomes, and the changes beside it. */
export type PreparedRecord<State> = { readonly record: State; readonly sideChanges: readonly RecordChange[] };

/** Defines the import of one type into its records. `prepare` and `complete` return null for a resource that has to wait. */
export type RecordImport<Read, State, Resource> = {
  readonly facts: Pick<ResourceFacts, 'inError'>;
  readonly recordDefinition: RecordDefinition<State>;
  /** How a record is known again by a business identifier; null if it is not. */
  readonly event: EventDefinition<Resource> | null;
  /** Reads as much of a resource as a record can hold. */
  readonly read: SourceReader<WholeReading<Read>>;
  /** The resource that derives from a record, in the form in which other systems send it. */
  readonly toSource: (resource: Resource) => object;
  readonly patientIdOf: (record: State) => string;
  /** The same record in the chart into which its patient was merged. */
  readonly ofPatient: (record: State, patientId: string) => State;
  /** The content by which it is found whether the source says something else now. */
  readonly contentOf: (record: State) => unknown;
  readonly isInError: (record: State) => boolean;
  /** The record of a resource of which its system has left only that it was entered in error. */
  readonly enterInError: (record: State, source: SourceFacts) => State;
  readonly prepare: (
    sent: Read,
    at: number,
    context: ImportContext,
    existing: State | null,
  ) => Outcome<PreparedRecord<State> | null>;
  /** The record with what an earlier import has added to it: the names of authors, and the ids of notes. */
  readonly continueFrom?: (before: State, record: State) => State;
  /** Adds to the record what the directory knows, and finds the parts of the resource that the record lacks. */
  readonly complete?: (
    sent: Read,
    record: State,
    context: ImportContext,
  ) => Outcome<SourceReading<State> | null>;
  /** Adds what only a whole record has. */
  readonly finish?: (record: State, source: SourceFacts) => State;
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
const loadKnownRecord = async <State>(
  { directory }: ImportContext,
  {
    recordDefinition,
    patientIdOf,
  }: Pick<RecordImport<never, State, never>, 'recordDefinition' | 'patientIdOf'>,
  { id, patientId }: SourceRecordIdentity,
): Outcome<LoadedRecord<State>> => {
  const loaded = await load(directory.store, recordDefinition, id);
  if (E.isLeft(loaded) || !recordExists(loaded.right) || patientId === undefined) return loaded;
  const ownerId = patientIdOf(loaded.right.state);
  const isOwned = ownerId === patientId ? E.right(true) : await isMergedInto(directory, patientId, ownerId);
  if (E.isLeft(isOwned)) return isOwned;
  return isOwned.right
    ? loaded
    : E.left(ruleViolation(importIssue('resource-of-another-patient', `${recordDefinition.type}.id`)));
};

/** The record that a resource becomes, with what derives from it. */
type SourceRecord<State> = {
  readonly record: State;
  /** The record without what the directory adds to it, which says nothing about the source. */
  readonly asRead: State;
  readonly derived: DerivedResource | null;
  readonly issues: readonly Issue[];
  readonly lostElements: readonly string[];
  readonly sideChanges: readonly RecordChange[];
};

/** Imports resources of one type. A record that exists is updated if only imports have written it. */
export const createRecordImporter =
  ({ now, zone }: Pick<Environment, 'now' | 'zone'>) =>
  <
    Read extends SourceRecordIdentity & { readonly patientId: string },
    State extends ImportedState,
    Resource extends object,
  >(
    definition: RecordImport<Read, State, Resource>,
  ): ResourceImporter => {
    const { facts, recordDefinition, event, read, toSource, patientIdOf } = definition;
    const { ofPatient, contentOf, isInError: isKnownInError, enterInError, prepare } = definition;
    const {
      continueFrom = (_before, record) => record,
      complete = async (_sent, record) => E.right({ value: record, issues: [] }),
      finish = (record) => record,
    } = definition;
    const { type } = recordDefinition;
    const showAsSent = (derived: DerivedResource | null, { common }: ImportedState) => ({
      ...(derived && toSource(derived.resource as Resource)),
      meta: common,
      identifier: common?.identifier,
    });
    const recognize =
      event && createRecognizer({ facts, recordDefinition, patientIdOf, event, zone, toSource });

    /** Reads the record that a resource becomes, after the one of an earlier import. Null where it has to wait. */
    const toSourceRecord = async (
      { value: { sent, common }, issues }: SourceReading<WholeReading<Read>>,
      before: State | null,
      facet: SourceFacts,
      context: ImportContext,
    ): Outcome<SourceRecord<State> | null> => {
      const { asSent, at } = facet;
      const prepared = await prepare(sent, at, context, before);
      if (E.isLeft(prepared) || prepared.right === null) return prepared as E.Either<ClinicalError, null>;
      const { record: own, sideChanges } = prepared.right;
      const continued = before === null ? own : continueFrom(before, ofPatient(own, patientIdOf(before)));
      const completed = await complete(sent, continued, context);
      if (E.isLeft(completed) || completed.right === null) return completed as E.Either<ClinicalError, null>;
      const { value, issues: lost } = completed.right;
      const imported = readLastUpdated(asSent, at);
      const toWhole = (part: State): State => finish({ ...part, common, imported }, facet);
      const record = toWhole(value);
      const dates = await checkChartDates(context.directory, asSent, patientIdOf(record), {
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
      loaded: LoadedRecord<State>,
      { record, derived, sideChanges }: Pick<SourceRecord<State>, 'record' | 'derived' | 'sideChanges'>,
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
      existing: ExistingRecord<State>,
      imported: State,
      source: SourceRecord<State> | null,
      facet: SourceFacts,
      { directory: { store }, updates }: ImportContext,
    ): Outcome<Decision<ImportOutcome>> => {
      const { asSent, isInError, at } = facet;
      const mark = readLastUpdated(asSent, at);
      const record = source?.record ?? { ...enterInError(existing.state, facet), imported: mark };
      const { issues = [], lostElements = [], sideChanges = [] } = source ?? {};
      const derived = source === null ? recordDefinition.derive(record) : source.derived;
      const before = recordDefinition.derive(imported);
      const result = decideRepeatedLoad({
        isSame: source !== null && isSameState(contentOf(imported), contentOf(source.asRead)),
        isInError: { sent: isInError, known: isKnownInError(existing.state) },
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
      loaded: LoadedRecord<State>,
      source: SourceRecord<State>,
      { asSent, isInError, at }: SourceFacts,
      { directory: { store }, identified }: ImportContext,
    ): Outcome<Decision<ImportOutcome>> => {
      const { record, issues, lostElements } = source;
      const recognized =
        recognize === null || asSent.identifier === undefined
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
      const reading = read(resource);
      const asSent = resource as SentResource;
      const facet = { asSent, isInError: isEnteredInError(facts, asSent), at: now() };
      const identified: E.Either<ClinicalError, SourceRecordIdentity> = E.isRight(reading)
        ? E.right(reading.right.value.sent)
        : E.fromNullable(reading.left)(facet.isInError ? readIdentity(resource) : null);
      if (E.isLeft(identified)) return identified;
      const loaded = await loadKnownRecord(context, definition, identified.right);
      if (E.isLeft(loaded)) return loaded;
      const existing = recordExists(loaded.right) ? loaded.right : null;
      if (E.isLeft(reading) && existing === null) return reading;
      const before =
        existing === null
          ? E.right(null)
          : await findImportedState(context.directory.store, definition, existing);
      if (E.isLeft(before)) return before;
      const source = E.isLeft(reading)
        ? E.right(null)
        : await toSourceRecord(reading.right, before.right, facet, context);
      if (E.isLeft(source)) return source;
      if (E.isRight(reading) && source.right === null) return E.right(waitingDecision);
      return existing !== null && before.right !== null
        ? importAgain(existing, before.right, source.right, facet, context)
        : importNew(loaded.right, source.right as SourceRecord<State>, facet, context);
    };

    return async (resource, context) => E.right(() => decide(resource, context));
  };
