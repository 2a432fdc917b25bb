import { startOf } from './dates.ts';
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
