import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { HttpRequest } from '../../src/index.ts';
import { type FilledClinic, openFilledClinic } from './clinic.ts';
import { patience, patientNamed, type Trial, violations } from './invariants.ts';

const runs = process.env.FUZZ_RUNS;

/** The same cases each time, unless more of them are asked for. */
const seed = Number(process.env.FUZZ_SEED ?? (runs === undefined ? 20_260_301 : Date.now() % 2 ** 31));
if (runs !== undefined) console.info(`FUZZ_RUNS=${runs} FUZZ_SEED=${seed}`);

const tried = async (request: HttpRequest, clinic: FilledClinic): Promise<Trial> => {
  const start = performance.now();
  const response = await clinic.handler(request);
  const milliseconds = performance.now() - start;
  const written = await clinic.written();
  return {
    request,
    response,
    milliseconds,
    written,
    patientId: written.length === 0 ? null : await patientNamed(request, clinic),
  };
};

/** Holds the handler to its promises, on a clinic that nothing was written to since it was filled. */
export const createTrials = (): ((request: HttpRequest) => Promise<Trial>) => {
  let untouched: Promise<FilledClinic> | null = null;
  return async (request) => {
    untouched ??= openFilledClinic();
    const clinic = await untouched;
    const trial = await tried(request, clinic);
    const broken = violations(trial);
    if (trial.written.length > 0 || broken.length > 0) untouched = null;
    expect({ broken, causes: clinic.causes, status: trial.response.status }).toEqual({
      broken: [],
      causes: [],
      status: trial.response.status,
    });
    return trial;
  };
};

/** Tries a share of all the cases of a run: `FUZZ_RUNS` of them, from `FUZZ_SEED` on. */
export const tryAll = (requests: fc.Arbitrary<HttpRequest>, share: number): Promise<void> => {
  const hold = createTrials();
  return fc.assert(
    fc.asyncProperty(requests, async (request) => {
      await hold(request);
    }),
    { numRuns: Math.ceil(Number(runs ?? 4_000) * share), seed, timeout: 2 * patience },
  );
};

/** How long a test of many cases may take, in milliseconds. */
export const testTimeout = 30_000 + Number(runs ?? 0) * 20;
