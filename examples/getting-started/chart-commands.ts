import type { ClinicalRecords } from '@clinical-records/core';

// Calls of a host's screens in a chart. The test of this example runs every function here.

export const recordGoals = async ({ chart, goals }: ClinicalRecords) => {
  // #region goal
  const { resourceId: goalId } = await chart.record(
    {
      kind: 'goal',
      patientId: '7',
      description: 'Walk 5 km a day',
      startDate: '2026-03-01',
      dueDate: '2026-06-01',
      priority: 'medium-priority',
      achievementStatus: 'in-progress',
      progress: 'Walks 2 km already.',
      barriers: 'Her knee hurts.',
    },
    { by: 'Practitioner/12' },
  );
  // #endregion

  // #region update-goal
  await chart.record(
    {
      kind: 'updateGoal',
      goalId,
      achievementStatus: 'improving',
      dueDate: null, // clears the due date; without the property, it would stay
      progress: 'Walks 4 km.',
    },
    { by: 'Practitioner/12' },
  );
  // #endregion

  // #region close-goal
  const close = await chart.record(
    { kind: 'closeGoal', goalId, achievementStatus: 'achieved' },
    { by: 'Practitioner/12' },
  );
  const closed = await goals.read(goalId); // lifecycleStatus: 'completed'
  // #endregion

  await chart.enterInError(close.id, { by: 'Practitioner/12', reason: 'Of another patient.' });
  const reopened = await goals.read(goalId); // lifecycleStatus: 'active'
  return { closed, reopened };
};

export const recordOrders = async ({ chart, serviceRequests }: ClinicalRecords) => {
  // #region order
  const staged = await chart.stage({
    kind: 'labOrder', // or 'imagingOrder', or 'referral'
    patientId: '7',
    code: { coding: [{ system: 'http://loinc.org', code: '2093-3', display: 'Cholesterol' }] },
    occurrencePeriod: { start: '2026-03-02', end: '2026-03-09' },
    requesterId: '12',
    reasonConditionIds: ['high-cholesterol'],
  });
  // #endregion
  const draft = await serviceRequests.read(staged.resourceId); // status: 'draft'

  await chart.commit(staged.id, { by: 'Practitioner/12' });
  const active = await serviceRequests.read(staged.resourceId); // status: 'active'

  await chart.completeOrder(staged.id, { by: 'Practitioner/12' });
  const completed = await serviceRequests.read(staged.resourceId); // status: 'completed'

  const loinc = (code: string, display: string) => ({
    coding: [{ system: 'http://loinc.org' as const, code, display }],
  });
  await chart.record(
    { kind: 'imagingOrder', patientId: '7', code: loinc('36643-5', 'XR Chest 2 Views') },
    { by: 'Practitioner/12' },
  );
  await chart.record(
    { kind: 'referral', patientId: '7', code: loinc('57133-1', 'Referral note') },
    { by: 'Practitioner/12' },
  );
  return { draft, active, completed };
};

export const recordImmunizations = async ({ chart, directory, immunizations }: ClinicalRecords) => {
  await directory.put('Encounter', { id: 'visit-1', patientId: '7' });
  // #region immunize
  const given = await chart.record(
    {
      kind: 'immunize',
      patientId: '7',
      encounterId: 'visit-1', // or noteId, or both, or neither
      vaccineCode: {
        coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140', display: 'Influenza, seasonal' }],
      },
      occurrenceDateTime: '2026-03-01T09:30:00+01:00',
      note: [{ text: 'Left arm.' }],
    },
    { by: 'Practitioner/12' },
  );
  // #endregion
  const here = await immunizations.read(given.resourceId); // primarySource: true

  const statement = await chart.record(
    {
      kind: 'immunizationStatement',
      patientId: '7',
      vaccineCode: { coding: [{ system: 'unstructured', code: 'Yellow fever, in Lagos' }] },
      occurrenceDateTime: '2019-07',
    },
    { by: 'Practitioner/12' },
  );
  const elsewhere = await immunizations.read(statement.resourceId); // primarySource: false

  const declined = await chart.record(
    {
      kind: 'immunize',
      patientId: '7',
      encounterId: 'visit-1',
      vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '207' }] },
      occurrenceDateTime: '2026-03-01',
      statusReason: { coding: [{ code: 'PATOBJ', display: 'Patient objection' }] },
    },
    { by: 'Practitioner/12' },
  );
  const notDone = await immunizations.read(declined.resourceId); // status: 'not-done'
  return { here, elsewhere, notDone };
};

/** An order and a goal that wait for a practitioner. */
export const endStaged = async ({ chart }: ClinicalRecords) => {
  // #region search
  const { commands } = await chart.search({ patient: '7', status: 'staged' });
  for (const { id, command } of commands) {
    if (command.kind === 'labOrder') await chart.commit(id, { by: 'Practitioner/12' });
    else await chart.discard(id, { by: 'Practitioner/12', reason: 'Not needed any more.' });
  }
  // #endregion
};

/** An order and a closed goal that were imported, so that their commands are not in this chart. */
export const retractImported = async ({ chart, serviceRequests, goals }: ClinicalRecords) => {
  // #region commands-of
  const [order] = await chart.commandsOf({ resourceType: 'ServiceRequest', resourceId: 'chest-x-ray' });
  if (order) await chart.enterInError(order.id, { by: 'Practitioner/12' });
  const retracted = await serviceRequests.read('chest-x-ray'); // status: 'entered-in-error'
  // #endregion

  const ofGoal = await chart.commandsOf({ resourceType: 'Goal', resourceId: 'walk' });
  const close = ofGoal.find(({ kind, status }) => kind === 'closeGoal' && status === 'committed');
  if (close) await chart.enterInError(close.id, { by: 'Practitioner/12' });
  const reopened = await goals.read('walk'); // lifecycleStatus: 'active'
  return { retracted, reopened };
};
