import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { bookBloodDraw } from '../book-blood-draw.ts';
import { openClinic } from '../clinic.ts';

const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));

afterEach(() => rmSync(folder, { recursive: true }));

test('if several blood draws are booked at once, the refused ones leave neither an appointment nor an order', async () => {
  const clinic = await openClinic(join(folder, 'clinic.db'));
  const draw = { patientId: '7', time: '2030-05-01T09:00', by: 'Practitioner/12' } as const;
  const booked = await Promise.allSettled([
    bookBloodDraw(clinic, draw),
    bookBloodDraw(clinic, draw),
    bookBloodDraw(clinic, { ...draw, by: 'Practitioner/nobody' }),
    bookBloodDraw(clinic, { ...draw, time: '2030-05-01T10:00' }),
  ]);
  expect(booked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(clinic.database.prepare('SELECT count(*) FROM appointments').pluck().get()).toBe(2);
  expect(await clinic.records.serviceRequests.search({ patient: '7' })).toMatchObject({ total: 2 });
});
