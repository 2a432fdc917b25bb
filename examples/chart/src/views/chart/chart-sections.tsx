import type { Chart } from '../../api/chart.ts';
import { membersOf } from '../../model/care-team.ts';
import type { Draft } from '../../model/drafts.ts';
import { timingOf } from '../../model/goals.ts';
import { overdueOrder, urgencyOf } from '../../model/orders.ts';
import { Mark } from '../section/mark.tsx';
import { JumpList } from './jump-list.tsx';

/** The way to the sections of a chart, with what must not be overlooked there: overdue goals and urgent orders. */
export const ChartSections = ({ chart, now }: { readonly chart: Chart; readonly now: number }) => {
  const { team, goals, orders, immunizations, drafts } = chart;
  const overdueMark = (count: number) =>
    count > 0 && (
      <Mark icon="overdue" tone="strong-wait">
        {count} <span class="words">overdue</span>
      </Mark>
    );
  const active = orders.filter(({ status }) => status === 'active');
  const urgent = active.filter((order) => urgencyOf(order) !== '').length;
  const draftMark = (type: Draft['resourceType']) => {
    const count = drafts.filter(({ resourceType }) => resourceType === type).length;
    return (
      count > 0 && (
        <Mark icon="draft" tone="accent">
          {count} <span class="words">to commit</span>
        </Mark>
      )
    );
  };
  return (
    <JumpList
      targets={[
        { id: 'care-team', title: 'Care team', count: membersOf(team).length },
        {
          id: 'orders',
          title: 'Orders',
          count: orders.length,
          marks: (
            <>
              {urgent > 0 && (
                <Mark icon="urgent" tone="strong-alert">
                  {urgent} <span class="words">urgent</span>
                </Mark>
              )}
              {overdueMark(active.filter((order) => overdueOrder(order, now) !== '').length)}
              {draftMark('ServiceRequest')}
            </>
          ),
        },
        {
          id: 'goals',
          title: 'Goals',
          count: goals.length,
          marks: (
            <>
              {overdueMark(goals.filter((goal) => timingOf(goal, now).state === 'overdue').length)}
              {draftMark('Goal')}
            </>
          ),
        },
        {
          id: 'immunizations',
          title: 'Immunizations',
          count: immunizations.length,
          marks: draftMark('Immunization'),
        },
      ]}
    />
  );
};
