import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findViolations } from '../tools/axe.ts';
import { openChart, openStatement, signIn } from '../tools/chart-visits.ts';
import { chromiumOptions } from '../tools/chromium.ts';
import { serveRules } from '../tools/serve-rules.ts';

const early = 'The last dose was less than 28 days ago.';
const recalled = 'The lot was recalled.';

let browser: Browser;
let served: Awaited<ReturnType<typeof serveRules>>;

beforeAll(async () => {
  served = await serveRules({
    Immunization: ({ after: { lotNumber, occurrenceDateTime } }) => [
      ...(occurrenceDateTime.startsWith('2016')
        ? [
            {
              rule: 'interval',
              message: early,
              expression: 'Immunization.occurrenceDateTime',
              severity: 'warning',
            } as const,
          ]
        : []),
      ...(lotNumber === 'RECALLED'
        ? [{ rule: 'lot', message: recalled, expression: 'Immunization.lotNumber' }]
        : []),
    ],
    Goal: ({ before }) =>
      before === null ? [{ rule: 'two', message: 'Two people should agree.', severity: 'warning' }] : [],
  });
  browser = await chromium.launch(chromiumOptions);
});
afterAll(async () => {
  await browser?.close();
  served?.close();
});

const openRosa = async (): Promise<Page> => {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  await page.goto(`${served.origin}/`);
  await signIn(page, /Amara Okafor/);
  await openChart(page, 'ros alv', /Alvarez, Rosa/);
  return page;
};

const noteAt = async (page: Page, label: string | RegExp): Promise<string | null> => {
  const id = await page.getByLabel(label).getAttribute('aria-describedby');
  return id === null ? null : page.locator(`#${id}`).textContent();
};

test("a warning of the host's rules is shown at its field before anything is written, and can be confirmed", async () => {
  const page = await openRosa();
  await openStatement(page);
  await page.getByLabel('Vaccine').fill('Yellow fever');
  await page.getByLabel(/^When/).fill('2016');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByText('Please look again:').waitFor();
  expect(await noteAt(page, /^When/)).toBe(early);
  expect(await page.getByLabel(/^When/).getAttribute('aria-invalid')).toBeNull();
  expect(await findViolations(page)).toEqual([]);
  const row = page
    .getByRole('region', { name: 'Immunizations' })
    .locator('.dose')
    .filter({ hasText: '2016' });
  const before = await row.count();
  await page.getByRole('button', { name: 'Record anyway' }).click();
  await row.getByText('Saved').waitFor();
  expect(await row.count()).toBe(before + 1);
  await page.close();
});

test('a change of the form asks again', async () => {
  const page = await openRosa();
  await openStatement(page);
  await page.getByLabel('Vaccine').fill('Yellow fever');
  await page.getByLabel(/^When/).fill('2016');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByRole('button', { name: 'Record anyway' }).waitFor();
  await page.getByLabel(/^When/).fill('2015');
  expect(await noteAt(page, /^When/)).toBeNull();
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByText('Saved. The chart is up to date.').waitFor({ state: 'attached' });
  await page.close();
});

test("a refusal of the host's rules is shown at its field, of a dose that is given here, too", async () => {
  const page = await openRosa();
  await page.getByRole('button', { name: 'Record an immunization' }).click();
  await page.getByLabel('Vaccine').fill('Yellow fever');
  await page.getByLabel('Lot number').fill('RECALLED');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByText(recalled).waitFor();
  expect(await noteAt(page, 'Lot number')).toBe(recalled);
  expect(await page.getByLabel('Lot number').getAttribute('aria-invalid')).toBe('true');
  expect(await page.evaluate('document.activeElement.id')).toBe(
    await page.getByLabel('Lot number').getAttribute('id'),
  );
  await page.close();
});

test('a warning about a draft is shown before it is committed', async () => {
  const page = await openRosa();
  await page.getByRole('button', { name: 'Add a goal' }).click();
  await page.getByRole('textbox', { name: 'Goal', exact: true }).fill('Swim twice a week');
  await page.getByRole('button', { name: 'Stage as a draft' }).click();
  await page.getByRole('button', { name: 'Commit: Swim twice a week' }).click();
  await page.getByText('Two people should agree.').waitFor();
  await page.getByText('Commit anyway').click();
  await page.getByRole('article', { name: 'Draft: Swim twice a week' }).waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Goals' }).getByText('Swim twice a week').waitFor();
  await page.close();
});
