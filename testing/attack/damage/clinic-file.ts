import { rmSync } from 'node:fs';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { createPastClock } from '../../../examples/server/demo/calendar.ts';
import { putDemoClinic } from '../../../examples/server/demo/demo-clinic.ts';
import { createServerRecords } from '../../../examples/server/open/use-records.ts';

/** Opens the records of a file as the example server does. */
export const openClinic = (options: Parameters<typeof openSqliteStore>[0], clock?: () => Date) => {
  const store = openSqliteStore(options);
  const records = createServerRecords(store, clock && { clock });
  return { store, records };
};

export type Clinic = ReturnType<typeof openClinic>;

/** Creates a file with the demo clinic, and returns the head of its data. */
export const makeClinicFile = async (filename: string): Promise<string> => {
  rmSync(filename, { force: true });
  const { store, records } = openClinic({ filename }, createPastClock(60));
  await putDemoClinic(records);
  const { head, discrepancies } = await records.verify();
  if (discrepancies.length > 0) throw new Error(`The clinic is not sound: ${JSON.stringify(discrepancies)}`);
  await store.close();
  return head;
};
