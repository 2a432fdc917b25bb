import { useEffect, useState } from 'preact/hooks';
import { listedName } from '../model/names.ts';
import { CareTeamSection } from './care-team/care-team-section.tsx';
import { GoalSection } from './goals/goal-section.tsx';
import { HistoryDialog, type HistoryOf } from './history/history-dialog.tsx';
import { ImmunizationSection } from './immunizations/immunization-section.tsx';
import { OrderSection } from './orders/order-section.tsx';
import { PatientBanner } from './patient-banner.tsx';
import { useChart } from './use-chart.ts';

/** The chart of one patient on one page. */
export const ChartPage = ({ patientId }: { readonly patientId: string }) => {
  const { chart, error } = useChart(patientId);
  const [history, setHistory] = useState<HistoryOf | null>(null);
  const name = chart && listedName(chart.patient.name);
  useEffect(() => {
    if (name !== null) document.title = `${name} · Clinical records`;
  }, [name]);
  if (chart === null) {
    return (
      <main class="chart" aria-busy={error === ''}>
        {error === '' ? (
          <p class="secondary">Reading the chart …</p>
        ) : (
          <p class="notice" role="alert">
            {error}
          </p>
        )}
      </main>
    );
  }
  return (
    <main class="chart">
      <PatientBanner patient={chart.patient} />
      <div class="chart-grid">
        <CareTeamSection chart={chart} onHistory={setHistory} />
        <GoalSection goals={chart.goals} onHistory={setHistory} />
        <OrderSection orders={chart.orders} onHistory={setHistory} />
        <ImmunizationSection immunizations={chart.immunizations} onHistory={setHistory} />
      </div>
      {history !== null && <HistoryDialog of={history} onClose={() => setHistory(null)} />}
    </main>
  );
};
