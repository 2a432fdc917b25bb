import * as E from 'fp-ts/lib/Either.js';
import { addSourceReason, type ChartRecord, type CommandState, hasEnded } from '../chart/command.ts';
import { excessOf, recordFullIssue } from '../chart/command-records.ts';
import { displayOf, unknownEntryIssue } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { type Issue, type Outcome, ruleViolation } from '../errors.ts';
import { leftOutIssue } from '../fhir/issues.ts';
import { isObject } from '../fhir/schema.ts';
import {
  createCommonReader,
  type FieldReader,
  type SentResource,
  type SourceDetails,
  type SourceReader,
  type SourceReading,
  type WholeReading,
} from '../fhir/source-resource.ts';
import { createFieldReader } from '../host-fields/read-fields.ts';
import { recordExists } from '../records/transact.ts';
import { bytesOf } from '../store/versions.ts';
import type { ImportContext, ResourceImporter } from './import-definition.ts';
import { createRecordImporter, type PreparedRecord, type RecordImport } from './record-importer.ts';
import type { SourceRecordIdentity } from './repeated-load.ts';

/** A resource that becomes one command, or several if each of its notes has one of its own. */
type ReadResource = { readonly command: unknown } | { readonly commands: readonly CommandState<unknown>[] };

const notesOf = ({ note }: SentResource): readonly unknown[] => (Array.isArray(note) ? note : []);

/** How many of the last notes to leave out: one at least, and as many as have about the excess. */
const countExcessNotes = (notes: readonly unknown[], excess: ReturnType<typeof excessOf>): number => {
  let count = Math.max(1, excess.commands);
  let bytes = 0;
  for (const [index, note] of notes.toReversed().entries()) {
    if (bytes >= excess.bytes) break;
    bytes += isObject(note) && typeof note.text === 'string' ? bytesOf(note.text) : 0;
    count = Math.max(count, index + 1);
  }
  return count;
};

/**
 * Creates a reader of as much of a resource as a record can hold. It leaves out its last notes, and reports them. A resource that is
 * too large without notes is refused.
 */
const createFittingReader = <Read extends ReadResource>(
  read: SourceReader<Read>,
  type: string,
  readFields: FieldReader | undefined,
): SourceReader<WholeReading<Read>> => {
  const readCommon = createCommonReader(type, readFields);
  return (resource) => {
    const notes = notesOf(resource as SentResource);
    for (let kept = notes.length; ; ) {
      const fitting =
        kept === notes.length ? resource : { ...(resource as object), note: notes.slice(0, kept) };
      const reading = read(fitting);
      if (E.isLeft(reading)) return reading;
      const { value: sent, issues } = reading.right;
      const { value: common, issues: commonIssues } = readCommon(resource as SentResource);
      const commands = 'commands' in sent ? sent.commands : [sent.command];
      const excess = excessOf({ common, commands: commands as readonly CommandState<unknown>[] });
      if (excess.commands <= 0 && excess.bytes <= 0) {
        const leftOut = notes
          .slice(kept)
          .map((_, index): Issue => leftOutIssue(`${type}.note[${kept + index}]`));
        return E.right({ value: { sent, common }, issues: [...issues, ...commonIssues, ...leftOut] });
      }
      if (kept === 0) return E.left(ruleViolation(recordFullIssue));
      kept = Math.max(0, kept - countExcessNotes(notes.slice(0, kept), excess));
    }
  };
};

/** The parts of an import that each type of commands has of its own. */
type ChartImport<Read, Body, Resource> = Pick<
  RecordImport<Read, ChartRecord<Body>, Resource>,
  'facts' | 'recordDefinition' | 'event' | 'toSource' | 'prepare' | 'continueFrom' | 'complete'
> & { readonly read: SourceReader<Read> };

/** The record of a resource of which its system has left only that it was entered in error. */
const enterInError = <Body>(record: ChartRecord<Body>, at: number): ChartRecord<Body> => ({
  ...record,
  commands: record.commands.map((command, index) =>
    index === 0 ? { ...command, enteredInError: { at, by: null } } : command,
  ),
});

/** Imports resources of one type into records of commands. */
export const createChartImporter =
  (environment: Pick<Environment, 'now' | 'zone' | 'extensionBase' | 'fields'>) =>
  <
    Read extends ReadResource & SourceRecordIdentity & { readonly patientId: string },
    Body,
    Resource extends object,
  >(
    definition: ChartImport<Read, Body, Resource>,
  ): ResourceImporter => {
    const { recordDefinition, read } = definition;
    const { type } = recordDefinition;
    const { extensionBase, fields } = environment;
    return createRecordImporter(environment)<Read, ChartRecord<Body>, Resource>({
      ...definition,
      read: createFittingReader(read, type, createFieldReader(type, fields?.get(type))),
      patientIdOf: ({ patientId }) => patientId,
      ofPatient: (record, patientId) => ({ ...record, patientId }),
      contentOf: (record) => recordDefinition.derive(record)?.resource,
      isInError: ({ commands }) => hasEnded(commands[0]),
      enterInError: (record, { at }) => enterInError(record, at),
      finish: (record, { asSent, isInError }) =>
        isInError ? addSourceReason(extensionBase, record, asSent) : record,
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
  ): Outcome<PreparedRecord<ChartRecord<Body>>> => {
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
