import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from '../tools/axe.ts';
import { choose, openChart, signIn, useDemoClinic } from '../tools/chart-visits.ts';

const demo = useDemoClinic();

const eyes = 'Have the eyes examined for retinopathy';

const openGoals = async (searched: string, name: RegExp) => {
  const { page } = await demo.openWindow({ locale: 'en-GB' });
  await signIn(page, /Amara Okafor/);
  await openChart(page, searched, name);
  return page;
};

const row = (page: Page, title: string) => page.locator('li.goal').filter({ hasText: title });

const send = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** The items in the menu of a goal, which stays closed. */
const menuOf = async (page: Page, title: string): Promise<readonly string[]> => {
  await page.getByRole('button', { name: `Actions: ${title}` }).click();
  const items = await page.getByRole('menuitem').allTextContents();
  await page.keyboard.press('Escape');
  return items;
};

test('a goal is updated, then closed, offers neither any more, and is reopened', async () => {
  const page = await openGoals('ros alv', /Alvarez, Rosa/);
  await choose(page, eyes, 'Update');
  await send(page, 'Update the goal');
  await page.getByText('Fill in at least one field.').waitFor();
  await page.getByLabel('Due', { exact: true }).fill('soon');
  await send(page, 'Update the goal');
  await page.locator('#goal-due-error').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByLabel('How is it going?').selectOption({ label: 'Improving' });
  await page.getByLabel('Due', { exact: true }).fill('1.6.2090');
  await page.getByLabel('Comment on the progress').fill('She has an appointment.');
  await page.getByLabel('Barriers').fill('Her son drives her.');
  await send(page, 'Update the goal');
  await row(page, eyes).getByText('Saved').waitFor();
  for (const text of ['Improving', '1 Jun 2090', 'She has an appointment.', 'Her son drives her.'])
    await row(page, eyes).locator('p, .notes li').filter({ hasText: text }).waitFor();
  expect(await menuOf(page, eyes)).toEqual(['Update …', 'Close …', 'History', 'Mark as entered in error …']);

  await choose(page, eyes, 'Close');
  await send(page, 'Close the goal');
  await page.getByText('Say whether the goal was achieved.').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByLabel('Was it achieved?').selectOption({ label: 'Achieved' });
  await send(page, 'Close the goal');
  await row(page, eyes).getByText('closed, was due 1 Jun 2090').waitFor();
  await row(page, eyes).getByText('Achieved').waitFor();
  expect(await menuOf(page, eyes)).toEqual(['Reopen …', 'History', 'Mark as entered in error …']);

  await choose(page, eyes, 'Reopen');
  await send(page, 'Reopen');
  await page.getByText('Say why. The history shows it.').waitFor();
  await page.getByLabel('Why?').fill('It was another goal.');
  await send(page, 'Reopen');
  await row(page, eyes).getByText('Improving').waitFor();
  expect(await menuOf(page, eyes)).toEqual(['Update …', 'Close …', 'History', 'Mark as entered in error …']);
});

test('a goal is entered in error with a reason, which its history shows', async () => {
  const page = await openGoals('ros alv', /Alvarez, Rosa/);
  const title = 'Hemoglobin A1c below 7 %';
  await choose(page, title, 'Mark as entered in error');
  expect(await findViolations(page)).toEqual([]);
  await send(page, 'Mark as entered in error');
  await page.getByText('Say why. The history shows it.').waitFor();
  await page.getByLabel('Why?').fill('It is the goal of her sister.');
  await send(page, 'Mark as entered in error');
  await row(page, title).getByText('Entered in error', { exact: true }).waitFor();
  expect(await menuOf(page, title)).toEqual(['History']);
  await choose(page, title, 'History');
  await page.getByRole('dialog').getByText('Reason: It is the goal of her sister.').waitFor();
});

test('a goal that somebody else changed meanwhile is updated only once the user has seen how', async () => {
  const pressure = 'Blood pressure below 130/80';
  const [first, second] = [await openGoals('nils', /Nils/), await openGoals('nils', /Nils/)];
  await choose(first, pressure, 'Update');
  await first.getByLabel('Comment on the progress').fill('Measures it at home.');
  await choose(second, pressure, 'Update');
  await second.getByLabel('How is it going?').selectOption({ label: 'Worsening' });
  await send(second, 'Update the goal');
  await row(second, pressure).getByText('Worsening').waitFor();

  await send(first, 'Update the goal');
  const notice = first.getByRole('alert');
  await notice.getByText('Amara Okafor changed this while you were editing.').waitFor();
  expect(await notice.textContent()).toContain('Worsening');
  expect(await row(second, pressure).getByText('Measures it at home.').count()).toBe(0);
  await send(first, 'Add my changes to these');
  await send(first, 'Update the goal');
  await row(first, pressure).getByText('Measures it at home.').waitFor();
  await row(first, pressure).getByText('Worsening').waitFor();
});

test('an update whose response was lost is recorded once', async () => {
  const page = await openGoals('nils', /Nils/);
  const pressure = 'Blood pressure below 130/80';
  await choose(page, pressure, 'Update');
  await page.getByLabel('Comment on the progress').fill('Sleeps better.');
  await page.route('**/commands', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await send(page, 'Update the goal');
  await page.getByRole('alert').getByText('The server did not respond.').waitFor();
  await page.unroute('**/commands');
  await send(page, 'Update the goal');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await row(page, pressure).getByText('Sleeps better.').first().waitFor();
  expect(await row(page, pressure).getByText('Sleeps better.').count()).toBe(1);
});
