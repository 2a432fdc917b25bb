import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { conceptName } from '../../model/names.ts';
import { groupOrders, overdueOrder, sortOrders } from '../../model/orders.ts';
import type { ResourceVersion, ServiceRequest } from '../../model/resources.ts';
import type { HistoryOf } from '../history/history-dialog.tsx';
import { countHidden, FilterBar, ShowAll, useFirst, useRecordFilter } from '../section/record-list.tsx';
import { Section } from '../section/section.tsx';
import { usePossibleMembers } from '../use-possible-members.tsx';
import { OrderRow } from './order-row.tsx';
import { useConditionNames } from './use-condition-names.ts';
import { usePlaces } from './use-places.ts';

/** A step of an order without a dialog. */
export type OrderStep = 'complete' | 'reopen';

const states = {
  active: 'Active',
  completed: 'Completed',
  'entered-in-error': 'Entered in error',
};

const referencesIn = ({ reasonReference = [] }: ServiceRequest): readonly string[] =>
  reasonReference.map(({ reference }) => reference);

/** The orders by category, after the drafts: those that are under way first. */
export const OrderSection = ({
  orders,
  now,
  onHistory,
  onAdd,
  onStep,
  onRetract,
  drafts,
}: {
  readonly orders: readonly (ServiceRequest & ResourceVersion)[];
  readonly now: number;
  readonly onAdd: () => void;
  /** The drafts, before the orders. */
  readonly drafts: readonly ComponentChildren[];
  readonly onHistory: (of: HistoryOf) => void;
  /** Completes an order, or reopens it. Returns whether that was done. */
  readonly onStep: (order: ServiceRequest & ResourceVersion, step: OrderStep) => Promise<boolean>;
  readonly onRetract: (order: ServiceRequest) => void;
}) => {
  const names = usePossibleMembers();
  const conditions = useConditionNames(orders.flatMap(referencesIn));
  const requesterOf = ({ requester }: ServiceRequest): string =>
    requester?.display ?? names.get(requester?.reference ?? '') ?? requester?.reference ?? '';
  const reasonsOf = (order: ServiceRequest): readonly string[] =>
    referencesIn(order)
      .map((reference) => conditions.get(reference) ?? '')
      .filter((name) => name !== '');
  // One that is completed here stays among the active ones, so that its row stays, with its Undo.
  const [completed, setCompleted] = useState<ReadonlySet<string>>(new Set());
  const list = useRecordFilter(orders, {
    stateOf: ({ id, status }) => (completed.has(id) && status === 'completed' ? 'active' : status),
    textOf: (order) => [conceptName(order.code), requesterOf(order), ...reasonsOf(order)].join(' '),
  });
  const complete = async (order: ServiceRequest) => {
    if (await onStep(order, 'complete')) setCompleted(new Set([...completed, order.id]));
  };
  const active = orders.filter(({ status }) => status === 'active').length;
  const placed = usePlaces(sortOrders(list.matching, now));
  const first = useFirst(placed, ({ id }, saved) => id === saved);
  return (
    <Section
      id="orders"
      title="Orders"
      detail={orders.length === 0 ? undefined : `${active} active of ${orders.length}`}
      action={{ text: 'Add an order', onClick: onAdd }}
    >
      {drafts}
      {orders.length === 0 && drafts.length === 0 && (
        <p class="empty">No orders yet. Add imaging, laboratory work or a referral here.</p>
      )}
      <FilterBar id="orders" noun="orders" states={states} list={list} />
      {groupOrders(first.shown).map(({ label, orders: ofCategory }) => (
        <div key={label}>
          <h3>{label}</h3>
          <ul class="rows">
            {ofCategory.map((order) => (
              <OrderRow
                key={order.id}
                order={order}
                overdue={overdueOrder(order, now)}
                requester={requesterOf(order)}
                reasons={reasonsOf(order)}
                onHistory={onHistory}
                onComplete={complete}
                onReopen={(reopened) => onStep(reopened, 'reopen')}
                canUndo={completed.has(order.id)}
                onRetract={onRetract}
              />
            ))}
          </ul>
        </div>
      ))}
      <ShowAll
        noun="orders"
        note={countHidden(first, ({ status }) => status === 'active', 'active')}
        of={first}
      />
    </Section>
  );
};
