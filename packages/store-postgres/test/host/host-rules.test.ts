import { type ClinicalRecords, ClinicalRecordsError, createClinicalRecords } from '@clinical-records/core';
import { expect, test } from 'vitest';
import { inTransaction, openPostgresStore } from '../../src/index.ts';
import { newDatabase, openPool } from '../tenants/databases.ts';

const rule = 'one-dose';

/** Records of two servers, with a rule that allows a number of doses in a chart. */
const openTwo = async (doses: number) => {
  const url = await newDatabase();
  const open = () => {
    const pool = openPool(url, { max: 6 });
    const records = createClinicalRecords({
      store: openPostgresStore({ pool }),
      extensionBase: 'https://clinic.example/fhir/extensions',
      careTeamRoles: [],
      rules: {
        Immunization: async ({ after, chart }) => {
          const others = (await chart.all('Immunization')).filter(({ id }) => id !== after.id);
          return others.length < doses ? [] : [{ rule, message: 'The chart has enough.' }];
        },
      },
    });
    return { pool, records };
  };
  return [open(), open()] as const;
};

const body = (patientId: string) =>
  ({
    status: 'completed',
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
    patient: { reference: `Patient/${patientId}` },
    occurrenceDateTime: '2025-10-01',
    primarySource: false,
  }) as const;

type Servers = Awaited<ReturnType<typeof openTwo>>;
type Server = Servers[0];

/** Whether a dose was written, or refused by the rule. Any other error is thrown. */
const ended = async (write: Promise<unknown>): Promise<'written' | 'refused'> => {
  try {
    await write;
    return 'written';
  } catch (thrown) {
    if (thrown instanceof ClinicalRecordsError && thrown.issues[0]?.rule === rule) return 'refused';
    throw thrown;
  }
};

/** Creates a dose in a transaction of the host. */
const createInTransaction = async (
  { pool, records }: Server,
  create: (on: Pick<ClinicalRecords, 'immunizations'>) => Promise<unknown>,
): Promise<unknown> => {
  const client = await pool.connect();
  try {
    return await inTransaction(client, (tx) => create(records.in(tx)));
  } finally {
    client.release();
  }
};

/** Five writers on two servers, one of them in a transaction of the host. */
const race = async ([first, second]: Servers, patientId: string) => {
  const create = ({ immunizations }: Pick<ClinicalRecords, 'immunizations'>, idempotencyKey?: string) =>
    immunizations.create(body(patientId), idempotencyKey === undefined ? {} : { idempotencyKey });
  return Promise.all(
    [
      create(first.records),
      create(second.records),
      create(first.records, `${patientId}-key`),
      second.records.transaction((tx) => create(tx)),
      createInTransaction(first, create),
    ].map(ended),
  );
};

test.each([1, 3])(
  'of five writers on two servers, %i pass a rule that allows so many in a chart',
  async (doses) => {
    const servers = await openTwo(doses);
    const [{ records }] = servers;
    for (const id of ['amy', 'ben', 'cyd']) {
      await records.directory.put('Patient', { id, lastName: 'Shaw' });
      const outcomes = await race(servers, id);
      expect(outcomes.filter((outcome) => outcome === 'written')).toHaveLength(doses);
      expect((await records.immunizations.search({ patient: id })).total).toBe(doses);
    }
    expect((await records.verify()).discrepancies).toEqual([]);
  },
);
