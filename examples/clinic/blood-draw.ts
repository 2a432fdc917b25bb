import { orThrow } from '@clinical-records/core';
import type { Booking } from './booking.ts';
import type { Connection } from './clinic.ts';

const cholesterol = { system: 'http://loinc.org', code: '2093-3', display: 'Cholesterol' } as const;

/** An appointment in the host's tables, and the lab order for it in the chart. To be run in one transaction. */
export const bookBloodDraw = async (
  { database, records }: Connection,
  { patientId, time, by }: Booking & { readonly by: string },
): Promise<{ readonly appointment: number; readonly serviceRequest: string }> => {
  const { lastInsertRowid } = database
    .prepare("INSERT INTO appointments (patient_id, time, reason) VALUES (?, ?, 'Blood draw')")
    .run(patientId, time);
  const order = await orThrow(
    records.chart.record({ kind: 'labOrder', patientId, code: { coding: [cholesterol] } }, { by }),
  );
  database.prepare('INSERT INTO blood_draws VALUES (?, ?, ?)').run(time, lastInsertRowid, order.resourceId);
  return { appointment: Number(lastInsertRowid), serviceRequest: order.resourceId };
};
