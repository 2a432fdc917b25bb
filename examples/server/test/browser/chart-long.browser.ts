import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from './tools/axe.ts';
import { choose, signIn } from './tools/chart-visits.ts';
import { useLongChart } from './tools/long-chart.ts';

const demo = useLongChart();

const openLong = async (options: Parameters<typeof demo.openWindow>[0] = {}) => {
  const { page } = await demo.openWindow(options);
  await signIn(page, /Amara Okafor/);
  await page.goto(`${demo.origin()}/#Patient/long`);
  await page.getByRole('heading', { name: 'Immunizations' }).waitFor();
  return page;
};

const section = (page: Page, name: string) => page.getByRole('region', { name });
const rowsOf = (page: Page, name: string) => section(page, name).locator('li:is(.goal, .order, .vaccine)');

test('a long chart shows the first rows of each section, what is overdue or urgent first, and the rest when asked', async () => {
  const page = await openLong();
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(2200);
  expect(await section(page, 'Care team').locator('li.member').count()).toBe(6);
  expect(await section(page, 'Care team').locator('li.member').first().textContent()).toContain('Lead');
  expect(await rowsOf(page, 'Goals').count()).toBe(8);
  expect(
    await section(page, 'Goals')
      .getByText(/^overdue by \d+ (months|years)/)
      .count(),
  ).toBe(8);
  expect(await rowsOf(page, 'Orders').count()).toBe(8);
  expect(
    await section(page, 'Orders')
      .getByText(/^overdue by/)
      .count(),
  ).toBe(5);
  expect(await rowsOf(page, 'Immunizations').count()).toBe(8);
  await page.getByRole('button', { name: 'Show all 30 members' }).click();
  expect(await section(page, 'Care team').locator('li.member').count()).toBe(30);
  await page.getByRole('button', { name: 'Show all 25 goals, 6 more overdue' }).waitFor();
  await page.getByRole('button', { name: 'Show all 60 orders, 12 more active' }).click();
  expect(await rowsOf(page, 'Orders').count()).toBe(60);
  await page.getByRole('button', { name: 'Show all 12 vaccines' }).click();
  expect(await rowsOf(page, 'Immunizations').count()).toBe(12);
  await page.getByRole('button', { name: 'All 17 doses: Vaccine 0' }).click();
  expect(await section(page, 'Immunizations').getByText('1950', { exact: true }).isVisible()).toBe(true);
  await section(page, 'Orders').getByRole('button', { name: 'Show only the first 8' }).click();
  expect(await rowsOf(page, 'Orders').count()).toBe(8);
  expect(await findViolations(page)).toEqual([]);
});

test('a section is filtered by state and by text', async () => {
  const page = await openLong();
  await page.getByLabel('State of the orders').selectOption({ label: 'Active (20)' });
  await section(page, 'Orders').getByText('20 orders match.').waitFor();
  expect(await rowsOf(page, 'Orders').count()).toBe(8);
  await page.getByLabel('Search the orders').fill('okafor');
  await section(page, 'Orders').getByText('20 orders match.').waitFor();
  await page.getByLabel('Search the orders').fill('test 59');
  await section(page, 'Orders').getByText('No orders match.').waitFor();
  await page.getByLabel('State of the orders').selectOption({ label: 'All states' });
  await section(page, 'Orders').getByText('1 orders match.').waitFor();
  expect(await rowsOf(page, 'Orders').textContent()).toMatch(
    /Test 59.*Requested by Amara Okafor on \d+ \w+ 20\d\d/s,
  );
});

test('a section keeps its heading in sight, folds, and is reached by the list and by its key', async () => {
  const page = await openLong({ viewport: { width: 1280, height: 500 } });
  const heading = page.getByRole('heading', { name: 'Immunizations' });
  const header = page.locator('.chart-header');
  const listHeight = 32;
  await page.evaluate("scrollTo(0, document.querySelector('.immunizations').offsetTop + 200)");
  const bottomOfHeader = async () =>
    ((await header.boundingBox())?.y ?? 0) + ((await header.boundingBox())?.height ?? 0) + listHeight;
  const { y = -1 } = (await heading.boundingBox()) ?? {};
  expect(y).toBeGreaterThanOrEqual(await bottomOfHeader());
  expect(y).toBeLessThan((await bottomOfHeader()) + 40);

  await heading.getByRole('button').click();
  expect(await rowsOf(page, 'Immunizations').first().isVisible()).toBe(false);
  await page.evaluate('scrollTo(0, 0)');
  await page
    .getByRole('navigation', { name: 'Sections' })
    .getByRole('button', { name: /Immunizations/ })
    .click();
  expect(await rowsOf(page, 'Immunizations').first().isVisible()).toBe(true);
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Immunizations');

  await page.keyboard.press('Alt+3');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Goals');
  // In a field, the keys write.
  await page.getByLabel('Search the goals').press('Alt+2');
  expect(await page.evaluate('document.activeElement.id')).toBe('goals-text');
  const goals = (await page.getByRole('heading', { name: 'Goals' }).boundingBox())?.y ?? -1;
  expect(goals).toBeGreaterThanOrEqual(await bottomOfHeader());
});

