import type { Chart } from '../../api/chart.ts';
import type { Draft } from '../../model/drafts.ts';
import type { ResourceVersion, ServiceRequest } from '../../model/resources.ts';
import { CareTeamSection } from '../care-team/care-team-section.tsx';
import { DraftCard } from '../drafts/draft-card.tsx';
import { GoalSection } from '../goals/goal-section.tsx';
import type { HistoryOf } from '../history/history-dialog.tsx';
import type { Retractable } from '../history/retraction-dialog.tsx';
import { ImmunizationSection } from '../immunizations/immunization-section.tsx';
import { OrderSection, type OrderStep } from '../orders/order-section.tsx';
import type { OpenDialog } from './chart-dialog.tsx';
import { type FocusedSection, sections } from './sections.ts';

/** The sections of a chart. */
export const ChartGrid = ({
  chart,
  now,
  onOpen,
  onStep,
  onSaved,
}: {
  readonly chart: Chart;
  readonly now: number;
  readonly onOpen: (dialog: OpenDialog) => void;
  readonly onStep: (order: ServiceRequest & ResourceVersion, step: OrderStep) => Promise<boolean>;
  readonly onSaved: (id: string, focused?: FocusedSection) => Promise<void>;
}) => {
  const { orders, goals, drafts, immunizations } = chart;
  const onHistory = (of: HistoryOf) => onOpen({ kind: 'history', of });
  const onRetract = (record: Retractable) => onOpen({ kind: 'retraction', record });
  const draftsOf = (type: Draft['resourceType']) =>
    drafts
      .filter(({ resourceType }) => resourceType === type)
      .map((draft) => (
        <DraftCard
          key={draft.id}
          draft={draft}
          onCommitted={() => onSaved(draft.resourceId, sections[type])}
          onDiscard={() => onOpen({ kind: 'discard', draft })}
        />
      ));
  return (
    <div class="chart-grid">
      <div>
        <CareTeamSection chart={chart} onHistory={onHistory} onChange={() => onOpen({ kind: 'team' })} />
        <OrderSection
          orders={orders}
          now={now}
          onHistory={onHistory}
          onAdd={() => onOpen({ kind: 'order' })}
          onStep={onStep}
          onRetract={onRetract}
          drafts={draftsOf('ServiceRequest')}
        />
      </div>
      <div>
        <GoalSection
          goals={goals}
          now={now}
          onHistory={onHistory}
          onAdd={() => onOpen({ kind: 'goal' })}
          onChange={(goal, kind) => onOpen({ kind, goal })}
          onRetract={onRetract}
          drafts={draftsOf('Goal')}
        />
        <ImmunizationSection
          immunizations={immunizations}
          now={now}
          onHistory={onHistory}
          onAdd={() => onOpen({ kind: 'immunization' })}
          onRetract={onRetract}
          drafts={draftsOf('Immunization')}
        />
      </div>
    </div>
  );
};
