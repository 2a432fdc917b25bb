import { unknownEntryIssue } from '../directory/issues.ts';
import { type ClinicalError, formatIssue, type Issue, relocateIssues } from '../errors.ts';
import { type ChartLimit, hasLimit } from '../records/chart-limit.ts';

const elementByField: Readonly<Record<string, string>> = {
  patientId: 'Immunization.patient',
  noteId: 'Immunization.extension[0]',
  encounterId: 'Immunization.encounter',
  occurrenceDateTime: 'Immunization.occurrenceDateTime',
};

/** Faults of a command, told at the elements of the resource that it was made from. */
export const locateAtElements = relocateIssues((field) => elementByField[field] ?? field);

/** A note or an encounter that cannot be taken does not exist: what speaks against it may be in another chart. */
const hideOtherChart = (issue: Issue): Issue => {
  // Said only where both are of the patient.
  if (issue.rule === 'note-and-encounter-differ') return issue;
  if (issue.expression === elementByField.noteId) return unknownEntryIssue('Note', issue.expression);
  if (issue.expression === elementByField.encounterId)
    return unknownEntryIssue('Encounter', issue.expression);
  return issue;
};

/** The same, as it is told to one who may be limited to a chart, and learns nothing of others then. */
export const hideOtherCharts = (limit: ChartLimit) => {
  const isLimitedToChart = hasLimit(limit);
  return (error: ClinicalError): ClinicalError => {
    const located = locateAtElements(error);
    if (!isLimitedToChart) return located;
    const issues = new Map(located.issues.map(hideOtherChart).map((issue) => [formatIssue(issue), issue]));
    return { ...located, issues: [...issues.values()] };
  };
};
