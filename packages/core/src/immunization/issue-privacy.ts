import { unknownEntryIssue } from '../directory/issues.ts';
import { type ClinicalError, formatIssue, type Issue, relocateIssues } from '../errors.ts';
import { type ChartLimit, hasLimit } from '../records/chart-limit.ts';

const elementByField: Readonly<Record<string, string>> = {
  patientId: 'Immunization.patient',
  noteId: 'Immunization.extension[0]',
  encounterId: 'Immunization.encounter',
  occurrenceDateTime: 'Immunization.occurrenceDateTime',
};

/** Locates the issues of a command at the elements of its resource. */
export const locateAtElements = relocateIssues((field) => elementByField[field] ?? field);

/** Reports a note or an encounter with an issue as unknown, because the issue may be about another chart. */
const hideOtherChart = (issue: Issue): Issue => {
  // Reported only if both belong to the patient.
  if (issue.rule === 'note-and-encounter-differ') return issue;
  if (issue.expression === elementByField.noteId) return unknownEntryIssue('Note', issue.expression);
  if (issue.expression === elementByField.encounterId)
    return unknownEntryIssue('Encounter', issue.expression);
  return issue;
};

/** Locates the issues at the elements. A caller limited to a chart learns nothing about other charts. */
export const hideOtherCharts = (limit: ChartLimit) => {
  const isLimitedToChart = hasLimit(limit);
  return (error: ClinicalError): ClinicalError => {
    const located = locateAtElements(error);
    if (!isLimitedToChart) return located;
    const issues = new Map(located.issues.map(hideOtherChart).map((issue) => [formatIssue(issue), issue]));
    return { ...located, issues: [...issues.values()] };
  };
};
