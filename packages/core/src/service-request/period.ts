import { intervalOf } from '../fhir/date-time.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import type { OrderBody } from './model.ts';

/** Whether the end of a period, as far as it has both, lies behind its start. */
export const beginsBeforeItEnds = (period: OrderBody['occurrencePeriod'], zone: TimeZone): boolean => {
  const start = intervalOf(period?.start ?? '', zone);
  const end = intervalOf(period?.end ?? '', zone);
  return start === null || end === null || start.from < end.until;
};
