import { inTransaction } from '@clinical-records/store-sqlite';
import type { Booking } from './booking.ts';
import type { Clinic } from './clinic.ts';

/**
 * Writes an appointment in the host's tables. It takes its turn: what is written on the handle while another work has its
 * transaction open would be a part of that.
 */
export const bookVisit = (
  { database }: Clinic,
  { patientId, time }: Booking,
): Promise<{ readonly appointment: number }> =>
  inTransaction(database, async () => {
    const { lastInsertRowid } = database
      .prepare("INSERT INTO appointments (patient_id, time, reason) VALUES (?, ?, 'Visit')")
      .run(patientId, time);
    return { appointment: Number(lastInsertRowid) };
  });
