import type { Author } from '@clinical-records/core';
import { inTransaction } from '@clinical-records/store-postgres';
import { pool, records } from '../readme.ts';

const cholesterol = { system: 'http://loinc.org', code: '2093-3', display: 'Cholesterol' } as const;

/** Writes an appointment in the host's table, and its lab order in the chart: both, or neither. */
export const bookBloodDraw = async (patientId: string, time: string, { by }: Author): Promise<string> => {
  const client = await pool.connect();
  try {
    // #region transaction
    return await inTransaction(client, async (tx) => {
      await client.query('insert into appointments (patient_id, time) values ($1, $2)', [patientId, time]);
      const order = await records
        .in(tx)
        .chart.record({ kind: 'labOrder', patientId, code: { coding: [cholesterol] } }, { by });
      return order.resourceId;
    });
    // #endregion
  } finally {
    client.release();
  }
};
