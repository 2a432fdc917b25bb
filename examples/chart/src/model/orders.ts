import { formatDate, startOf } from './dates.ts';
import { conceptName } from './names.ts';
import type { ServiceRequest } from './resources.ts';

/** The orders of one category. */
export type OrderGroup = { readonly label: string; readonly orders: readonly ServiceRequest[] };

const categories = [
  ['363679005', 'Imaging'],
  ['108252007', 'Laboratory'],
  ['386053000', 'Referrals'],
] as const;

const stateOrder: readonly string[] = ['active', 'draft', 'completed', 'entered-in-error'];

const codeOf = ({ category }: ServiceRequest): string | undefined => category[0]?.coding[0]?.code;

/** The orders by category, and within each what is under way first, then what is latest. A category without orders is left out. */
export const groupOrders = (orders: readonly ServiceRequest[]): readonly OrderGroup[] =>
  categories.flatMap(([code, label]) => {
    const ofCategory = orders
      .filter((order) => codeOf(order) === code)
      .toSorted(
        (a, b) =>
          stateOrder.indexOf(a.status) - stateOrder.indexOf(b.status) ||
          startOf(b.authoredOn) - startOf(a.authoredOn),
      );
    return ofCategory.length === 0 ? [] : [{ label, orders: ofCategory }];
  });

/** A priority above `routine`, as `STAT`; empty for the others. */
export const urgencyOf = ({ priority = 'routine' }: Pick<ServiceRequest, 'priority'>): string =>
  priority === 'routine' ? '' : priority.toUpperCase();

/** When an order is to be done, in words. */
export const periodOf = ({
  occurrencePeriod: { start, end } = {},
  occurrenceTiming,
}: Pick<ServiceRequest, 'occurrencePeriod' | 'occurrenceTiming'>): string => {
  if (occurrenceTiming !== undefined) return conceptName(occurrenceTiming.code) || 'repeated';
  if (start !== undefined && end !== undefined) return `${formatDate(start)} – ${formatDate(end)}`;
  if (start !== undefined) return `from ${formatDate(start)}`;
  return end === undefined ? 'no period' : `until ${formatDate(end)}`;
};