test('the list of sections says what is overdue and urgent', async () => {
  const page = await openLong({ viewport: { width: 360, height: 740 } });
  const list = page.getByRole('navigation', { name: 'Sections' });
  await list.getByRole('button', { name: 'Goals 25 14 overdue' }).waitFor();
  await list.getByRole('button', { name: 'Orders 60 3 urgent 5 overdue' }).waitFor();
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  expect(await findViolations(page)).toEqual([]);
});

const pagesOf = async (page: Page) =>
  ((await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page[^s]/g) ?? [])
    .length;

test('a summary is printed on two pages, whatever is folded or searched for, and everything when asked', async () => {
  const page = await openLong();
  await page.getByRole('heading', { name: 'Goals' }).getByRole('button').click();
  await page.getByLabel('Search the orders').fill('test 59');
  await page.evaluate(
    "window.print = () => { window.printed = document.querySelectorAll('.order, .dose, .goal').length }",
  );
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await rowsOf(page, 'Goals').first().isVisible()).toBe(true);
  expect(await rowsOf(page, 'Orders').count()).toBe(8);
  await section(page, 'Orders').getByText('8 of 60 orders are printed here.').waitFor();
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  expect(await rowsOf(page, 'Orders').count()).toBe(1);
  expect(await pagesOf(page)).toBe(2);
  await page.getByRole('button', { name: 'Print' }).click();
  await page.getByRole('menuitem', { name: 'Print everything' }).click();
  expect(await page.evaluate('printed')).toBe(200 + 60 + 25);
});

test('the axis is not squeezed by one dose of 1950', async () => {
  const page = await openLong();
  const labels = await section(page, 'Immunizations').locator('.time-axis text').allTextContents();
  expect(
    labels
      .filter((label) => /^\d+$/.test(label))
      .map(Number)
      .every((year) => year > 2000),
  ).toBe(true);
  await section(page, 'Immunizations').getByText('Signs on the line of time').click();
  await section(page, 'Immunizations').getByText('long before the line begins').waitFor();
});

test('the actions of a row are in a menu, which the keyboard opens, walks through and closes', async () => {
  const page = await openLong();
  const button = page.getByRole('button', { name: /^Actions: Vaccine/ }).first();
  await button.press('Enter');
  const focused = () => page.evaluate('document.activeElement.textContent');
  await expect.poll(focused).toBe('History');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toMatch(/^Mark as entered in error/);
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('History');
  await page.keyboard.press('Escape');
  expect(await page.getByRole('menu').count()).toBe(0);
  expect(await page.evaluate('document.activeElement.ariaLabel')).toMatch(/^Actions: Vaccine/);
  await choose(page, /^Actions: Vaccine/, 'History');
  await page.getByRole('dialog').waitFor();
});

test('by touch, what is pressed is large enough for a finger', async () => {
  const page = await openLong({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  for (const name of [
    'Change the team',
    'Add a goal',
    'Record an immunization',
    /^Actions: Care team/,
    /^Show all/,
  ]) {
    const box = await page.getByRole('button', { name }).first().boundingBox();
    expect(box?.height, String(name)).toBeGreaterThanOrEqual(44);
    expect(box?.width, String(name)).toBeGreaterThanOrEqual(44);
  }
});

test('the first content of a chart of a thousand records is painted within a second', async () => {
  const page = await openLong();
  await page.route('**/Immunization?*', async (route) => {
    const response = await route.fetch();
    const bundle = (await response.json()) as { entry?: readonly { resource: { id: string } }[] };
    const entry = bundle.entry?.flatMap((one) =>
      Array.from({ length: 5 }, (_, copy) => ({
        resource: { ...one.resource, id: `${one.resource.id}-${copy}` },
      })),
    );
    await route.fulfill({ response, json: { ...bundle, entry } });
  });
  await page.reload();
  await page.getByRole('navigation').getByRole('button', { name: 'Immunizations 1000' }).waitFor();
  const paint = await page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  expect(paint).toBeLessThan(1000);
  const rendering = await page.evaluate(`new Promise((resolve) => {
    const began = performance.now();
    document.querySelector('#immunizations-heading button').click();
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)));
  })`);
  expect(rendering).toBeLessThan(1000);
});
