import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from '../tools/axe.ts';
import { choose, openChart, signIn, useDemoClinic } from '../tools/chart-visits.ts';

const demo = useDemoClinic();

/** Orders as a colleague does. */
const order = async (patientId: string, text: string): Promise<void> => {
  const response = await fetch(`${demo.origin()}/fhir/commands`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.token()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'labOrder', patientId, code: { text }, commit: true }),
  });
  expect(response.status).toBe(201);
};

const rowOf = (page: Page, text: string) => page.locator('li.order').filter({ hasText: text });

/** Where each row of an order is, from the top of the window. */
const placesIn = (page: Page) =>
  page
    .locator('li.order')
    .evaluateAll((rows) =>
      rows.map((row) => [row.querySelector('h4')?.textContent, Math.round(row.getBoundingClientRect().top)]),
    );

test('five orders are ticked off without scrolling, each stays where it is, and one is undone', async () => {
  const { page, errors } = await demo.openWindow({ locale: 'en-GB' });
  await signIn(page, /Amara Okafor/);
  await openChart(page, 'ros alv', /Alvarez, Rosa/);
  const patientId = new URL(page.url()).hash.replace(/^#Patient\//, '');
  const names = ['Ferritin', 'Folate', 'Calcium', 'Albumin', 'Urea', 'Lipase'];
  // The token that is printed belongs to the same practitioner.
  for (const name of names) await order(patientId, name);
  await rowOf(page, 'Lipase').waitFor();
  // A reload puts the new ones in their places.
  await page.reload();
  await rowOf(page, 'Lipase').waitFor();
  await rowOf(page, 'Urea').scrollIntoViewIfNeeded();
  await rowOf(page, 'Ferritin').scrollIntoViewIfNeeded();
  const before = await placesIn(page);
  for (const name of names.slice(0, 5)) {
    await choose(page, name, 'Complete');
    await rowOf(page, name).getByText('Completed').waitFor();
  }
  expect(await placesIn(page)).toEqual(before);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Undo: Calcium is not completed' }).click();
  await rowOf(page, 'Calcium').getByText('Active').waitFor();
  expect(await placesIn(page)).toEqual(before);
  expect(await page.getByRole('button', { name: /^Undo: / }).count()).toBe(4);

  await page.reload();
  await rowOf(page, 'Calcium').getByText('Active').waitFor();
  await rowOf(page, 'Ferritin').getByText('Completed').waitFor();
  await choose(page, 'Ferritin', 'Reopen');
  await rowOf(page, 'Ferritin').getByText('Active').waitFor();
  expect(errors).toEqual([]);
});
