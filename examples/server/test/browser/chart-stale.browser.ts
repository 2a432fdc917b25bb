import { expect, test } from 'vitest';
import { findViolations } from './tools/axe.ts';
import { openChart, signIn, useDemoClinic } from './tools/chart-visits.ts';
import { createWire } from './tools/cut-wire.ts';

const demo = useDemoClinic();

test('a chart says since when it is not up to date, keeps what is typed, and recovers by itself', async () => {
  const wire = await createWire(demo.origin());
  const { page } = await demo.openWindow({ locale: 'en-GB' });
  await page.goto(wire.origin);
  await signIn(page, /Amara Okafor/);
  await openChart(page, 'ros alv', /Alvarez, Rosa/);
  await page.getByRole('button', { name: 'Add a goal' }).click();
  await page.getByLabel('Goal', { exact: true }).fill('Swim');
  await page.keyboard.press('Tab');
  const notice = page.getByText(/^Not up to date since \d\d:\d\d\.$/);
  expect(await notice.count()).toBe(0);

  await wire.cut();
  await notice.waitFor();
  const text = await notice.textContent();
  expect(await page.getByRole('alert').filter({ has: notice }).count()).toBe(1);
  expect(await findViolations(page)).toEqual([]);
  // It stays in sight.
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  expect((await notice.boundingBox())?.y).toBeLessThan(300);

  // Meanwhile, somebody else changes the chart.
  const response = await page.request.post(`${demo.origin()}/fhir/Immunization`, {
    headers: { authorization: `Bearer ${demo.token()}`, 'content-type': 'application/fhir+json' },
    data: {
      status: 'completed',
      vaccineCode: { coding: [{ system: 'unstructured', code: 'Cholera' }] },
      patient: { reference: 'Patient/demo-patient-1' },
      occurrenceDateTime: '2020',
      primarySource: false,
    },
  });
  expect(response.status()).toBe(201);
  expect(await notice.textContent()).toBe(text);
  await wire.mend();
  await notice.waitFor({ state: 'detached' });
  await page.getByRole('heading', { name: 'Cholera' }).waitFor();
  expect(await page.getByLabel('Goal', { exact: true }).inputValue()).toBe('Swim');
  await page.getByRole('button', { name: 'Stage as a draft' }).click();
  await page.getByRole('article', { name: 'Draft: Swim' }).waitFor();
  await wire.cut();
});

test('a page that was asleep says so until it has read the chart', async () => {
  const { page } = await demo.openWindow({ locale: 'en-GB' });
  await signIn(page, /Amara Okafor/);
  await page.clock.install({ time: '2026-11-28T10:00:00' });
  await openChart(page, 'ros alv', /Alvarez, Rosa/);
  await page.route('**/Goal?**', (route) => route.abort());
  await page.clock.setSystemTime('2026-11-28T14:32:00');
  await page.clock.runFor(6000);
  await page.getByText(/^Not up to date since 10:0\d\.$/).waitFor();
  await page.unroute('**/Goal?**');
  await page.getByText(/^Not up to date/).waitFor({ state: 'detached' });
});
