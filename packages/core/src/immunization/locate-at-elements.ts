import { relocateIssues } from '../errors.ts';

const elementByField: Readonly<Record<string, string>> = {
  patientId: 'Immunization.patient',
  noteId: 'Immunization.extension[0]',
  encounterId: 'Immunization.encounter',
  occurrenceDateTime: 'Immunization.occurrenceDateTime',
};

/** Locates the issues of a command at the elements of its resource. */
export const locateAtElements = relocateIssues((field) => elementByField[field] ?? field);
