import { useEffect, useState } from 'preact/hooks';
import { errorWords } from '../../model/error-words.ts';
import { listedName } from '../../model/names.ts';
import type { ResourceVersion, ServiceRequest } from '../../model/resources.ts';
import { Alert } from '../alert.tsx';
import { PatientContext, useClient, useSettings } from '../contexts.ts';
import type { OrderStep } from '../orders/order-section.tsx';
import { PatientBanner, PatientDetails } from '../patients/patient-banner.tsx';
import { useDraftsInLocation } from '../patients/patient-location.ts';
import { ViewStateProvider } from '../section/view-state.tsx';
import type { ChartDialog, OpenDialog } from './chart-dialog.tsx';
import { ChartError, StaleNotice } from './chart-error.tsx';
import { ChartGrid } from './chart-grid.tsx';
import { ChartHeader } from './chart-header.tsx';
import { ChartSections } from './chart-sections.tsx';
import { PrintedLine } from './printed-line.tsx';
import type { FocusedSection } from './sections.ts';
import { type ChartState, useChart } from './use-chart.ts';

/** The places of a chart that is being read. */
const ChartSkeleton = () => (
  <>
    <h1 class="unseen">Reading the chart …</h1>
    <div class="chart-header" aria-hidden="true">
      <div class="patient-banner" />
    </div>
    <div class="chart-line" aria-hidden="true" />
    <div class="chart-grid" aria-hidden="true">
      {[0, 1].map((column) => (
        <div key={column}>
          <div class="part skeleton" />
          <div class="part skeleton" />
        </div>
      ))}
    </div>
  </>
);

/** The page while there is no chart to show. */
const UnreadChart = ({ error, reload }: Pick<ChartState, 'error' | 'reload'>) => (
  <main id="main" tabIndex={-1} class="chart" aria-busy={error === ''}>
    {error === '' ? <ChartSkeleton /> : <ChartError error={error} onRetry={reload} />}
  </main>
);

/** The dialogs, which are loaded once a chart is shown; null before. */
const useDialogs = (isShown: boolean, onError: (sentence: string) => void): typeof ChartDialog | null => {
  const [dialogs, setDialogs] = useState<{ readonly Dialog: typeof ChartDialog } | null>(null);
  useEffect(() => {
    if (!isShown) return;
    import('./chart-dialog.tsx').then(
      ({ ChartDialog: Dialog }) => setDialogs({ Dialog }),
      () => onError('The forms could not be loaded. Reload the page.'),
    );
  }, [isShown]);
  return dialogs?.Dialog ?? null;
};

/** Shows the name of the patient on the tab. */
const useTitle = (name: string | null): void => {
  useEffect(() => {
    document.title = name === null ? 'Clinical records' : `${name} · Clinical records`;
  }, [name]);
};

export const ChartPage = ({ patientId }: { readonly patientId: string }) => {
  const client = useClient();
  const { hasCorrections } = useSettings();
  const { chart, error, staleSince, reload } = useChart(patientId);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [refusal, setRefusal] = useState('');
  const [message, setMessage] = useState('');
  const [savedId, setSavedId] = useState<string | null>(null);
  useTitle(chart && listedName(chart.patient.name));
  useDraftsInLocation(chart !== null);
  const Dialogs = useDialogs(chart !== null, setRefusal);
  useEffect(() => {
    if (dialog === null) return;
    setSavedId(null);
    setRefusal('');
  }, [dialog]);
  if (chart === null) return <UnreadChart error={error} reload={reload} />;
  // Meanwhile, the user may have opened another dialog, which stays.
  const closeThis = () => setDialog((now) => (now === dialog ? null : now));
  const saved = async (id: string, focused?: FocusedSection) => {
    closeThis();
    setRefusal('');
    await reload();
    setSavedId(id);
    setMessage('Saved. The chart is up to date.');
    if (focused !== undefined) {
      document.getElementById(`${focused}-heading`)?.focus({ preventScroll: true });
    }
  };
  const staged = async () => {
    closeThis();
    await reload();
    setMessage('It is a draft. It has no effect until it is committed.');
  };
  /** The row stays where it is, and nothing is scrolled. */
  const takeStep = async (
    { id, meta }: ServiceRequest & ResourceVersion,
    step: OrderStep,
  ): Promise<boolean> => {
    setRefusal('');
    try {
      await client.commands[step](`ServiceRequest/${id}/0`, { version: meta?.versionId });
      await reload();
      setMessage(
        step === 'complete' ? 'Completed. You can undo it beside the order.' : 'The order is active.',
      );
      return true;
    } catch (cause) {
      const what = step === 'complete' ? 'completed' : 'reopened';
      setRefusal(`The order is not ${what}. ${errorWords(cause)}`);
      reload();
      return false;
    }
  };
  const now = Date.now();
  return (
    <ViewStateProvider savedId={savedId}>
      <main id="main" tabIndex={-1} class="chart">
        <ChartHeader>
          <PatientBanner patient={chart.patient} allergies={chart.allergies} />
          {staleSince !== null && <StaleNotice since={staleSince} error={error} onRetry={reload} />}
        </ChartHeader>
        <div class="chart-line">
          <ChartSections chart={chart} now={now} />
          <PatientDetails patient={chart.patient} />
        </div>
        <p class="unseen" role="status">
          {staleSince === null && message}
        </p>
        <Alert sentence={refusal} />
        <ChartGrid chart={chart} now={now} onOpen={setDialog} onStep={takeStep} onSaved={saved} />
        {hasCorrections && (
          <p class="chart-end">
            <button type="button" onClick={() => setDialog({ kind: 'merge' })}>
              Merge with another chart of this person …
            </button>
          </p>
        )}
        <PrintedLine />
        <PatientContext.Provider value={chart.patient}>
          {dialog !== null && Dialogs !== null && (
            <Dialogs
              dialog={dialog}
              chart={chart}
              onClose={() => setDialog(null)}
              onSaved={saved}
              onStaged={staged}
            />
          )}
        </PatientContext.Provider>
      </main>
    </ViewStateProvider>
  );
};
