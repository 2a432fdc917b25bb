import { once } from 'node:events';
import { createInterface } from 'node:readline';
import {
  type ClinicalRecords,
  ClinicalRecordsError,
  type ClinicalStore,
  createClinicalRecords,
} from '@clinical-records/core';
import { openPostgresStore } from '@clinical-records/store-postgres';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { openPool } from '@clinical-records/testing-postgres';

// A process whose records allow one dose in a chart. For each patient whose id it reads in a line, it makes its share of five writes at
// once, and prints how they ended.

const rule = 'one-dose';

const openStore = (
  database: string,
): { readonly store: ClinicalStore; readonly close: () => Promise<void> } => {
  if (!database.startsWith('postgres')) {
    const store = openSqliteStore({ filename: database, busyTimeout: 60_000 });
    return { store, close: store.close };
  }
  const pool = openPool(database, { max: 6 });
  return { store: openPostgresStore({ pool }), close: () => pool.end() };
};

export const openRecords = (database: string) => {
  const { store, close } = openStore(database);
  const records = createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
    rules: {
      Immunization: async ({ after, chart }) => {
        const doses = await chart.all('Immunization');
        const isFirst = doses.every(({ id }) => id === after.id);
        return isFirst ? [] : [{ rule, message: 'The chart has a dose.' }];
      },
    },
  });
  return { records, close };
};

const by = 'Practitioner/ada';
const vaccineCode = { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] } as const;
const occurrenceDateTime = '2025-10-01';

const bodyOf = (id: string) =>
  ({
    status: 'completed',
    vaccineCode,
    patient: { reference: `Patient/${id}` },
    occurrenceDateTime,
    primarySource: false,
  }) as const;

/** An import rejects nothing: its report says what it refused. */
const load = async ({ importer }: ClinicalRecords, id: string): Promise<void> => {
  const dose = { ...bodyOf(id), resourceType: 'Immunization', id: `dose-${id}` };
  const { issues } = await importer.load([dose]);
  if (issues.length > 0) throw new ClinicalRecordsError({ _tag: 'RuleViolation', issues });
};

/** The writes of each process. */
const shares: readonly ((records: ClinicalRecords, id: string) => readonly Promise<unknown>[])[] = [
  (records, id) => [
    records.immunizations.create(bodyOf(id), { by }),
    records.immunizations.create(bodyOf(id), { by, idempotencyKey: id }),
    load(records, id),
  ],
  (records, id) => [
    records.transaction((tx) => tx.immunizations.create(bodyOf(id), { by })),
    records.chart.record(
      { kind: 'immunize', patientId: id, vaccineCode, occurrenceDateTime: '2025-10-01T09:00:00Z' },
      { by },
    ),
  ],
];

/** Whether a dose was written, or refused by the rule. Any other error is thrown. */
const endOf = async (write: Promise<unknown>): Promise<'written' | 'refused'> => {
  try {
    await write;
    return 'written';
  } catch (thrown) {
    if (thrown instanceof ClinicalRecordsError && thrown.issues[0]?.rule === rule) return 'refused';
    throw thrown;
  }
};

const [database = '', own = '0'] = process.argv.slice(2);
if (import.meta.main) {
  const { records, close } = openRecords(database);
  const share = shares[Number(own)] ?? (() => []);
  await records.immunizations.search({ patient: 'nobody' });
  process.stdout.write('ready\n');
  const lines = createInterface({ input: process.stdin });
  lines.on('line', async (id) => {
    const ends = await Promise.all(share(records, id).map(endOf));
    process.stdout.write(`${JSON.stringify(ends)}\n`);
  });
  await once(lines, 'close');
  await close();
}
