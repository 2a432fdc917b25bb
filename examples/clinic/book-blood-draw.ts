import type { Author } from '@clinical-records/core';
import { inTransaction } from '@clinical-records/store-sqlite';
import type { Booking } from './booking.ts';
import type { Clinic } from './clinic.ts';

const cholesterol = { system: 'http://loinc.org', code: '2093-3', display: 'Cholesterol' } as const;

/** Writes an appointment in the host's tables, and its lab order in the chart: both, or neither. */
export const bookBloodDraw = (
  { database, records }: Clinic,
  { patientId, time, by }: Booking & Author,
): Promise<{ readonly appointment: number; readonly serviceRequest: string }> =>
  inTransaction(database, async (tx) => {
    const { lastInsertRowid } = database
      .prepare("INSERT INTO appointments (patient_id, time, reason) VALUES (?, ?, 'Blood draw')")
      .run(patientId, time);
    const { chart } = records.in(tx);
    const order = await chart.record(
      { kind: 'labOrder', patientId, code: { coding: [cholesterol] } },
      { by },
    );
    database.prepare('INSERT INTO blood_draws VALUES (?, ?, ?)').run(time, lastInsertRowid, order.resourceId);
    return { appointment: Number(lastInsertRowid), serviceRequest: order.resourceId };
  });
