import type { ClinicalRecords, ImmunizationCommand } from '@clinical-records/core';
import { dayFromToday } from './calendar.ts';
import { fatima, nils, nilsVisit, okafor, reyes, rosa, rosaNote, rosaVisit } from './people.ts';

const cvx = (code: string, display: string): ImmunizationCommand['vaccineCode'] => ({
  coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code, display }],
});

/** Given here or elsewhere, refused, and entered in error; in a note, an encounter, and a Data Import note. */
export const putImmunizations = async ({ chart }: Pick<ClinicalRecords, 'chart'>): Promise<void> => {
  const record = async (command: ImmunizationCommand) =>
    chart.record(command, { by: `Practitioner/${reyes}` });

  await record({
    kind: 'immunize',
    id: 'demo-immunization-1',
    patientId: rosa,
    encounterId: rosaVisit,
    vaccineCode: cvx('140', 'Influenza, seasonal, injectable, preservative free'),
    occurrenceDateTime: dayFromToday(-60),
    lotNumber: 'HC-2231',
    location: { reference: 'Location/demo-location-1' },
    performer: [{ actor: { reference: `Practitioner/${reyes}` } }],
  });
  await record({
    kind: 'immunize',
    id: 'demo-immunization-2',
    patientId: nils,
    encounterId: nilsVisit,
    vaccineCode: cvx('33', 'pneumococcal polysaccharide PPV23'),
    occurrenceDateTime: dayFromToday(-60),
    status: 'not-done',
    statusReason: { coding: [{ code: 'PATOBJ', display: 'patient objection' }] },
  });
  await record({
    kind: 'immunizationStatement',
    id: 'demo-immunization-3',
    patientId: rosa,
    noteId: rosaNote,
    vaccineCode: cvx('115', 'Tdap'),
    occurrenceDateTime: '2019-05',
    note: [{ text: 'Given by her former clinic.' }, { text: 'The card was seen.' }],
  });
  const mistaken = await record({
    kind: 'immunizationStatement',
    id: 'demo-immunization-4',
    patientId: rosa,
    vaccineCode: cvx('187', 'zoster recombinant'),
    occurrenceDateTime: '2021-09-14',
  });
  await chart.enterInError(mistaken.id, { by: `Practitioner/${okafor}` });
  await record({
    kind: 'immunizationStatement',
    id: 'demo-immunization-5',
    patientId: nils,
    vaccineCode: cvx('45', 'Hep B, unspecified formulation'),
    occurrenceDateTime: '1998',
  });
  await record({
    kind: 'immunize',
    id: 'demo-immunization-6',
    patientId: rosa,
    encounterId: rosaVisit,
    vaccineCode: cvx('216', 'Pneumococcal conjugate PCV20'),
    occurrenceDateTime: dayFromToday(-60),
    status: 'not-done',
    statusReason: { coding: [{ code: 'PATOBJ', display: 'patient objection' }] },
  });
  for (const [id, date] of [
    ['demo-immunization-7', dayFromToday(-425)],
    ['demo-immunization-8', '2023-10'],
  ] as const) {
    await record({
      kind: 'immunizationStatement',
      id,
      patientId: rosa,
      vaccineCode: cvx('140', 'Influenza, seasonal, injectable, preservative free'),
      occurrenceDateTime: date,
    });
  }
  await record({
    kind: 'immunizationStatement',
    id: 'demo-immunization-9',
    patientId: fatima,
    vaccineCode: cvx('03', 'MMR'),
    occurrenceDateTime: '1986-05',
  });
};
