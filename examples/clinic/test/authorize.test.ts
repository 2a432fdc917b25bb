import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHttpHandler } from '@clinical-records/http-adapter';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { authorize, glassBreaks } from '../authorize.ts';
import { openClinic } from '../clinic.ts';
import { principalOf } from '../users.ts';

const cvx = 'http://hl7.org/fhir/sid/cvx';

const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));

const createHandler = async () => {
  const { records } = await openClinic(join(folder, 'clinic.db'));
  for (const id of ['7', '8', '9', '10']) {
    await records.directory.put('Patient', { id, lastName: `Patient ${id}` });
    await records.immunizations.create({
      ...{ status: 'completed', primarySource: false, occurrenceDateTime: '2025-10-01' },
      vaccineCode: { coding: [{ system: cvx, code: '140', display: 'Influenza' }] },
      patient: { reference: `Patient/${id}` },
    });
  }
  return createHttpHandler(records, { authenticate: principalOf, authorize });
};

let handler: Awaited<ReturnType<typeof createHandler>>;

beforeAll(async () => {
  handler = await createHandler();
});
beforeEach(() => {
  glassBreaks.length = 0;
});
afterAll(() => rmSync(folder, { recursive: true }));

const get = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const { status, body } = await handler({
    ...{ method: 'GET', url, headers: { authorization: 'Bearer nurse-token', ...headers } },
  });
  return { status, json: JSON.parse(body) };
};

test('a search finds the charts on which the user works, and of them what patients show', async () => {
  expect((await get('/CareTeam')).json.total).toBe(2);
  expect((await get('/Immunization')).json.total).toBe(1);
  expect((await get('/Immunization?patient=8')).json.total).toBe(0);
});

test('in an emergency, a chart is opened with a reason, which is kept', async () => {
  const reason = { 'x-break-glass-reason': 'Unconscious in the emergency room' };
  expect((await get('/Patient/10')).status).toBe(404);
  expect((await get('/Patient/10', reason)).status).toBe(200);
  expect((await get('/Immunization?patient=10', reason)).json.total).toBe(1);
  const opened = { user: 'Practitioner/13', patientId: '10', reason: 'Unconscious in the emergency room' };
  expect(glassBreaks).toEqual([opened, opened]);
});

test('no reason opens the chart of a VIP, or shows what a patient withholds', async () => {
  const reason = { 'x-break-glass-reason': 'Curious' };
  expect((await get('/Patient/9', reason)).status).toBe(404);
  expect((await get('/Immunization?patient=8', reason)).json.total).toBe(0);
  const doctor = { authorization: 'Bearer doctor-token' };
  expect((await get('/Patient/9', doctor)).status).toBe(200);
  expect(glassBreaks).toEqual([]);
});
