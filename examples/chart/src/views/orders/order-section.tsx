import { conceptName } from '../../model/names.ts';
import { groupOrders, periodOf, urgencyOf } from '../../model/orders.ts';
import type { ServiceRequest } from '../../model/resources.ts';
import { statusLabels } from '../../model/status-labels.ts';
import type { HistoryOf } from '../history/history-dialog.tsx';
import { HistoryButton, Section } from '../section/section.tsx';

/** The orders by category, what is under way first. */
export const OrderSection = ({
  orders,
  onHistory,
}: {
  readonly orders: readonly ServiceRequest[];
  readonly onHistory: (of: HistoryOf) => void;
}) => {
  const active = orders.filter(({ status }) => status === 'active').length;
  return (
    <Section
      id="orders"
      title="Orders"
      detail={orders.length === 0 ? undefined : `${active} active of ${orders.length}`}
    >
      {orders.length === 0 && <p class="empty">No orders.</p>}
      {groupOrders(orders).map(({ label, orders: ofCategory }) => (
        <div key={label}>
          <h3>{label}</h3>
          <ul class="rows">
            {ofCategory.map((order) => (
              <li key={order.id} class={`order ${order.status === 'entered-in-error' ? 'in-error' : ''}`}>
                <span class="order-name" dir="auto">
                  {conceptName(order.code)}
                </span>
                <span class={`mark ${order.status}`}>{statusLabels[order.status]}</span>
                <span class="order-period">
                  {urgencyOf(order) !== '' && <span class="mark urgent">{urgencyOf(order)}</span>}
                  <span class="secondary">{periodOf(order)}</span>
                </span>
                <HistoryButton
                  of={conceptName(order.code)}
                  onClick={() =>
                    onHistory({ type: 'ServiceRequest', id: order.id, title: conceptName(order.code) })
                  }
                />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </Section>
  );
};
