import type { Author } from '@clinical-records/core';
import type { Booking } from './booking.ts';
import type { Clinic } from './clinic.ts';

const cholesterol = { system: 'http://loinc.org', code: '2093-3', display: 'Cholesterol' } as const;

/** Writes an appointment in the host's tables, and its lab order in the chart: both, or neither. */
export const bookBloodDraw = async (
  { database, records }: Clinic,
  { patientId, time, by }: Booking & Author,
): Promise<{ readonly appointment: number; readonly serviceRequest: string }> => {
  const insertAppointment = database.prepare(
    "INSERT INTO appointments (patient_id, time, reason) VALUES (?, ?, 'Blood draw')",
  );
  const insertBloodDraw = database.prepare('INSERT INTO blood_draws VALUES (?, ?, ?)');
  // #region book
  let appointment = 0;
  const serviceRequest = await records.transaction(async (tx) => {
    const code = { coding: [cholesterol] };
    const order = await tx.chart.record({ kind: 'labOrder', patientId, code }, { by });
    tx.write(() => {
      appointment = Number(insertAppointment.run(patientId, time).lastInsertRowid);
      insertBloodDraw.run(time, appointment, order.resourceId);
    });
    return order.resourceId;
  });
  // #endregion
  return { appointment, serviceRequest };
};
