import { inTransaction } from '@clinical-records/store-sqlite';
import type { Booking } from './booking.ts';
import type { Clinic } from './clinic.ts';

/**
 * Writes an appointment in the host's tables. It waits for its turn. Otherwise it could become a part of an open
 * transaction of other work on the handle.
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
