import type { Immunization } from './resources.ts';

/** The fields of a form for a vaccine that was given elsewhere. */
export type Statement = { readonly vaccine: string; readonly date: string; readonly note: string };

const cvx = 'http://hl7.org/fhir/sid/cvx';

/** Some vaccines that adults are often asked about. Source: the CVX codes of the CDC. */
export const vaccines: Readonly<Record<string, string>> = {
  '08': 'Hep B, adolescent or pediatric',
  '43': 'Hep B, adult',
  '52': 'Hep A, adult',
  '03': 'MMR',
  '115': 'Tdap',
  '140': 'Influenza, seasonal, injectable, preservative free',
  '187': 'zoster recombinant',
  '216': 'Pneumococcal conjugate PCV20',
  '33': 'pneumococcal polysaccharide PPV23',
  '165': 'HPV9',
  '309': 'COVID-19, mRNA, 30 mcg/0.3 mL',
};

/** The body that records a statement. Empty fields are sent, so that the rules of the server say what is wrong. */
export const statementBody = (patientId: string, { vaccine, date, note }: Statement) => ({
  resourceType: 'Immunization',
  status: 'completed',
  vaccineCode: { coding: [{ system: cvx, code: vaccine, display: vaccines[vaccine] }] },
  patient: { reference: `Patient/${patientId}` },
  occurrenceDateTime: date,
  primarySource: false,
  ...(note.trim() !== '' && { note: [{ text: note }] }),
});

/** The body that marks a statement as entered in error. */
export const retractionBody = ({
  id,
  vaccineCode,
  patient,
  occurrenceDateTime,
  primarySource,
}: Immunization) => ({
  ...{ resourceType: 'Immunization', id, status: 'entered-in-error' },
  ...{ vaccineCode, patient: { reference: patient.reference }, occurrenceDateTime, primarySource },
});
