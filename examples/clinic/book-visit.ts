import type { Booking } from './booking.ts';
import type { Clinic } from './clinic.ts';

/** Writes an appointment in the host's tables. No transaction of the records is open between two turns. */
export const bookVisit = (
  { database }: Clinic,
  { patientId, time }: Booking,
): { readonly appointment: number } => {
  const { lastInsertRowid } = database
    .prepare("INSERT INTO appointments (patient_id, time, reason) VALUES (?, ?, 'Visit')")
    .run(patientId, time);
  return { appointment: Number(lastInsertRowid) };
};
