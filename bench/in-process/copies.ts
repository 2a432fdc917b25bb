import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { answerParent } from '../child/answer-parent.ts';
import { clinicResources, extensionBase } from '../data/clinic.ts';
import { copyToPostgres } from '../data/copy-to-postgres.ts';
import type { Rate } from '../measure/interleaved.ts';
import { readPostgresProcessorTime } from '../servers/postgres-processor-time.ts';

/** The clinic is copied into an empty database, or imported into a new file. */
export type Copy =
  | { readonly into: 'PostgreSQL'; readonly url: string }
  | { readonly into: 'SQLite'; readonly filename: string };

const [clinic = '', records = '', folder = ''] = process.argv.slice(2);

const texts = Array.from(clinicResources({ from: 0, until: Number(records) }), (resource) =>
  JSON.stringify(resource),
);

const importInto = async (filename: string): Promise<void> => {
  const store = openSqliteStore({ filename });
  const { importer } = createClinicalRecords({ store, extensionBase, careTeamRoles: [] });
  const { issues } = await importer.load(texts);
  if (issues[0] !== undefined) throw new Error(`An import failed: ${JSON.stringify(issues[0])}`);
  await store.close();
};

const processorTime = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system + readPostgresProcessorTime(folder);
};

/** Moves the clinic, and returns the rate of its resources. The processor time is that of this process and of PostgreSQL. */
answerParent(async (copy: Copy): Promise<Rate> => {
  const usedBefore = processorTime();
  const began = performance.now();
  await (copy.into === 'SQLite' ? importInto(copy.filename) : copyToPostgres(clinic, copy.url));
  const seconds = (performance.now() - began) / 1000;
  return {
    perSecond: texts.length / seconds,
    microsecondsEach: (processorTime() - usedBefore) / texts.length,
  };
});
