import { createWhole } from '../open/create-whole.ts';
import type { DataLocation } from '../open/data-location.ts';
import { useRecords } from '../open/use-records.ts';
import { createPastClock } from './calendar.ts';
import { putDemoClinic } from './demo-clinic.ts';

/** Creates the demo clinic, unless there is data already. */
export const createDemo = async (data: DataLocation): Promise<void> => {
  await createWhole(data, (location) => useRecords(location, putDemoClinic, { clock: createPastClock(60) }));
};
