import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from './tools/axe.ts';
import { openChart, signIn, useDemoClinic } from './tools/chart-visits.ts';

const demo = useDemoClinic();

const openRosa = async (options: Parameters<typeof demo.openWindow>[0] = {}) => {
  const { page } = await demo.openWindow(options);
  await signIn(page, /Amara Okafor/);
  await openChart(page, 'ros alv', /Alvarez, Rosa/);
  return page;
};

const textOf = async (page: Page, selector: string) =>
  ((await page.locator(selector).textContent()) ?? '').replace(/\s+/g, ' ');

test.each([
  { width: 1280, height: 900 },
  { width: 360, height: 740 },
  { width: 640, height: 400 },
])('name, birth, sex and number stay in sight in a window of %j', async (viewport) => {
  const page = await openRosa({ viewport });
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  const banner = page.locator('.patient-banner');
  await expect.poll(async () => (await banner.boundingBox())?.y).toBe(0);
  for (const text of ['Alvarez, Rosa', '23 Aug 1961 (', 'female', 'R-1001']) {
    const box = await banner.getByText(text).first().boundingBox();
    expect(box?.y, text).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0), text).toBeLessThanOrEqual(viewport.width);
  }
  expect((await banner.boundingBox())?.height).toBeLessThan(viewport.height / 4);
});

test('nothing that gets the focus by the keyboard is below the banner', async () => {
  const page = await openRosa({ viewport: { width: 640, height: 400 } });
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
  await page.getByRole('button', { name: 'Actions: Tdap' }).focus();
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('Shift+Tab');
    const isCovered = await page.evaluate(
      `document.activeElement.closest('.part') !== null && document.activeElement.getBoundingClientRect().top
        < document.querySelector('.patient-banner').getBoundingClientRect().bottom`,
    );
    expect(isCovered).toBe(false);
  }
});

test.each(['light', 'dark'] as const)(
  'the chart of a patient who died looks different in the %s theme',
  async (colorScheme) => {
    const page = await openRosa({ colorScheme });
    const colourOf = () =>
      page.evaluate("getComputedStyle(document.querySelector('.patient-banner')).backgroundColor");
    const alive = await colourOf();
    await page.route('**/Patient/demo-patient-1', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), deceasedDateTime: '2026-11-02' } });
    });
    await page.reload();
    await page.locator('.patient-banner').getByText('Died 2 Nov 2026').waitFor();
    await page.getByText('(65 years)').waitFor();
    expect(await colourOf()).not.toBe(alive);
    expect(await findViolations(page)).toEqual([]);
  },
);

test('each printed page says whose chart it is, and the paper says when and by whom it was printed', async () => {
  const page = await openRosa();
  await page.emulateMedia({ media: 'print' });
  const displayOf = (selector: string) =>
    page.evaluate(`getComputedStyle(document.querySelector('${selector}')).display`);
  // The browser repeats these two on each page.
  expect(await displayOf('.chart-header')).toBe('table-header-group');
  expect(await displayOf('.printed-line')).toBe('table-footer-group');
  expect(await textOf(page, '.patient-banner')).toMatch(/Alvarez, Rosa.*23 Aug 1961.*female.*R-1001/);
  const printedAt = () => textOf(page, '.printed-line');
  expect(await printedAt()).toMatch(/^Printed on \d+ \w+ \d{4}, \d\d:\d\d by Amara Okafor/);
  // The time is that of the print, not that of the page.
  await page.clock.setFixedTime('2031-05-06T12:00:00Z');
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await printedAt()).toContain('6 May 2031');
});

test('the links for developers are on the first page only', async () => {
  const { page } = await demo.openWindow();
  const docs = page.getByRole('link', { name: 'the docs' });
  await page.getByRole('button', { name: /Amara Okafor/ }).waitFor();
  expect(await docs.isVisible()).toBe(true);
  await signIn(page, /Amara Okafor/);
  expect(await docs.isVisible()).toBe(false);
});

test('patients are found by number and by birth date, and the list shows what the banner shows', async () => {
  const { page } = await demo.openWindow();
  await signIn(page, /Amara Okafor/);
  const search = page.getByLabel('Name, number or birth date');
  const row = page.getByRole('row', { name: /Alvarez, Rosa/ });
  for (const text of ['R-1001', '23.8.1961', 'Aug 1961', '23 August 1961']) {
    await search.fill(text);
    await page.getByText('1 patient', { exact: true }).waitFor();
    expect(await row.count(), text).toBe(1);
    await search.fill('nobody');
    await page.getByText('0 patients', { exact: true }).waitFor();
  }
  await search.fill('rosa');
  await row.waitFor();
  expect(await row.textContent()).toMatch(/23 Aug 1961 \(.*female.*R-1001/);
});
