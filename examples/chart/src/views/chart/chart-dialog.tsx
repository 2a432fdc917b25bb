import type { Chart } from '../../api/chart.ts';
import type { Draft } from '../../model/drafts.ts';
import type { Goal, ResourceVersion } from '../../model/resources.ts';
import { TeamEditor } from '../care-team/team-editor.tsx';
import { MergeDialog } from '../corrections/merge-dialog.tsx';
import { DiscardDialog } from '../drafts/discard-dialog.tsx';
import { GoalChangeForm } from '../goals/goal-change-form.tsx';
import { GoalForm } from '../goals/goal-form.tsx';
import { ReopenDialog } from '../goals/reopen-dialog.tsx';
import { HistoryDialog, type HistoryOf } from '../history/history-dialog.tsx';
import { type Retractable, RetractionDialog } from '../history/retraction-dialog.tsx';
import { ImmunizationForm } from '../immunizations/immunization-form.tsx';
import { OrderForm } from '../orders/order-form.tsx';
import { type FocusedSection, sections } from './sections.ts';

/** A dialog over the chart: a history, or something to change. */
export type OpenDialog =
  | { readonly kind: 'history'; readonly of: HistoryOf }
  | { readonly kind: 'team' | 'goal' | 'order' | 'immunization' | 'merge' }
  | { readonly kind: 'update' | 'close' | 'reopen'; readonly goal: Goal & ResourceVersion }
  | { readonly kind: 'discard'; readonly draft: Draft }
  | { readonly kind: 'retraction'; readonly record: Retractable };

export const ChartDialog = ({
  dialog,
  chart,
  onClose,
  onSaved,
  onStaged,
}: {
  readonly dialog: OpenDialog;
  readonly chart: Chart;
  readonly onClose: () => void;
  readonly onSaved: (id: string, focused?: FocusedSection) => Promise<void>;
  readonly onStaged: () => Promise<void>;
}) => {
  switch (dialog.kind) {
    case 'history':
      return <HistoryDialog of={dialog.of} onClose={onClose} />;
    case 'team':
      return <TeamEditor team={chart.team} onClose={onClose} onSaved={() => onSaved(chart.patient.id)} />;
    case 'goal':
      return <GoalForm onClose={onClose} onStaged={onStaged} />;
    case 'order':
      return <OrderForm onClose={onClose} onStaged={onStaged} />;
    case 'update':
    case 'close':
      return (
        <GoalChangeForm
          goal={dialog.goal}
          kind={dialog.kind}
          onClose={onClose}
          onSaved={() => onSaved(dialog.goal.id, 'goals')}
        />
      );
    case 'reopen':
      return (
        <ReopenDialog
          goal={dialog.goal}
          onClose={onClose}
          onReopened={() => onSaved(dialog.goal.id, 'goals')}
        />
      );
    case 'merge':
      return <MergeDialog onClose={onClose} onMerged={() => onSaved(chart.patient.id)} />;
    case 'immunization':
      return <ImmunizationForm recorded={chart.immunizations} onClose={onClose} onSaved={onSaved} />;
    case 'retraction':
      return (
        <RetractionDialog
          record={dialog.record}
          onClose={onClose}
          onSaved={() => onSaved(dialog.record.id, sections[dialog.record.resourceType])}
        />
      );
    case 'discard':
      return (
        <DiscardDialog
          draft={dialog.draft}
          onClose={onClose}
          onDiscarded={() => onSaved(dialog.draft.resourceId, sections[dialog.draft.resourceType])}
        />
      );
  }
};
