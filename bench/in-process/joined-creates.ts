import { createClinicalRecords, defineExtension, withExtension } from '@clinical-records/core';
import { inTransaction, openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { answerParent } from '../child/answer-parent.ts';
import { extensionBase, type Immunization, immunizationBody } from '../data/clinic.ts';
import { below, randomFrom } from '../data/random.ts';
import type { Rate } from '../measure/interleaved.ts';

/**
 * How creates are written: by themselves, each on records that join a transaction of the host, each in `records.transaction`, with a
 * rule of the host, which reads nothing or the doses of the chart, or with extensions of the host that are declared, or sent, too.
 */
export type JoinedCreates = {
  readonly on:
    | 'records'
    | 'records.in(tx)'
    | 'records.transaction'
    | 'records with a rule'
    | 'records with a rule that reads the chart'
    | 'records with fields'
    | 'records with fields, each of which is sent';
  readonly seed: number;
};

const [filename = ''] = process.argv.slice(2);

const database = new Database(filename);
database.pragma('journal_mode = WAL');
const options = { store: openSqliteStore({ database }), extensionBase, careTeamRoles: [] };
const records = createClinicalRecords(options);
const ruled = createClinicalRecords({ ...options, rules: { Immunization: () => [] } });
const reading = createClinicalRecords({
  ...options,
  rules: {
    Immunization: async ({ chart }) => {
      await chart.all('Immunization');
      return [];
    },
  },
});
const consent = defineExtension({
  url: 'https://acme.example/consent',
  on: 'Immunization',
  value: 'boolean',
});
const forecast = defineExtension({
  url: 'https://acme.example/forecast',
  on: 'Immunization.vaccineCode',
  value: 'code',
});
const extended = createClinicalRecords({
  ...options,
  extensions: { [consent.url]: consent, [forecast.url]: forecast },
});
const by = { by: 'Practitioner/bench' } as const;

/** The creates of one transaction of the host, whose own time is shared by them. */
const createsTogether = 20;
const transactionsPerRound = 25;

const createEach =
  ({ immunizations }: typeof records, toSent = (body: Immunization) => body) =>
  async (bodies: readonly Immunization[]) => {
    for (const body of bodies) await immunizations.create(toSent(body), by);
  };

const withFields = (body: Immunization): Immunization =>
  withExtension(withExtension(body, consent, true), forecast, 'due');

const writers = {
  records: createEach(records),
  'records with a rule': createEach(ruled),
  'records with a rule that reads the chart': createEach(reading),
  'records with fields': createEach(extended),
  'records with fields, each of which is sent': createEach(extended, withFields),
  'records.in(tx)': (bodies: readonly Immunization[]) =>
    inTransaction(database, async (tx) => {
      for (const body of bodies) await records.in(tx).immunizations.create(body, by);
    }),
  'records.transaction': async (bodies: readonly Immunization[]) => {
    for (const body of bodies) await records.transaction((tx) => tx.immunizations.create(body, by));
  },
};

/** Returns the rate of creates, each in the note of its encounter. */
answerParent(async ({ on, seed }: JoinedCreates): Promise<Rate> => {
  const random = randomFrom(seed);
  const createBody = () =>
    immunizationBody(24 * below(random, 400) + 3 * below(random, 4), 'its encounter') as Immunization;
  const write = writers[on];
  let [clock, processor] = [0, 0];
  for (let nth = 0; nth < transactionsPerRound; nth += 1) {
    const bodies = Array.from({ length: createsTogether }, createBody);
    const [began, usedBefore] = [performance.now(), process.cpuUsage()];
    await write(bodies);
    const { user, system } = process.cpuUsage(usedBefore);
    clock += performance.now() - began;
    processor += user + system;
  }
  const creates = transactionsPerRound * createsTogether;
  return { perSecond: (creates * 1000) / clock, microsecondsEach: processor / creates };
});
