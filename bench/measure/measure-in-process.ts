import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startChild } from '../child/start-child.ts';
import { type ClinicFiles, clinicFile, copyClinicFile, removeClinicFile } from '../clinic-files.ts';
import { type Range, recordsPerPatient } from '../data/clinic.ts';
import type { BodyWork } from '../in-process/bodies.ts';
import type { BytesWork } from '../in-process/bytes.ts';
import type { ColdSearches } from '../in-process/cold-searches.ts';
import type { Import } from '../in-process/imports.ts';
import type { JoinedCreates } from '../in-process/joined-creates.ts';
import type { ReadWork } from '../in-process/reads.ts';
import { compareRates, type Result, type Size } from '../results.ts';
import type { Settings } from '../settings.ts';
import { type Candidate, interleavedMedians, type Rate } from './interleaved.ts';

const candidates = ['ours', 'floor'] as const;

/** Rounds the imported records of a round up to whole patients, with as many immunizations as service requests. */
const roundUpToPatients = (records: number) =>
  Math.ceil(records / (2 * recordsPerPatient)) * 2 * recordsPerPatient;

const coldSearchesPerRound = 20;

type Row = Pick<Result, 'work' | 'records' | 'floor' | 'target'>;

/** Compares the library and the floor, in turn. */
const compare = async (
  row: Row,
  rounds: number,
  createCandidate: (who: 'ours' | 'floor') => Candidate,
): Promise<Result> => {
  const [ours, floor] = await interleavedMedians(candidates.map(createCandidate), rounds);
  return { ...row, ...compareRates(ours, floor), anonymousMiB: null };
};

type Measure = (
  clinic: ClinicFiles,
  settings: Settings & { readonly records: number },
  report: (result: Result) => void,
) => Promise<void>;

/** Measures reads within one process, without HTTP. */
export const measureReads: Measure = async (clinic, { records, rounds, seconds, works }, report) => {
  const work = 'read as JSON text, in process';
  if (!works.test(work)) return;
  const reads = await startChild<ReadWork, Rate>('in-process/reads.ts', clinic.ours, clinic.floor);
  const row = { work, records, floor: 'one prepared get', target: 0.6 };
  report(
    await compare(
      row,
      rounds,
      (from) => (round) => reads.ask({ from, records, seconds: Math.min(seconds, 2), seed: round }),
    ),
  );
  await reads.stop();
};

/** Measures searches of a file that is not in memory. Only Linux reports what a process reads from the disk. */
export const measureColdSearches: Measure = async (clinic, { records, rounds, works }, report) => {
  const work = 'search by patient, cold file, in process';
  if (!works.test(work) || process.platform !== 'linux') return;
  const child = await startChild<ColdSearches, Rate>(
    'in-process/cold-searches.ts',
    clinic.ours,
    clinic.floor,
  );
  const row = { work, records, floor: 'one prepared search', target: null };
  report(
    await compare(
      row,
      rounds,
      (from) => (round) => child.ask({ from, records, searches: coldSearchesPerRound, seed: round }),
    ),
  );
  await child.stop();
};

/** Measures how a body is read. The difference to the floor is the price of what JSON.parse hides. */
export const measureBodies: Measure = async (_, { records, rounds, seconds, works }, report) => {
  const work = 'the body of a create, read as JSON';
  if (!works.test(work)) return;
  const bodies = await startChild<BodyWork, Rate>('in-process/bodies.ts');
  const row = { work, records, floor: 'JSON.parse', target: 0.3 };
  report(await compare(row, rounds, (by) => () => bodies.ask({ by, seconds: Math.min(seconds, 2) })));
  await bodies.stop();
};

/** The least share of the rate of plain creates. */
const joinedTargets: Readonly<Record<string, number>> = {
  'records.in(tx)': 1 / 1.15,
  'records with a rule': 1 / 1.3,
  'records with fields': 1 / 1.15,
};

/**
 * Measures what records in a transaction cost, each for one create. The services of such records are made when they are first
 * used, so that the create itself must be nearly all of it.
 */
