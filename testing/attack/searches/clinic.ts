import { existsSync, statSync } from 'node:fs';
import { noVersion, type RecordChange } from '@clinical-records/core/store';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { below, randomFrom } from '../../../bench/data/random.ts';

export const statuses = ['draft', 'active', 'completed', 'entered-in-error'] as const;
export const codes = 3000;
const ordersPerPatient = 20;
const batch = 1000;
const day = 86_400_000;

/** An order as its service would write it, authored at a minute or on a day within ten years. */
const order = (number: number): RecordChange => {
  const random = randomFrom(number);
  const status = statuses[below(random, 4)] ?? 'draft';
  const category = ['363679005', '108252007', '3457005'][below(random, 3)] ?? '';
  const code = `${below(random, codes)}-1`;
  const from = Date.UTC(2016, 0, 1) + below(random, 3650) * day;
  const until = from + (number % 2 === 0 ? day : 1);
  const patientId = `p${Math.floor(number / ordersPerPatient)}`;
  const resource = JSON.stringify({
    resourceType: 'ServiceRequest',
    id: `o${number}`,
    status,
    intent: 'order',
    category: [{ coding: [{ system: 'http://snomed.info/sct', code: category }] }],
    code: { coding: [{ system: 'http://loinc.org', code, display: 'A panel' }] },
    subject: { reference: `Patient/${patientId}`, type: 'Patient' },
    authoredOn: new Date(from).toISOString(),
  });
  return {
    type: 'ServiceRequest',
    id: `o${number}`,
    patientId,
    at: from,
    by: null,
    state: '{}',
    resource,
    expects: noVersion,
    index: [
      { kind: 'token', parameter: 'status', system: 'http://hl7.org/fhir/request-status', code: status },
      { kind: 'token', parameter: 'category', system: 'http://snomed.info/sct', code: category },
      { kind: 'token', parameter: 'code', system: 'http://loinc.org', code },
      { kind: 'date', parameter: 'authored', from, until },
    ],
  };
};

const syllables = ['ba', 'ri', 'no', 'sha', 'we', 'lu', 'ka', 'mo', 'ti', 'den', 'sol', 'fa'] as const;

/** A patient as the directory would write it. Some thousands of names are each shared by some patients. */
const patient = (number: number): RecordChange => {
  const random = randomFrom(number);
  const name = (length: number) =>
    Array.from({ length }, () => syllables[below(random, syllables.length)]).join('');
  const [lastName, firstName] = [name(4), name(2)];
  const id = `p${number}`;
  return {
    type: 'Patient',
    id,
    patientId: id,
    at: Date.UTC(2016, 0, 1),
    by: null,
    state: JSON.stringify({ id, lastName, firstName, lastModified: 0 }),
    resource: JSON.stringify({
      resourceType: 'Patient',
      id,
      name: [{ family: lastName, given: [firstName] }],
    }),
    expects: noVersion,
    index: [lastName, firstName].map((word) => ({ kind: 'string', parameter: 'name', word })),
  };
};

/** How many orders there are for each patient who is searched by name. */
export const ordersPerName = 4;

/** Fills a file with orders and patients unless it exists, and returns its size and the time it took. */
export const fillWithOrders = async (filename: string, records: number) => {
  const began = performance.now();
  if (!existsSync(filename)) {
    const store = openSqliteStore({ filename });
    const fill = async (count: number, changeOf: (number: number) => RecordChange) => {
      for (let from = 0; from < count; from += batch) {
        const changes = Array.from({ length: Math.min(batch, count - from) }, (_, at) => changeOf(from + at));
        const written = await store.commit({ changes, versionChecks: [] });
        if (written._tag === 'Left') throw new Error(JSON.stringify(written.left));
      }
    };
    await fill(records, order);
    await fill(records / ordersPerName, patient);
    await store.close();
  }
  const megabytes = Math.round(statSync(filename).size / 1e6);
  return { megabytes, seconds: Math.round((performance.now() - began) / 1000) };
};
