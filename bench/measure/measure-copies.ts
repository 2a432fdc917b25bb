import { createDatabase } from '@clinical-records/testing-postgres';
import { startChild } from '../child/start-child.ts';
import { type ClinicFiles, clinicFile, removeClinicFile } from '../clinic-files.ts';
import type { Copy } from '../in-process/copies.ts';
import type { PostgresClinic } from '../postgres-clinic.ts';
import { compareRates, type Result } from '../results.ts';
import type { Settings } from '../settings.ts';
import { interleavedMedians, type Rate } from './interleaved.ts';

const work = 'PostgreSQL: copy of the clinic';

/** Measures how long it takes to copy the clinic, with all of its versions, compared with an import of its resources. */
export const measureCopies = async (
  clinic: ClinicFiles,
  postgres: PostgresClinic,
  { records, rounds, works }: Settings & { readonly records: number },
  report: (result: Result) => void,
): Promise<void> => {
  if (!works.test(work)) return;
  const { url, folder } = postgres.server;
  const child = await startChild<Copy, Rate>('in-process/copies.ts', clinic.ours, String(records), folder);
  const filename = clinicFile('imported');
  const [copy, load] = await interleavedMedians(
    [
      async () => {
        const target = await createDatabase(url);
        const rate = await child.ask({ into: 'PostgreSQL', url: target.url });
        await target.drop();
        return rate;
      },
      () => {
        removeClinicFile(filename);
        return child.ask({ into: 'SQLite', filename });
      },
    ],
    rounds,
  );
  removeClinicFile(filename);
  // 0.8 of the time.
  report({
    work,
    records,
    floor: 'its import into SQLite',
    target: 1.25,
    ...compareRates(copy, load),
    anonymousMiB: null,
  });
  await child.stop();
};
