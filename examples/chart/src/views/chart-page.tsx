import { useEffect, useState } from 'preact/hooks';
import { completeOrder, discardCommand, type StagedGoal } from '../api/commands.ts';
import { listedName } from '../model/names.ts';
import type { Goal, ServiceRequest, Versioned } from '../model/resources.ts';
import { CareTeamSection } from './care-team/care-team-section.tsx';
import { TeamEditor } from './care-team/team-editor.tsx';
import { ChartError } from './chart-error.tsx';
import { ChartHeader } from './chart-header.tsx';
import { ChartSections } from './chart-sections.tsx';
import { PatientContext, useClient } from './contexts.ts';
import { ReasonDialog } from './forms/reason-dialog.tsx';
import { GoalChangeForm } from './goals/goal-change-form.tsx';
import { GoalDraft } from './goals/goal-draft.tsx';
import { GoalForm } from './goals/goal-form.tsx';
import { GoalSection } from './goals/goal-section.tsx';
import { HistoryDialog, type HistoryOf } from './history/history-dialog.tsx';
import { type Retractable, RetractionDialog } from './history/retraction-dialog.tsx';
import { ImmunizationForm } from './immunizations/immunization-form.tsx';
import { ImmunizationSection } from './immunizations/immunization-section.tsx';
import { OrderSection } from './orders/order-section.tsx';
import { PatientBanner, PatientDetails } from './patients/patient-banner.tsx';
import { PrintedLine } from './printed-line.tsx';
import { ViewStateProvider } from './section/view-state.tsx';
import { useChart } from './use-chart.ts';

/** The dialog that is open: a history, or something to change. */
type Open =
  | { readonly kind: 'history'; readonly of: HistoryOf }
  | { readonly kind: 'team' | 'goal' | 'immunization' }
  | { readonly kind: 'update' | 'close'; readonly goal: Goal & Versioned }
  | { readonly kind: 'discard'; readonly draft: StagedGoal }
  | { readonly kind: 'retraction'; readonly record: Retractable };

/** The sections of what can be entered in error. */
const sections = { Goal: 'goals', Immunization: 'immunizations', ServiceRequest: 'orders' } as const;

export const ChartPage = ({ patientId }: { readonly patientId: string }) => {
  const client = useClient();
  const { chart, error, reload } = useChart(patientId);
  const [open, setOpen] = useState<Open | null>(null);
  const [refusal, setRefusal] = useState('');
  const [message, setMessage] = useState('');
  const [savedId, setSavedId] = useState<string | null>(null);
  const name = chart && listedName(chart.patient.name);
  useEffect(() => {
    document.title = name === null ? 'Clinical records' : `${name} · Clinical records`;
  }, [name]);
  useEffect(() => {
    if (open === null) return;
    setSavedId(null);
    setRefusal('');
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
    setRefusal('');
    await reload();
    setSavedId(id);
    setMessage('Saved. The chart is up to date.');
  };
  const staged = async () => {
    closeThis();
    await reload();
    setMessage('The goal is a draft. It has no effect until it is committed.');
  };
  // A button that had the focus may be gone afterwards.
  const savedIn = async (section: (typeof sections)[keyof typeof sections], id: string) => {
    await saved(id);
    document.getElementById(`${section}-heading`)?.focus({ preventScroll: true });
  };
  const complete = ({ id, meta }: ServiceRequest & Versioned) =>
    completeOrder(client, id, meta?.versionId ?? '').then(
      () => saved(id),
      (cause) => {
        setRefusal(`The order is not completed. ${cause.message}`);
        reload();
      },
    );
  const onRetract = (record: Retractable) => setOpen({ kind: 'retraction', record });
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
        {refusal !== '' && (
          <p class="notice" role="alert">
            {refusal}
          </p>
        )}
        <div class="chart-grid">
          <div>
            <CareTeamSection chart={chart} onHistory={onHistory} onChange={() => setOpen({ kind: 'team' })} />
            <OrderSection
              orders={chart.orders}
              onHistory={onHistory}
              onComplete={complete}
              onRetract={onRetract}
            />
          </div>
          <div>
            <GoalSection
              goals={chart.goals}
              now={now}
              onHistory={onHistory}
              onAdd={() => setOpen({ kind: 'goal' })}
              onChange={(goal, kind) => setOpen({ kind, goal })}
              onRetract={onRetract}
              drafts={chart.stagedGoals.map((draft) => (
                <GoalDraft
                  key={draft.id}
                  draft={draft}
                  onCommitted={() => savedIn('goals', draft.resourceId)}
                  onDiscard={() => setOpen({ kind: 'discard', draft })}
                />
              ))}
            />
            <ImmunizationSection
              immunizations={chart.immunizations}
              now={now}
              onHistory={onHistory}
              onAdd={() => setOpen({ kind: 'immunization' })}
              onRetract={onRetract}
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
          {(open?.kind === 'update' || open?.kind === 'close') && (
            <GoalChangeForm
              goal={open.goal}
              kind={open.kind}
              onClose={close}
              onSaved={() => savedIn('goals', open.goal.id)}
            />
          )}
          {open?.kind === 'immunization' && (
            <ImmunizationForm recorded={chart.immunizations} onClose={close} onSaved={saved} />
          )}
          {open?.kind === 'retraction' && (
            <RetractionDialog
              record={open.record}
              onClose={close}
              onSaved={() => savedIn(sections[open.record.resourceType], open.record.id)}
            />
          )}
          {open?.kind === 'discard' && (
            <ReasonDialog
              title="Discard the draft?"
              action="Discard"
              onClose={close}
              send={async (reason) => {
                await discardCommand(client, open.draft, { reason });
                await savedIn('goals', open.draft.resourceId);
              }}
            >
              <p>
                <strong dir="auto">{open.draft.command.description}</strong> had no effect yet, and leaves the
                chart.
              </p>
            </ReasonDialog>
          )}
        </PatientContext.Provider>
      </main>
    </ViewStateProvider>
  );
};
