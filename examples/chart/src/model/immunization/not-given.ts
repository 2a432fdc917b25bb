import type { ChartCommandInput } from '@clinical-records/core';
import { type Statement, vaccineConcept } from './immunization-bodies.ts';

/** Why a vaccine was not given, by the codes of HL7's ActReason, in the words of the form. */
export const reasons = {
  PATOBJ: 'The patient declined it',
  MEDPREC: 'A medical reason against it',
  IMMUNE: 'The patient is immune',
  OSTOCK: 'Out of stock',
} as const;

/** The display names of these codes. Source: HL7 v3, ActReason. */
const displays: Readonly<Record<string, string>> = {
  PATOBJ: 'patient objection',
  MEDPREC: 'medical precaution',
  IMMUNE: 'immunity',
  OSTOCK: 'product out of stock',
};

/** The command that records a vaccine that was declined, or not given for another reason. */
export const notGivenCommand = (
  patientId: string,
  { vaccine, date, note, reason }: Statement & { readonly reason: string },
): ChartCommandInput => ({
  ...{ kind: 'immunize', patientId, vaccineCode: vaccineConcept(vaccine), occurrenceDateTime: date },
  statusReason: { coding: [{ code: reason, display: displays[reason] ?? reason }] },
  ...(note.trim() !== '' && { note: [{ text: note }] }),
});
