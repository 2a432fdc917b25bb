import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from '../tools/axe.ts';
import { choose, openChart, signIn, useDemoClinic } from '../tools/chart-visits.ts';

const demo = useDemoClinic();

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

const openRosa = async () => {
  const { page, errors } = await demo.openWindow({ locale: 'en-GB' });
  await signIn(page, /Amara Okafor/);
  await openChart(page, 'ros alv', /Alvarez, Rosa/);
  return { page, errors };
};

const openPatient = async (page: Page, searched: string, name: RegExp) => {
  await page.goto(`${demo.origin()}/`);
  await openChart(page, searched, name);
};

test('a dose in the wrong chart is moved to the right patient, whose history says where it was, and why', async () => {
  const { page, errors } = await openRosa();
  const doses = page.getByRole('button', { name: /^Actions: Influenza.*2025/ });
  const before = await doses.count();
  await choose(page, /^Actions: Influenza.*2025/, 'Mark as entered in error …');
  await page.getByRole('button', { name: 'Move it to the right patient …' }).click();
  const move = dialog(page, 'Move to the right patient');
  await move.waitFor();
  const dose = (await move.locator('strong').first().textContent()) ?? '';
  await page.getByLabel('of the other patient').fill('dubois');
  await page.getByRole('button', { name: /^Move to Dubois, Marcel, 30 Jun 1979/ }).click();
  // Both patients are shown side by side.
  await move.getByRole('columnheader', { name: 'To this chart' }).waitFor();
  for (const fact of ['Alvarez, Rosa', 'Dubois, Marcel'])
    await move.getByRole('cell', { name: fact }).waitFor();
  await move.getByRole('button', { name: 'Move to Dubois, Marcel' }).click();
  await move.getByText('Say why. Both charts show it.').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await move.getByLabel(/^Why\?/).fill('Two charts were open.');
  await move.getByRole('button', { name: 'Move to Dubois, Marcel' }).click();
  await move.waitFor({ state: 'detached' });
  await expect.poll(() => doses.count()).toBe(before - 1);

  await openPatient(page, 'dubois', /Dubois, Marcel/);
  await choose(page, /^Actions: Influenza.*2025/, 'History');
  const history = dialog(page, `History: ${dose}`).or(page.getByRole('dialog'));
  await history.getByText('Moved from the chart of').waitFor();
  await history.getByText('Two charts were open.').first().waitFor();
  expect(errors).toEqual([]);
});

test('two charts of one person are merged, once the replaced patient was named', async () => {
  const { page, errors } = await openRosa();
  await page.getByRole('button', { name: 'Merge with another chart of this person …' }).click();
  const merge = dialog(page, 'Two charts of one person');
  await page.getByLabel('of the other patient').fill('bergstr');
  await page.getByRole('button', { name: /^Merge in Bergström, Nils, 11 Feb 1948/ }).click();
  await merge.getByText('This cannot be undone.').waitFor();
  await merge.getByText(/^What moves: .*(order|goal|immunization)/).waitFor();
  await merge.getByLabel('Name of the patient who is replaced').fill('Rosa Alvarez');
  await merge.getByRole('textbox', { name: 'Birth date of this patient' }).fill('23.8.1961');
  await merge.getByLabel(/^Why\?/).fill('Registered twice.');
  await merge.getByRole('button', { name: 'Merge the charts' }).click();
  await merge.getByText('This is not the name of the patient who is replaced.').waitFor();
  await merge.getByText('This is not the birth date of the patient who is replaced.').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await merge.getByLabel('Name of the patient who is replaced').fill('bergstrom nils');
  await merge.getByRole('textbox', { name: 'Birth date of this patient' }).fill('11.2.1948');
  await merge.getByRole('button', { name: 'Merge the charts' }).click();
  await merge.waitFor({ state: 'detached' });
  await page.getByText('Saved. The chart is up to date.').waitFor({ state: 'attached' });

  // The corrections of this chart, with the merge.
  await page.getByRole('button', { name: 'Merge with another chart of this person …' }).click();
  await merge.getByText('Merged from the chart of').waitFor();
  await merge.getByText('Registered twice.').waitFor();
  expect(errors).toEqual([]);
});
