import type { ClinicalStore } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { beforeAll, describe, test } from 'vitest';
import type { HttpRequest } from '../../src/index.ts';
import { checkInvariants, isLongForm, testTimeout } from './check-invariants.ts';
import { type FilledClinic, openFilledClinic } from './clinic.ts';
import { newStatement } from './valid-bodies.ts';

/** The long form goes up to the limit of a body, with room for what stands around what fills it. */
const size = isLongForm ? 256 * 1024 - 1_000 : 8 * 1024;

const repeatToSize = (text: string) => text.repeat(Math.floor(size / text.length));

const items = (text: string) => `[${repeatToSize(`${text},`)}${text}]`;

const nested = (open: string, close: string) => {
  const levels = Math.floor(size / (open.length + close.length));
  return `${open.repeat(levels)}0${close.repeat(levels)}`;
};

const headers = { authorization: 'Bearer full' };

const put = (participants: string): HttpRequest => ({
  method: 'PUT',
  url: '/fhir/CareTeam/amy',
  headers,
  body: `{"id":"amy","participant":${participants}}`,
});

const post = (vaccineCode: string): HttpRequest => ({
  method: 'POST',
  url: '/fhir/Immunization',
  headers,
  body: JSON.stringify({ ...newStatement, vaccineCode: 0 }).replace(
    '"vaccineCode":0',
    `"vaccineCode":${vaccineCode}`,
  ),
});

const search = (type: string, form: string): HttpRequest => ({
  method: 'POST',
  url: `/fhir/${type}/_search`,
  headers,
  body: form,
});

const organizations = () => {
  const count = Math.floor(size / 50);
  const each = Array.from({ length: count }, (_, n) => `{"member":{"reference":"Organization/o${n}"}}`);
  return `[${each.join()}]`;
};

type Case = readonly [title: string, request: () => HttpRequest];

const testInvariants = (clinic: () => FilledClinic, cases: readonly Case[]): void => {
  for (const [title, request] of cases) {
    test(title, { timeout: testTimeout }, async () => {
      await checkInvariants(clinic(), request());
    });
  }
};

describe('the largest amount of one thing in a body', () => {
  let clinic: FilledClinic;
  beforeAll(async () => {
    clinic = await openFilledClinic();
  });
  testInvariants(
    () => clinic,
    [
      ['nested arrays', () => put(nested('[', ']'))],
      ['nested objects', () => put(nested('{"a":', '}'))],
      ['a text', () => put(`"${repeatToSize('x')}"`)],
      ['digits', () => put(repeatToSize('9'))],
      ['items of another type', () => put(items('0'))],
      ['empty elements', () => post(`{"coding":${items('{}')}}`)],
      ['many participants', () => put(organizations())],
      ['unknown parameters', () => search('Goal', repeatToSize('a&'))],
    ],
  );
});

const stores: Readonly<Record<string, () => ClinicalStore>> = {
  memory: createMemoryStore,
  sqlite: () => openSqliteStore({ filename: ':memory:' }),
};

describe.each(Object.keys(stores))('the largest amount of one thing in a search', (store) => {
  let clinic: FilledClinic;
  beforeAll(async () => {
    clinic = await openFilledClinic(stores[store]);
  });
  // As many as fit into the URL that node:http takes; the memory store could do with more.
  const times = isLongForm ? 1_000 : 100;
  testInvariants(
    () => clinic,
    [
      [`${store}: ids to be found`, () => search('Goal', `_id=a${repeatToSize(',a')}`)],
      [`${store}: codes to be found`, () => search('ServiceRequest', `code=a${repeatToSize(',a|b')}`)],
      [
        `${store}: dates to be found`,
        () => search('ServiceRequest', `authored=2025${repeatToSize(',2025')}`),
      ],
      [`${store}: ids, each of which narrows the search`, () => search('Goal', '_id=a&'.repeat(times))],
      [
        `${store}: statuses, each of which narrows the search`,
        () => search('CareTeam', 'status=active&'.repeat(times)),
      ],
    ],
  );
});
