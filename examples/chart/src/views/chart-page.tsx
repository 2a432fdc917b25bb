import { useEffect, useState } from 'preact/hooks';
import type { Loaded } from '../api/client.ts';
import type { StagedGoal } from '../api/commands.ts';
import { listedName } from '../model/names.ts';
import type { Immunization } from '../model/resources.ts';
import { CareTeamSection } from './care-team/care-team-section.tsx';
import { TeamEditor } from './care-team/team-editor.tsx';
import { ChartError } from './chart-error.tsx';
import { ChartHeader } from './chart-header.tsx';
import { ChartSections } from './chart-sections.tsx';
import { PatientContext } from './contexts.ts';
import { GoalDraft } from './goals/goal-draft.tsx';
import { GoalForm } from './goals/goal-form.tsx';
import { GoalSection } from './goals/goal-section.tsx';
import { HistoryDialog, type HistoryOf } from './history/history-dialog.tsx';
import { ImmunizationSection } from './immunizations/immunization-section.tsx';
import { RetractionDialog } from './immunizations/retraction-dialog.tsx';
import { StatementForm } from './immunizations/statement-form.tsx';
import { OrderSection } from './orders/order-section.tsx';
import { PatientBanner, PatientDetails } from './patients/patient-banner.tsx';
import { PrintedLine } from './printed-line.tsx';
import { ViewStateProvider } from './section/view-state.tsx';
import { useChart } from './use-chart.ts';

/** The dialog that is open: a history, or something to change. */
type Open =
  | { readonly kind: 'history'; readonly of: HistoryOf }
  | { readonly kind: 'team' | 'goal' | 'statement' }
  | { readonly kind: 'retraction'; readonly immunization: Immunization };

/** The chart of one patient on one page. */
export const ChartPage = ({ patientId }: { readonly patientId: string }) => {
  const { chart, error, reload } = useChart(patientId);
  const [open, setOpen] = useState<Open | null>(null);
  const [drafts, setDrafts] = useState<readonly Loaded<StagedGoal>[]>([]);
  const [message, setMessage] = useState('');
  const [savedId, setSavedId] = useState<string | null>(null);
  const name = chart && listedName(chart.patient.name);
  useEffect(() => {
    document.title = name === null ? 'Clinical records' : `${name} · Clinical records`;
  }, [name]);
  useEffect(() => {
    if (open !== null) setSavedId(null);
  }, [open]);
  if (chart === null) {
    return (
      <main class="chart" aria-busy={error === ''}>
        {error === '' ? (
          <p class="secondary">Reading the chart …</p>
        ) : (
          <ChartError error={error} isShown={false} onRetry={reload} />
        )}
      </main>
    );
  }
  const close = () => setOpen(null);
  // Meanwhile, the user may have opened another dialog, which stays.
  const closeThis = () => setOpen((now) => (now === open ? null : now));
  const saved = async (id: string) => {
    closeThis();
    await reload();
    setSavedId(id);
    setMessage('Saved. The chart is up to date.');
  };
  const staged = (draft: Loaded<StagedGoal>) => {
    closeThis();
    setDrafts((all) => [...all, draft]);
    setMessage('The goal is a draft. It has no effect until you commit it.');
  };
  // A button that had the focus may be gone afterwards.
  const savedIn = async (section: 'goals' | 'immunizations', id: string) => {
    await saved(id);
    document.getElementById(`${section}-heading`)?.focus({ preventScroll: true });
  };
  // A goal that can be read is committed, even if the response to its commit was lost.
  const committedIds = new Set(chart.goals.map(({ id }) => id));
  const now = Date.now();
  const onHistory = (of: HistoryOf) => setOpen({ kind: 'history', of });
  return (
    <ViewStateProvider savedId={savedId}>
      <main class="chart">
        <ChartHeader>
          <PatientBanner patient={chart.patient} />
          <ChartSections chart={chart} now={now} />
        </ChartHeader>
        <PatientDetails patient={chart.patient} />
        <p class="unseen" role="status">
          {error === '' && message}
        </p>
        {error !== '' && <ChartError error={error} isShown onRetry={reload} />}
        <div class="chart-grid">
          <div>
            <CareTeamSection chart={chart} onHistory={onHistory} onChange={() => setOpen({ kind: 'team' })} />
            <OrderSection orders={chart.orders} onHistory={onHistory} />
          </div>
          <div>
            <GoalSection
              goals={chart.goals}
              now={now}
              onHistory={onHistory}
              onAdd={() => setOpen({ kind: 'goal' })}
            >
              {drafts
                .filter(({ resource }) => !committedIds.has(resource.resourceId))
                .map((draft) => (
                  <GoalDraft
                    key={draft.resource.id}
                    draft={draft}
                    onCommitted={() => savedIn('goals', draft.resource.id)}
                  />
                ))}
            </GoalSection>
            <ImmunizationSection
              immunizations={chart.immunizations}
              now={now}
              onHistory={onHistory}
              onAdd={() => setOpen({ kind: 'statement' })}
              onRetract={(immunization) => setOpen({ kind: 'retraction', immunization })}
            />
          </div>
        </div>
        <PrintedLine />
        <PatientContext.Provider value={chart.patient}>
          {open?.kind === 'history' && <HistoryDialog of={open.of} onClose={close} />}
          {open?.kind === 'team' && (
            <TeamEditor team={chart.team} onClose={close} onSaved={() => saved(patientId)} />
          )}
          {open?.kind === 'goal' && <GoalForm onClose={close} onStaged={staged} />}
          {open?.kind === 'statement' && (
            <StatementForm recorded={chart.immunizations} onClose={close} onSaved={saved} />
          )}
          {open?.kind === 'retraction' && (
            <RetractionDialog
              immunization={open.immunization}
              onClose={close}
              onSaved={() => savedIn('immunizations', open.immunization.id)}
            />
          )}
        </PatientContext.Provider>
      </main>
    </ViewStateProvider>
  );
};
