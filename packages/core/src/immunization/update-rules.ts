import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, notSupported, ruleViolation } from '../errors.ts';
import { readReferenceId } from '../fhir/reference.ts';
import { type ExistingRecord, type LoadedRecord, recordExists } from '../records/load.ts';
import { immunizationIssue } from './issues.ts';
import { locateAtElements } from './locate-at-elements.ts';
import type { ImmunizationRecord } from './model.ts';
import type { ImmunizationUpdateBody } from './request-bodies.ts';

/** Returns the record if it is a statement, which a PUT can mark as entered in error. */
export const requireStatement = (
  loaded: LoadedRecord<ImmunizationRecord>,
): E.Either<ClinicalError, ExistingRecord<ImmunizationRecord>> => {
  const command = loaded.state?.commands[0];
  if (!recordExists(loaded) || command?.committed == null) {
    return E.left(notSupported(immunizationIssue('unknown-immunization', 'Immunization.id')));
  }
  return command.body.kind === 'immunizationStatement'
    ? E.right(loaded)
    : E.left(notSupported(immunizationIssue('statement-only', 'Immunization.primarySource')));
};

/** Refuses references that are not the statement's own. Other differences are ignored. */
export const requireSameReferences = (
  { patient, extension: [note] = [], encounter }: ImmunizationUpdateBody,
  { patientId, commands: [command] }: ImmunizationRecord,
): E.Either<ClinicalError, void> => {
  const issues = [
    ...(readReferenceId(patient) === patientId ? [] : [immunizationIssue('patient-differs', 'patientId')]),
    ...(note === undefined || note.valueId === command?.body.noteId
      ? []
      : [immunizationIssue('note-differs', 'noteId')]),
    ...(encounter === undefined || readReferenceId(encounter) === command?.body.encounterId
      ? []
      : [immunizationIssue('encounter-differs', 'encounterId')]),
  ];
  return issues.length === 0 ? E.right(undefined) : E.left(locateAtElements(ruleViolation(issues)));
};
