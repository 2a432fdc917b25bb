import * as E from 'fp-ts/lib/Either.js';
import type { ChartRecord } from '../chart/command.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type Outcome, ruleViolation } from '../errors.ts';
import type { SourceReader, SourceReading } from '../fhir/source-resource.ts';
import { load, recordExists } from '../records/load.ts';
import { createChange } from '../records/record-change.ts';
import type { RecordDefinition } from '../records/record-definition.ts';
import type { RecordChange } from '../store/port.ts';
import { checkReferences } from './check-references.ts';
import { findLostElements } from './find-lost-elements.ts';
import { importIssue } from './issues.ts';
import {
  createImporterFromDecision,
  type ImportContext,
  type ResourceImporter,
  waitingDecision,
} from './resource-importer.ts';
import { readRetraction, type SourceRecordIdentity } from './retraction.ts';

/** The record that a resource becomes, and the changes beside it. */
export type PreparedRecord<Body> = {
  readonly record: ChartRecord<Body>;
  readonly sideChanges: readonly RecordChange[];
};

/** Defines the import of one type into records of commands. `prepare` and `complete` return null for a resource that has to wait. */
type RecordImportDefinition<Read, Body> = {
  readonly recordDefinition: RecordDefinition<ChartRecord<Body>>;
  readonly read: SourceReader<Read>;
  /** The resource of a record in the form in which other systems send it; null if there is none. */
  readonly toSource: (record: ChartRecord<Body>) => object | null;
  readonly prepare: (sent: Read, at: number, context: ImportContext) => Outcome<PreparedRecord<Body> | null>;
  /** Adds to the record what the directory knows, and finds the parts of the resource that the record lacks. */
  readonly complete: (
    sent: Read,
    record: ChartRecord<Body>,
    context: ImportContext,
  ) => Outcome<SourceReading<ChartRecord<Body>> | null>;
};

/** Imports resources of one type into the chart. A record that exists stays as the clinic has it. */
export const createRecordImporter =
  ({ now }: Pick<Environment, 'now'>) =>
  <Read extends SourceRecordIdentity & { readonly patientId: string }, Body>({
    recordDefinition,
    read,
    toSource,
    prepare,
    complete,
  }: RecordImportDefinition<Read, Body>): ResourceImporter =>
    createImporterFromDecision(async (resource, context) => {
      const reading = read(resource);
      const identified: E.Either<ClinicalError, SourceRecordIdentity> = E.isRight(reading)
        ? E.right(reading.right.value)
        : E.fromNullable(reading.left)(readRetraction(resource));
      if (E.isLeft(identified)) return identified;
      const { id, patientId, isInError } = identified.right;
      const loaded = await load(context.directory.store, recordDefinition, id);
      if (E.isLeft(loaded)) return loaded;
      const existing = recordExists(loaded.right) ? loaded.right : null;
      if (existing !== null && patientId !== undefined && existing.state.patientId !== patientId) {
        return E.left(
          ruleViolation(importIssue('resource-of-another-patient', `${recordDefinition.type}.id`)),
        );
      }
      const isRetracted =
        isInError && existing !== null && existing.state.commands[0]?.enteredInError == null;
      const retracted = isRetracted ? [importIssue('entered-in-error-at-source')] : [];
      // Its system has stripped the resource: it says only that it was entered in error.
      if (E.isLeft(reading)) {
        return existing === null
          ? reading
          : E.right({ changes: [], result: { countedAs: 'unchanged', issues: retracted } });
      }
      const { value: sent, issues } = reading.right;
      const at = now();
      const prepared =
        existing === null
          ? await prepare(sent, at, context)
          : E.right({ record: existing.state, sideChanges: [] });
      if (E.isLeft(prepared)) return prepared;
      if (prepared.right === null) return E.right(waitingDecision);
      const { record, sideChanges } = prepared.right;
      const completed = await complete(sent, record, context);
      if (E.isLeft(completed)) return completed;
      if (completed.right === null) return E.right(waitingDecision);
      const { value: completeRecord, issues: lost } = completed.right;
      const allIssues = [...issues, ...lost, ...retracted];
      if (existing !== null) {
        return E.right({ changes: sideChanges, result: { countedAs: 'unchanged', issues: allIssues } });
      }
      const { store } = context.directory;
      const references = recordDefinition.refersTo(completeRecord);
      const versionChecks = await checkReferences(store, references, sideChanges);
      if (E.isLeft(versionChecks)) return versionChecks;
      const change = createChange(recordDefinition, loaded.right, completeRecord, { at, by: null });
      return E.right({
        changes: [change, ...sideChanges],
        versionChecks: versionChecks.right,
        result: {
          countedAs: 'imported',
          issues: allIssues,
          lostElements: findLostElements(resource, toSource(completeRecord), recordDefinition.type),
        },
      });
    });
