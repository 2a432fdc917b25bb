import { unknownEntry } from '../directory/faults.ts';
import { type ClinicalError, type Fault, sentenceOf, toldAt } from '../errors.ts';
import { type Access, isLimited } from '../records/access.ts';

const elementOf: Readonly<Record<string, string>> = {
  patientId: 'Immunization.patient',
  noteId: 'Immunization.extension[0]',
  encounterId: 'Immunization.encounter',
  occurrenceDateTime: 'Immunization.occurrenceDateTime',
};

/** Faults of a command, told at the elements of the resource that it was made from. */
export const atElements = toldAt((field) => elementOf[field] ?? field);

/** A note or an encounter that cannot be taken does not exist: what speaks against it may be in another chart. */
const withoutOtherCharts = (fault: Fault): Fault => {
  // Said only where both are of the patient.
  if (fault.rule === 'note-and-encounter-differ') return fault;
  if (fault.expression === elementOf.noteId) return unknownEntry('Note', fault.expression);
  if (fault.expression === elementOf.encounterId) return unknownEntry('Encounter', fault.expression);
  return fault;
};

/** The same, as it is told to one who may be limited to a chart, and learns nothing of others then. */
export const toldTo = (access: Access) => {
  const isTheirChartAlone = isLimited(access);
  return (error: ClinicalError): ClinicalError => {
    const told = atElements(error);
    if (!isTheirChartAlone) return told;
    const faults = new Map(told.faults.map(withoutOtherCharts).map((fault) => [sentenceOf(fault), fault]));
    return { ...told, faults: [...faults.values()] };
  };
};
