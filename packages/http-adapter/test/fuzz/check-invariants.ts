import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { HttpRequest } from '../../src/index.ts';
import { type FilledClinic, openFilledClinic } from './clinic.ts';
import { findViolations, maxMilliseconds, patientOf, type Trial } from './invariants.ts';

const runs = process.env.FUZZ_RUNS;

/** Whether more is asked for than what every change is tested by. */
export const isLongForm = runs !== undefined;

/** The same cases each time, unless more of them are asked for. */
const seed = Number(process.env.FUZZ_SEED ?? (isLongForm ? Date.now() % 2 ** 31 : 20_260_301));
if (isLongForm) console.info(`FUZZ_RUNS=${runs} FUZZ_SEED=${seed}`);

const tryRequest = async (request: HttpRequest, clinic: FilledClinic): Promise<Trial> => {
  const start = performance.now();
  const response = await clinic.handler(request);
  const milliseconds = performance.now() - start;
  const newVersions = await clinic.newVersions();
  const patientId = newVersions.length === 0 ? null : await patientOf(request, clinic);
  return { request, response, milliseconds, newVersions, patientId };
};

/** Holds the handler to its promises, on a clinic as it was when it was filled. */
export const checkInvariants = async (clinic: FilledClinic, request: HttpRequest): Promise<Trial> => {
  const trial = await tryRequest(request, clinic);
  const broken = findViolations(trial);
  const causes = [...clinic.causes];
  if (trial.newVersions.length > 0 || causes.length > 0) await clinic.rewind();
  // Where a promise is broken, the causes and the status are shown with it.
  expect({ broken, ...(broken.length > 0 && { causes, status: trial.response.status }) }).toEqual({
    broken: [],
  });
  return trial;
};

/** Tries a share of all the cases of a run: `FUZZ_RUNS` of them, from `FUZZ_SEED` on. */
export const checkAll = async (requests: fc.Arbitrary<HttpRequest>, share: number): Promise<void> => {
  const clinic = await openFilledClinic();
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      await checkInvariants(clinic, request);
    }),
    { numRuns: Math.ceil(Number(runs ?? 3_000) * share), seed, timeout: 2 * maxMilliseconds },
  );
};

/** The longest time of a test, in milliseconds. Each response has a shorter limit of its own. */
export const testTimeout = 60_000 + Number(runs ?? 0) * 20;
