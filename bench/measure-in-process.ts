import { startChild } from './child/child.ts';
import type { Clinic } from './clinics.ts';
import { recordsPerPatient } from './data/clinic.ts';
import type { Import } from './in-process/imports.ts';
import type { Reads } from './in-process/reads.ts';
import { type Contestant, mediansInTurn } from './in-turn.ts';
import type { Result } from './results.ts';
import type { Settings } from './settings.ts';

const contestants = ['ours', 'floor'] as const;

/** How many more records each round imports, in whole patients: as many immunizations as service requests. */
const wholePatients = (records: number) =>
  Math.ceil(records / (2 * recordsPerPatient)) * 2 * recordsPerPatient;

type Row = Pick<Result, 'work' | 'floor' | 'target'>;

/** Compares ours and the floor, in turn. */
const comparing =
  (records: number, rounds: number, report: (result: Result) => void) =>
  async (row: Row, contestant: (who: 'ours' | 'floor') => Contestant): Promise<void> => {
    const [opsPerSecond = 0, floorOpsPerSecond = 0] = await mediansInTurn(
      contestants.map(contestant),
      rounds,
    );
    const ratio = opsPerSecond / floorOpsPerSecond;
    report({ ...row, records, opsPerSecond, floorOpsPerSecond, ratio, residentMiB: null });
  };

type Measure = (
  clinic: Clinic,
  settings: Settings & { readonly records: number },
  report: (result: Result) => void,
) => Promise<void>;

/** Reads within one process, without HTTP. */
export const measureReads: Measure = async (clinic, { records, rounds, seconds }, report) => {
  const reads = await startChild<Reads, number>('in-process/reads.ts', clinic.ours, clinic.floor);
  await comparing(
    records,
    rounds,
    report,
  )(
    { work: 'read as JSON text, in process', floor: 'one prepared get', target: 0.6 },
    (from) => (round) => reads.ask({ from, records, seconds: Math.min(seconds, 2), seed: round }),
  );
  await reads.stop();
};

/** Imports within one process. They change the clinic, and so come last. */
export const measureImports: Measure = async (clinic, { records, rounds, imported }, report) => {
  const imports = await startChild<Import, number>('in-process/imports.ts', clinic.ours, clinic.floor);
  const size = wholePatients(imported);
  // Above the numbers of the clinic, at the beginning of a pair of patients.
  const above = wholePatients(records) + 2 * recordsPerPatient;
  await comparing(
    records,
    rounds,
    report,
  )(
    {
      work: 'import of NDJSON, resources',
      floor: 'bare inserts, 256 a transaction',
      target: records > 100_000 ? 0.25 : 0.3,
    },
    (into) => (round) => {
      const from = above + round * size;
      return imports.ask({ into, range: { from, until: from + size }, timed: true });
    },
  );
  await imports.stop();
};
