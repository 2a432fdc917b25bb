import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createDatabase } from '@clinical-records/testing-postgres';
import { afterAll, expect, inject, onTestFinished, test } from 'vitest';
import { endAll, newFolder } from '../running-server.ts';
import { openRecords } from './rule-racer.ts';

afterAll(endAll);

const rounds = 20;

/** Starts a process, and returns the function that has it write into the chart of a patient. */
const startRacer = async (database: string, own: number) => {
  const racer = fileURLToPath(new URL('./rule-racer.ts', import.meta.url));
  const child = spawn(process.execPath, [racer, database, `${own}`], { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  return async (patientId: string): Promise<readonly string[]> => {
    child.stdin.write(`${patientId}\n`);
    return JSON.parse((await lines.next()).value ?? '');
  };
};

const databases = {
  SQLite: async () => join(await newFolder(), 'clinic.db'),
  PostgreSQL: async () => {
    const { url, drop } = await createDatabase(inject('postgresUrl'));
    onTestFinished(drop);
    return url;
  },
} as const;

test.each(Object.entries(databases))(
  'of five writers in two processes, one passes a rule that allows one dose in a chart, on %s',
  async (_, create) => {
    const database = await create();
    const { records, close } = openRecords(database);
    onTestFinished(close);
    await records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron' });
    const racers = [await startRacer(database, 0), await startRacer(database, 1)];
    for (const id of Array.from({ length: rounds }, (_, round) => `patient-${round}`)) {
      await records.directory.put('Patient', { id, lastName: 'Shaw' });
      const ends = (await Promise.all(racers.map((write) => write(id)))).flat();
      expect(ends.toSorted()).toEqual(['refused', 'refused', 'refused', 'refused', 'written']);
      expect((await records.immunizations.search({ patient: id })).total).toBe(1);
    }
    expect((await records.verify()).discrepancies).toEqual([]);
  },
);
