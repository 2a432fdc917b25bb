import type { ChartCommandInput } from '@clinical-records/core';
import { dayIn, formatDay, formatDue, startOf } from './dates/dates.ts';
import { conceptName } from './names.ts';
import type { ServiceRequest } from './resources.ts';

export type OrderGroup = { readonly label: string; readonly orders: readonly ServiceRequest[] };

const categories = [
  ['363679005', 'Imaging'],
  ['108252007', 'Laboratory'],
  ['386053000', 'Referrals'],
] as const;

const stateOrder: readonly string[] = ['active', 'completed', 'entered-in-error'];

const codeOf = ({ category }: ServiceRequest): string | undefined => category[0]?.coding[0]?.code;

const urgencyOrder: readonly string[] = ['stat', 'asap', 'urgent', 'routine'];

/** How soon an order is to be done. One that is done, or entered in error, is not urgent any more. */
const urgencyRank = ({ status, priority = 'routine' }: ServiceRequest): number =>
  urgencyOrder.indexOf(status === 'active' ? priority : 'routine');

/** How long an active order is past its period, such as `overdue by 3 days`; empty for one that is not. */
export const overdueOrder = (
  { status, occurrencePeriod }: Pick<ServiceRequest, 'status' | 'occurrencePeriod'>,
  now: number,
): string => {
  if (status !== 'active' || occurrencePeriod?.end === undefined) return '';
  const { isOverdue, text } = formatDue(dayIn(occurrencePeriod.end), now);
  return isOverdue ? text : '';
};

/** The orders: those under way first, the most urgent and the overdue of them before the others, and then the latest. */
export const sortOrders = (orders: readonly ServiceRequest[], now: number): readonly ServiceRequest[] => {
  const overdueRank = (order: ServiceRequest) => (overdueOrder(order, now) === '' ? 1 : 0);
  return orders.toSorted(
    (a, b) =>
      stateOrder.indexOf(a.status) - stateOrder.indexOf(b.status) ||
      urgencyRank(a) - urgencyRank(b) ||
      overdueRank(a) - overdueRank(b) ||
      startOf(b.authoredOn) - startOf(a.authoredOn),
  );
};

/** Sorted orders in the places that they had before, so that no row moves under a hand. New ones come first. */
export const keepPlaces = (
  sorted: readonly ServiceRequest[],
  before: readonly string[],
): readonly ServiceRequest[] => {
  const places = new Map(before.map((id, place) => [id, place]));
  return sorted.toSorted((a, b) => (places.get(a.id) ?? -1) - (places.get(b.id) ?? -1));
};

const isInError = ({ status }: ServiceRequest): boolean => status === 'entered-in-error';

/** Sorted orders by category, and at the end those that were entered in error. A group without orders is left out. */
export const groupOrders = (orders: readonly ServiceRequest[]): readonly OrderGroup[] =>
  [
    ...categories.map(([code, label]) => ({
      label,
      orders: orders.filter((order) => codeOf(order) === code && !isInError(order)),
    })),
    { label: 'Entered in error', orders: orders.filter(isInError) },
  ].filter((group) => group.orders.length > 0);

/** A priority above `routine`, as `STAT`; empty for the others. */
export const urgencyOf = ({ priority = 'routine' }: Pick<ServiceRequest, 'priority'>): string =>
  priority === 'routine' ? '' : priority.toUpperCase();

/** The days on which an order is to be done, in words; empty if any day will do. */
export const periodOf = ({
  occurrencePeriod: { start, end } = {},
  occurrenceTiming,
}: Pick<ServiceRequest, 'occurrencePeriod' | 'occurrenceTiming'>): string => {
  if (occurrenceTiming !== undefined) return conceptName(occurrenceTiming.code) || 'repeated';
  if (start !== undefined && end !== undefined) return `${formatDay(start)} – ${formatDay(end)}`;
  if (start !== undefined) return `from ${formatDay(start)}`;
  return end === undefined ? '' : `until ${formatDay(end)}`;
};

/** The priorities above `routine`, for a form. */
export const urgencies = { urgent: 'Urgent', asap: 'As soon as possible', stat: 'At once' } as const;

/** The kinds of orders in the words of the chart. */
export const orderKinds = {
  labOrder: 'Laboratory',
  imagingOrder: 'Imaging',
  referral: 'Referral',
} as const;

/** The fields of a form for a new order. */
export type OrderFields = {
  readonly kind: keyof typeof orderKinds;
  readonly text: string;
  readonly start: string;
  readonly end: string;
  readonly priority: keyof typeof urgencies | '';
  readonly note: string;
};

/** The command that begins an order. */
export const orderCommand = (
  patientId: string,
  { kind, text, start, end, priority, note }: OrderFields,
): ChartCommandInput => ({
  ...{ kind, patientId, code: { text } },
  ...((start !== '' || end !== '') && {
    occurrencePeriod: { ...(start !== '' && { start }), ...(end !== '' && { end }) },
  }),
  ...(priority !== '' && { priority }),
  ...(note.trim() !== '' && { note: [{ text: note }] }),
});
