import * as E from 'fp-ts/lib/Either.js';
import type { ChartRecord } from '../chart/command.ts';
import { unknownEntryIssue } from '../directory/issues.ts';
import { displayOf } from '../directory/model.ts';
import type { Issue, Outcome } from '../errors.ts';
import type { SourceDetails, SourceReading } from '../fhir/source-resource.ts';
import { recordExists } from '../records/load.ts';
import type { PreparedRecord } from './record-importer.ts';
import type { ImportContext } from './resource-importer.ts';

/** Prepares the record of a patient who must be known; `subject` is the element that refers to the patient. */
export const requirePatient =
  (subject: string) =>
  async <Body>(
    { id, patientId, commands }: ChartRecord<Body>,
    _at: number,
    { directory }: ImportContext,
  ): Outcome<PreparedRecord<Body>> => {
    const patient = await directory.require('Patient', patientId, subject);
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
