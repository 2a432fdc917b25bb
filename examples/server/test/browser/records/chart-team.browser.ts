import { expect, test } from 'vitest';
import { findViolations } from '../tools/axe.ts';
import { openChart, signIn, useDemoClinic } from '../tools/chart-visits.ts';

const demo = useDemoClinic();

const openTeam = async (searched: string, name: RegExp) => {
  const { page } = await demo.openWindow();
  await signIn(page, /Amara Okafor/);
  await openChart(page, searched, name);
  await page.getByRole('button', { name: 'Change the team' }).click();
  return page;
};

const warning = /proposed and suspended members leave it, too/;

test('an empty team is begun without a warning, by a part of a name, and with a role', async () => {
  const page = await openTeam('marcel', /Dubois, Marcel/);
  expect(await page.getByText(warning).count()).toBe(0);
  const search = page.getByLabel('Add a practitioner or an organization');
  const suggested = page.getByRole('listbox').getByRole('option');
  await search.click();
  const options = await suggested.allTextContents();
  expect(options.map((text) => text.replace(/^.* /, ''))).toEqual(
    options
      .map((text) => text.replace(/^.* /, ''))
      .toSorted()
      .toReversed(),
  );
  await search.fill('reyes');
  expect(await suggested.allTextContents()).toEqual(['Marisol Reyes Practitioner']);
  expect(await findViolations(page)).toEqual([]);
  await search.press('ArrowDown');
  await search.press('Enter');
  const role = page.getByLabel('Role of Marisol Reyes');
  expect(await role.getByRole('option', { name: 'No role' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Save the team' }).click();
  await page.getByText('Choose a role.').waitFor();
  await role.selectOption({ label: 'Registered nurse' });
  await page.getByRole('button', { name: 'Save the team' }).click();
  await page.getByRole('region', { name: 'Care team' }).getByText('Marisol Reyes').waitFor();
});

test('the lead is handed over in one step', async () => {
  const page = await openTeam('ros alv', /Alvarez, Rosa/);
  const lead = page.getByLabel('Lead', { exact: true });
  expect(await lead.getByRole('option').allTextContents()).toEqual([
    ...['Nobody', 'Amara Okafor', 'Kenji Tanaka', 'Marisol Reyes'],
  ]);
  await lead.selectOption({ label: 'Kenji Tanaka' });
  await page.getByRole('button', { name: 'Save the team' }).click();
  const first = page.getByRole('region', { name: 'Care team' }).locator('li.member').first();
  await first.getByText('Kenji Tanaka').waitFor();
  await first.getByText('Lead', { exact: true }).waitFor();
});

test('a team is not saved while a name is typed that is not chosen', async () => {
  const page = await openTeam('nils', /Bergström, Nils/);
  const search = page.getByLabel('Add a practitioner or an organization');
  await search.fill('Harbor Clinic');
  await page.getByRole('button', { name: 'Save the team' }).click();
  await page.getByText('Choose somebody from the list, or clear this field.').waitFor();
  await search.click();
  await page.getByRole('option', { name: 'Harbor Clinic' }).click();
  expect(await page.getByLabel('Role of Harbor Clinic').inputValue()).toBe('');
  await page.getByRole('button', { name: 'Save the team' }).click();
  await page.getByRole('region', { name: 'Care team' }).getByText('Harbor Clinic').waitFor();
});

test('a team without members says who else leaves with them', async () => {
  const page = await openTeam('nils', /Bergström, Nils/);
  expect(await page.getByText(warning).count()).toBe(0);
  const removals = page.getByRole('button', { name: /^Remove / });
  while ((await removals.count()) > 0) await removals.first().click();
  await page.getByText(warning).waitFor();
});

test('the error of a member stays with them when another one is removed', async () => {
  const page = await openTeam('anika', /Chowdhury, Anika/);
  await page.getByLabel('Add a practitioner or an organization').fill('Kenji');
  await page.getByRole('option', { name: 'Kenji Tanaka' }).click();
  await page.getByRole('button', { name: 'Save the team' }).click();
  const blamed = page.getByRole('listitem').filter({ has: page.locator('.field-error') });
  await blamed.getByRole('button', { name: 'Remove Kenji Tanaka' }).waitFor();
  await page.getByRole('button', { name: 'Remove Amara Okafor' }).click();
  await page.getByRole('button', { name: 'Remove Amara Okafor' }).waitFor({ state: 'detached' });
  expect(await blamed.locator('bdi').textContent()).toBe('Kenji Tanaka');
});
