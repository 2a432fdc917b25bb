import { setTimeout } from 'node:timers/promises';
import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import { toEithers } from '@clinical-records/core/fp-ts';
import type { ClinicalStore } from '@clinical-records/core/store';
import { findPatroni, startPatroniCluster } from '@clinical-records/testing-postgres';
import { isRight } from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { createTenant, openPostgresStore, primaryOf } from '../../src/index.ts';
import { openOnServers } from '../tenants/open-on-servers.ts';
import { type Pair, startPair, startPairBehindProxy } from './start-pair.ts';

const failovers = Number(process.env.FAILOVERS ?? 1);
const writersOfEach = 4;

/** The outcomes of writes. A write is sent again with its key until it succeeds. */
type WriteLog = {
  /** The immunizations that were reported as written, by their keys. */
  readonly written: Map<string, string>;
  unavailable: number;
  unknown: number;
  /** When a write was reported last, and the longest time in milliseconds between two of them. */
  last: number;
  longestPause: number;
};

const noteWritten = (log: WriteLog, key: string, id: string): void => {
  const now = performance.now();
  log.longestPause = Math.max(log.longestPause, now - log.last);
  log.last = now;
  log.written.set(key, id);
};

const isOutcomeUnknown = ({ issues }: { readonly issues: readonly { readonly rule: string }[] }) =>
  issues.some(({ rule }) => rule === 'outcome-unknown');

const immunization = {
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140', display: 'Influenza' }] },
  patient: { reference: 'Patient/amy' },
  occurrenceDateTime: '2025-10-01',
  primarySource: false,
} as const;

const writeUntil = async (
  records: ClinicalRecords,
  name: string,
  log: WriteLog,
  isOver: () => boolean,
): Promise<void> => {
  const { immunizations } = toEithers(records);
  for (let nth = 0; !isOver(); nth += 1) {
    const idempotencyKey = `${name}-${nth}`;
    while (!log.written.has(idempotencyKey)) {
      const result = await immunizations.create(immunization, { by: 'Practitioner/ada', idempotencyKey });
      if (isRight(result)) noteWritten(log, idempotencyKey, result.right.id);
      else if (isOutcomeUnknown(result.left)) log.unknown += 1;
      else log.unavailable += 1;
      // A refused writer leaves the processor to the servers.
      if (!isRight(result)) await setTimeout(10);
    }
  }
};

type Clinic = { readonly records: ClinicalRecords; readonly log: WriteLog };

const createClinic = async (store: ClinicalStore): Promise<Clinic> => {
  const records = createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
  });
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
  await records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });
  return {
    records,
    log: { written: new Map(), unavailable: 0, unknown: 0, last: Infinity, longestPause: 0 },
  };
};

const readIds = async ({ immunizations }: ClinicalRecords): Promise<readonly string[]> => {
  const ids: string[] = [];
  for await (const { id } of immunizations.all()) ids.push(id);
  return ids;
};

const isLongForm = process.env.FAILOVERS !== undefined;
const promoters: [name: string, start: () => Promise<Pair>][] = [
  ['the test', startPair],
  ['the test, behind a proxy that keeps silent connections,', startPairBehindProxy],
];
if (isLongForm && findPatroni() !== null) promoters.push(['Patroni', startPatroniCluster]);
else if (isLongForm) console.info('Patroni, etcd or PostgreSQL 15 is not installed: only the test promotes.');

test.each(promoters)(
  'after %s promotes a standby the stores of two clinics go on by themselves, and have everything that was reported as written once',
  {
    timeout: 60_000 + failovers * 30_000,
  },
  async (promoter, start) => {
    const pair = await start();
    const { store, pools } = openOnServers(pair.urls);
    // A second clinic in the same tables, which gets the same keys.
    const pool = primaryOf(pools);
    await createTenant({ pool, tenant: 'north' });
    const stores = [store, openPostgresStore({ pool, replicas: pools, tenant: 'north' })];
    const clinics = await Promise.all(stores.map(createClinic));
    const sum = (count: (log: WriteLog) => number) =>
      clinics.reduce((total, { log }) => total + count(log), 0);

    /** Returns once each clinic has written so many more. */
    const moreWritten = (count: number) =>
      Promise.all(
        clinics.map(async ({ log }) => {
          const enough = log.written.size + count;
          while (log.written.size < enough) await setTimeout(1);
        }),
      );
    let isOver = false;
    const writers = clinics.flatMap(({ records, log }) =>
      Array.from({ length: writersOfEach }, (_, at) => writeUntil(records, `${at}`, log, () => isOver)),
    );
    const pauses: number[] = [];
    for (let nth = 0; nth < failovers; nth += 1) {
      await pair.untilSynchronous();
      await moreWritten(10 + Math.floor(Math.random() * 100));
      for (const { log } of clinics) log.longestPause = 0;
      await pair.killPrimary();
      // So many are not in flight, so that one of them begins afterwards.
      await moreWritten(2 * writersOfEach);
      pauses.push(Math.round(Math.max(...clinics.map(({ log }) => log.longestPause))));
    }
    isOver = true;
    await Promise.all(writers);

    for (const { records, log } of clinics) {
      expect((await readIds(records)).toSorted()).toEqual([...log.written.values()].toSorted());
      expect(await records.verify()).toMatchObject({ discrepancies: [], miscounted: [] });
    }
    if (isLongForm) {
      console.info(
        `${failovers} failovers by ${promoter}: ${sum((log) => log.written.size)} written, each once; ${sum((log) => log.unavailable)} unavailable and ${sum((log) => log.unknown)} unknown before`,
      );
      console.info(`milliseconds without writes: ${pauses.toSorted((a, b) => a - b).join(', ')}`);
    }
    for (const one of stores) await one.close();
    await Promise.all(pools.map((one) => one.end()));
    await pair.stop();
  },
);
