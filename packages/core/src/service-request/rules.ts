import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, createIssueFactory, ruleViolation } from '../errors.ts';
import { parseInterval, type TimeZone } from '../fhir/date-time.ts';
import type { OrderCommandBody } from './model.ts';

export const serviceRequestIssues = {
  'period-order': 'The end of the period is before its start.',
} as const;

const serviceRequestIssue = createIssueFactory(serviceRequestIssues);

/** Whether the end of a period, as far as it has both, lies behind its start. */
export const beginsBeforeItEnds = (period: OrderCommandBody['occurrencePeriod'], zone: TimeZone): boolean => {
  const start = parseInterval(period?.start ?? '', zone);
  const end = parseInterval(period?.end ?? '', zone);
  return start === null || end === null || start.from < end.until;
};

/** Refuses a period that ends before it begins. */
export const requireOrderedPeriod = (
  period: OrderCommandBody['occurrencePeriod'],
  { zone, element }: { readonly zone: TimeZone; readonly element: string },
): E.Either<ClinicalError, void> =>
  beginsBeforeItEnds(period, zone)
    ? E.right(undefined)
    : E.left(ruleViolation(serviceRequestIssue('period-order', element)));
