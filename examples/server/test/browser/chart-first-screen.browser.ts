import { expect, test } from 'vitest';
import { findViolations } from './tools/axe.ts';
import { signIn, useDemoClinic } from './tools/chart-visits.ts';

const demo = useDemoClinic();

test.each(['light', 'dark'] as const)(
  'the first screen has the patients of the user, in the %s theme',
  async (colorScheme) => {
    const { page } = await demo.openWindow({ colorScheme });
    await signIn(page, /Amara Okafor/);
    const mine = page.getByRole('table', { name: 'My patients' });
    await mine.getByRole('link', { name: /Alvarez, Rosa/ }).waitFor();
    // She is not on the team of Nils.
    expect(await mine.getByRole('link', { name: /Bergström/ }).count()).toBe(0);
    expect(await mine.getByRole('row').nth(1).textContent()).toMatch(
      /Alvarez, Rosa.*1 goal overdue.*1 draft to commit/,
    );
    expect(await findViolations(page)).toEqual([]);
    await page.getByLabel('Name, number or birth date').fill('nils');
    await page
      .getByRole('table', { name: 'Patients found' })
      .getByRole('link', { name: /Bergström/ })
      .waitFor();
  },
);

test('a chart opens from the first screen, and the way back leads there', async () => {
  const { page } = await demo.openWindow({ viewport: { width: 360, height: 740 } });
  await signIn(page, /Marisol Reyes/);
  const mine = page.getByRole('table', { name: 'My patients' });
  await mine.getByRole('link', { name: /Bergström/ }).click();
  await page.getByRole('heading', { name: 'Immunizations' }).waitFor();
  await page.getByRole('link', { name: 'Patients', exact: true }).click();
  await mine.waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
});

test('a user who is not known by name has the list of all patients', async () => {
  const { page } = await demo.openWindow();
  await page.getByLabel('Token', { exact: true }).fill(demo.token());
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page
    .getByRole('table', { name: 'All patients' })
    .getByRole('link', { name: /Bergström/ })
    .waitFor();
});
