import { parseInterval } from '../fhir/date-time.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import type { OrderCommandBody } from './model.ts';

/** Whether the end of a period, as far as it has both, lies behind its start. */
export const beginsBeforeItEnds = (period: OrderCommandBody['occurrencePeriod'], zone: TimeZone): boolean => {
  const start = parseInterval(period?.start ?? '', zone);
  const end = parseInterval(period?.end ?? '', zone);
  return start === null || end === null || start.from < end.until;
};
