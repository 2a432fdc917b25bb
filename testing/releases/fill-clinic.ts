import { withExtension } from '@clinical-records/core';
import { type Clinic, cardiologist, consent, extensionBase, nurse } from './records.ts';

const by = 'Practitioner/ada';
const influenza = {
  system: 'http://hl7.org/fhir/sid/cvx',
  code: '140',
  display: 'Influenza, seasonal',
} as const;
const hemoglobin = { system: 'http://loinc.org', code: '718-7', display: 'Hemoglobin' } as const;
const restricted = {
  security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality', code: 'R' }],
};

export const dose = {
  status: 'completed',
  vaccineCode: { coding: [influenza] },
  patient: { reference: 'Patient/amy' },
  occurrenceDateTime: '2025-10-01',
  primarySource: false,
} as const;

/** The dose that a client has sent with an idempotency key. */
export const consentedDose = withExtension(dose, consent, true);

const putPeople = async ({ directory }: Clinic['records']): Promise<void> => {
  const patients = [
    { id: 'amy', lastName: 'Shaw', firstName: 'Amy', birthDate: '1950-02-03', gender: 'female' },
    { id: 'ben', lastName: 'Müller', firstName: 'Ben 😀' },
    { id: 'amy-again', lastName: 'Shaw', firstName: 'A.' },
    { id: 'eve', lastName: 'Gone', firstName: 'Eve' },
  ] as const;
  for (const patient of patients) await directory.put('Patient', patient);
  await directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });
  await directory.put('Practitioner', { id: 'ada', lastName: 'Lovelace', firstName: 'Ada' });
  await directory.put('Practitioner', { id: 'bob', lastName: 'Gray', firstName: 'Bob' });
  await directory.put('Organization', { id: 'lab', name: 'Lab' });
  await directory.put('Encounter', { id: 'visit', patientId: 'amy', noteId: 'note' });
  await directory.put('Note', { id: 'note', patientId: 'amy', encounterId: 'visit', title: 'Visit' });
};

const participant = (
  reference: `Practitioner/${string}` | `Organization/${string}`,
  role?: object,
  isLead?: boolean,
) => ({
  member: { reference },
  ...(role && { role: [{ coding: [role] }] }),
  ...(isLead && { extension: [{ url: `${extensionBase}/careteam-lead`, valueBoolean: true }] }),
});

export const team = (id: string) => ({
  id,
  participant: [
    participant('Practitioner/ada', cardiologist, true),
    participant('Practitioner/bob', nurse),
    participant('Organization/lab'),
  ],
});

const formTeams = async ({ careTeams }: Clinic['records']): Promise<void> => {
  await careTeams.asJson.update('amy', team('amy'), { by });
  await careTeams.asJson.update(
    'amy-again',
    { id: 'amy-again', participant: team('').participant.slice(1) },
    { by },
  );
  await careTeams.asJson.setParticipantStatus(
    'ben',
    { member: 'Practitioner/bob', role: nurse, status: 'proposed' },
    { by },
  );
};

/** Goals with commands in every state: staged, committed, discarded, and entered in error. */
const setGoals = async ({ chart }: Clinic['records']): Promise<void> => {
  const goal = { kind: 'goal', patientId: 'amy', description: 'Walk a mile' } as const;
  await chart.record({ ...goal, id: 'walk', dueDate: '2026-06-01', meta: restricted }, { by });
  await chart.record({ kind: 'updateGoal', goalId: 'walk', progress: 'Half of it' }, { by });
  const close = await chart.record(
    { kind: 'closeGoal', goalId: 'walk', achievementStatus: 'achieved' },
    { by },
  );
  await chart.enterInError(close.id, { by, reason: 'Of another patient.' });
  await chart.stage(
    { ...goal, id: 'staged' },
    { by: 'Practitioner/bob', agent: { reference: 'Device/scribe' } },
  );
  const unwanted = await chart.stage({ ...goal, id: 'unwanted' }, { by });
  await chart.discard(unwanted.id, { by, reason: 'Not wanted.' });
  await chart.record({ ...goal, id: 'moved', patientId: 'ben' }, { by });
  await chart.record({ ...goal, id: 'of-twin', patientId: 'amy-again' }, { by });
  await chart.record({ ...goal, id: 'of-eve', patientId: 'eve' }, { by });
};

const placeOrders = async ({ chart }: Clinic['records']): Promise<void> => {
  for (const kind of ['labOrder', 'imagingOrder', 'referral'] as const) {
    const order = { kind, patientId: 'amy', code: { coding: [hemoglobin] } } as const;
    await chart.stage({ ...order, id: `${kind}-draft` }, { by });
    const { id } = await chart.record({ ...order, id: `${kind}-done` }, { by });
    await chart.completeOrder(id, { by });
    const wrong = await chart.record({ ...order, id: `${kind}-wrong` }, { by });
    await chart.enterInError(wrong.id, { by });
  }
};

/** Doses of both sources, with a field, a number of another system, an idempotency key, and from an import. */
const vaccinate = async ({ chart, immunizations, importer }: Clinic['records']): Promise<void> => {
  const shot = {
    patientId: 'amy',
    vaccineCode: { coding: [influenza] },
    occurrenceDateTime: '2025-10-02',
  } as const;
  await chart.record({ ...shot, kind: 'immunize', id: 'shot', noteId: 'note' }, { by });
  await immunizations.create(consentedDose, { by, idempotencyKey: 'key-of-dose' });
  const identifier = [{ system: 'https://other.example', value: '7' }];
  const { id } = await immunizations.create({ ...dose, identifier }, { by });
  await immunizations.update(id, { ...dose, id, status: 'entered-in-error' }, { by });
  await importer.load([
    { ...dose, resourceType: 'Immunization', id: 'imported', occurrenceDateTime: '2020' },
  ]);
};

/** Corrects charts, and then removes the members who have come into a team with another chart. */
const correct = async ({ corrections, careTeams }: Clinic['records']): Promise<void> => {
  await corrections.moveToPatient({
    resourceType: 'Goal',
    resourceId: 'moved',
    toPatientId: 'amy',
    by,
    reason: 'Two charts.',
  });
  await corrections.mergePatients({
    patientId: 'amy-again',
    toPatientId: 'amy',
    by,
    reason: 'Registered twice.',
  });
  const [lead] = team('amy').participant;
  await careTeams.asJson.update('amy', { id: 'amy', participant: [lead] }, { by });
  await corrections.erase({ resourceType: 'Patient', resourceId: 'eve', by, reason: 'Eve asked for it.' });
};

/** Writes records of every kind, most of them with a history, and reads some for the audit log. */
export const fillClinic = async ({ records }: Clinic): Promise<void> => {
  await putPeople(records);
  await formTeams(records);
  await setGoals(records);
  await placeOrders(records);
  await vaccinate(records);
  const peanuts = {
    code: { text: 'Peanuts' },
    patient: { reference: 'Patient/amy' },
    criticality: 'high',
  } as const;
  const { id } = await records.allergies.create(peanuts, { by });
  await records.allergies.update(id, { ...peanuts, id, criticality: 'low' }, { by });
  await correct(records);
  await records.goals.search({ patient: 'amy' }, { by });
  await records.reindex();
};