export const measureJoinedCreates: Measure = async (clinic, { records, rounds, works }, report) => {
  const on = [
    'records',
    'records.in(tx)',
    'records.transaction',
    'records with a rule',
    'records with a rule that reads the chart',
    'records with fields',
    'records with fields, each of which is sent',
  ] as const;
  const workOf = (way: string) => `a create on ${way}, in process`;
  if (!on.slice(1).some((way) => works.test(workOf(way)))) return;
  const copy = copyClinicFile(clinic.ours, 'joined');
  const creates = await startChild<JoinedCreates, Rate>('in-process/joined-creates.ts', copy);
  const candidates = on.map((way) => (seed: number) => creates.ask({ on: way, seed }));
  const [alone, ...others] = await interleavedMedians(candidates, 4 * rounds);
  for (const [index, rate] of others.entries()) {
    const way = on[index + 1] ?? '';
    report({
      ...{ work: workOf(way), records, floor: workOf(on[0]), anonymousMiB: null },
      target: joinedTargets[way] ?? null,
      ...compareRates(rate, alone),
    });
  }
  await creates.stop();
  removeClinicFile(copy);
};

const core = fileURLToPath(new URL('../../packages/core', import.meta.url));

/** Measures how long a program waits for the core as it is published. Each import has a process of its own. */
export const measureLoad: Measure = async (_, { records, rounds, works }, report) => {
  const work = 'import of the core';
  if (!works.test(work)) return;
  execFileSync('tsup', ['--config', '../../tsup.config.ts', '--no-dts', '--silent'], { cwd: core });
  const modules = { ours: `${core}/dist/index.js`, floor: './dependencies.ts' };
  const row = { work, records, floor: 'import of zod and fp-ts', target: 0.5 };
  report(
    await compare(row, rounds, (of) => async () => {
      const child = await startChild<string, Rate>('in-process/load.ts');
      const rate = await child.ask(modules[of]);
      await child.stop();
      return rate;
    }),
  );
};

/** As long as most URLs of a clinic, shorter and longer. */
const extensionBases = [
  'https://c.example/fhir',
  'https://clinic.example/fhir/extensions',
  `https://records.clinic.example/fhir${'/extensions'.repeat(6)}`,
];

/** Counts the bytes of a dose, and those that a create writes to a copy of the clinic. Only Linux reports what a process writes. */
export const measureBytes = async (
  clinic: ClinicFiles,
  { works }: Pick<Settings, 'works'>,
  report: (size: Size) => void,
): Promise<void> => {
  const copy = copyClinicFile(clinic.ours, 'bytes');
  const child = await startChild<BytesWork, number>('in-process/bytes.ts', copy);
  const count = async (work: string, asked: BytesWork, target: number | null) => {
    if (works.test(work)) report({ work, bytes: Math.round(await child.ask(asked)), target });
  };
  for (const extensionBase of extensionBases)
    await count(
      `bytes of a dose, with a URL of ${extensionBase.length}`,
      { of: 'dose', extensionBase },
      3500,
    );
  if (process.platform === 'linux') {
    for (const together of [1, 8, 32])
      await count(`bytes written by a create, ${together} together`, { of: 'create', together }, null);
  }
  await child.stop();
  removeClinicFile(copy);
};

/** Measures imports within one process. They change the clinic, and so are last. */
export const measureImports: Measure = async (clinic, { records, rounds, imported, works }, report) => {
  const work = 'import of NDJSON, resources';
  if (!works.test(work)) return;
  const imports = await startChild<Import, Rate>('in-process/imports.ts', clinic.ours, clinic.floor);
  const fileByHand = clinicFile('by-hand');
  const byHand = await startChild<Range, Rate>('in-process/rows-by-hand.ts', fileByHand);
  const size = roundUpToPatients(imported);
  // After the numbers of the clinic, at the beginning of a pair of patients.
  const above = roundUpToPatients(records) + 2 * recordsPerPatient;
  const rangeOf = (round: number): Range => {
    const from = above + round * size;
    return { from, until: from + size };
  };
  const [ours, floor, rows] = await interleavedMedians(
    [
      ...candidates.map(
        (into) => (round: number) => imports.ask({ into, range: rangeOf(round), timed: true }),
      ),
      (round) => byHand.ask(rangeOf(round)),
    ],
    rounds,
  );
  const compareWith = (name: string, other: Rate | undefined, target: number | null) =>
    report({ work, records, floor: name, target, ...compareRates(ours, other), anonymousMiB: null });
  compareWith('bare inserts, 256 a transaction', floor, 0.2);
  compareWith('our rows by hand', rows, null);
  await imports.stop();
  await byHand.stop();
  removeClinicFile(fileByHand);
};
