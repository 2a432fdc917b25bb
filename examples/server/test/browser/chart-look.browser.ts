import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from './tools/axe.ts';
import { signIn } from './tools/chart-visits.ts';
import { useLongChart } from './tools/long-chart.ts';

const demo = useLongChart();

type Options = Parameters<typeof demo.openWindow>[0];

const openList = async (options: Options = {}) => {
  const { page } = await demo.openWindow({ locale: 'en-GB', ...options });
  await signIn(page, /Amara Okafor/);
  await page.getByRole('table').waitFor();
  return page;
};

const goTo = async (page: Page, id: string) => {
  await page.goto(`${demo.origin()}/#Patient/${id}`);
  await page.getByRole('heading', { name: 'Immunizations' }).waitFor();
};

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

const charts = ['demo-patient-1', 'long', 'dead', 'similar-1'];

const forms = ['Change the team', 'Add an order', 'Add a goal', 'Record an immunization'];

test('nothing is scrolled sideways, with the longest names, at any width', async () => {
  const { page } = await demo.openWindow({ viewport: { width: 320, height: 740 } });
  await page.getByRole('button', { name: /Amara Okafor/ }).waitFor();
  const isWide = async (place: string) => {
    for (const width of [320, 360, 480, 640, 768, 900, 1024, 1200, 1280]) {
      await page.setViewportSize({ width, height: 740 });
      const widest = await page.evaluate(
        "Math.max(...['html', 'dialog'].map((one) => { const box = document.querySelector(one); return box ? box.scrollWidth - box.clientWidth : 0 }))",
      );
      expect([place, width, widest]).toEqual([place, width, 0]);
    }
  };
  await isWide('sign-in');
  await signIn(page, /Amara Okafor/);
  await page.getByLabel('Name, number or birth date').fill('wolfe');
  await page.getByRole('link', { name: /Maximiliana/ }).waitFor();
  await isWide('patients');
  for (const id of charts) {
    await goTo(page, id);
    await isWide(id);
  }
  for (const name of forms) {
    await page.getByRole('button', { name }).click();
    await page.getByRole('dialog').waitFor();
    await isWide(name);
    await page.keyboard.press('Escape');
  }
});

test.each([320, 360, 640])('that a patient died is seen in full in a window of %d', async (width) => {
  const page = await openList({ viewport: { width, height: 400 } });
  await goTo(page, 'dead');
  const death = page.locator('.patient-banner').getByText('Died 2 Nov 2026');
  const { x = -1, width: own = 0, y = -1 } = (await death.boundingBox()) ?? {};
  expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
  expect(x + own).toBeLessThanOrEqual(width);
  expect(await death.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
});

test('on a phone, the banner takes at most 120 px', async () => {
  const page = await openList(phone);
  for (const id of ['demo-patient-1', 'long', 'dead']) {
    await goTo(page, id);
    const { height = 0 } = (await page.locator('.chart-header').boundingBox()) ?? {};
    expect(height, id).toBeLessThanOrEqual(120);
    await page.evaluate('scrollTo(0, 2000)');
    // No more than that stays in sight, beside the heading of a section.
    expect((await page.locator('.jump-list').boundingBox())?.y ?? 0, id).toBeLessThan(0.5 + height);
  }
});

/** The things to press that are smaller than so many pixels. A row of patients and a label are pressed as a whole. */
const findSmall = (page: Page, least: number): Promise<unknown> =>
  page.evaluate(`[...document.querySelectorAll('button, a, input, select, textarea, summary')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.matches('.calendar, .skip'))
    .map((one) => [one, (one.closest('.patients tr, .choice') ?? one).getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < ${least} - 0.5)
    .map(([one, { width, height }]) => one.outerHTML.slice(0, 80) + ' ' + width + ' x ' + height)`);

test.each([
  ['a mouse', 24, {}],
  ['a finger', 44, phone],
] as const)('what is pressed is large enough for %s', async (_, least, options) => {
  const page = await openList(options);
  expect(await findSmall(page, least)).toEqual([]);
  await goTo(page, 'demo-patient-1');
  expect(await findSmall(page, least)).toEqual([]);
  for (const name of forms) {
    await page.getByRole('button', { name }).click();
    await page.getByRole('dialog').waitFor();
    expect(await findSmall(page, least)).toEqual([]);
    await page.keyboard.press('Escape');
  }
});

test('two patients of similar names and one birth date are marked, in the list and in the chart', async () => {
  const page = await openList();
  await page.getByLabel('Name, number or birth date').fill('anna');
  const row = page.getByRole('row', { name: /Me[iy]er, Anna/ });
  await expect.poll(() => row.count()).toBe(2);
  expect(await row.getByText('Similar name, same birth date').count()).toBe(2);
  await goTo(page, 'similar-1');
  await page.getByText('Not Meyer, Anna, similar-2, of a similar name, born on the same day').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await goTo(page, 'demo-patient-1');
  expect(await page.locator('.similar').count()).toBe(0);
});

test('the chart begins at 120 px, its columns balance, and it is not too high', async () => {
  const page = await openList();
  await goTo(page, 'demo-patient-1');
  expect((await page.locator('.chart-grid').boundingBox())?.y).toBe(120);
  await goTo(page, 'long');
  const ends = (await page.evaluate(
    "[...document.querySelectorAll('.chart-grid > div')].map((one) => one.lastElementChild.getBoundingClientRect().bottom)",
  )) as readonly number[];
  expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(450);
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(2200);
  const onPhone = await openList(phone);
  await goTo(onPhone, 'long');
  expect(await onPhone.evaluate('document.documentElement.scrollHeight')).toBeLessThanOrEqual(4500);
});

test('there are four sizes of text, and the words of a line are on one baseline', async () => {
  const page = await openList();
  await goTo(page, 'demo-patient-1');
  const sizes = await page.evaluate(
    "[...new Set([...document.querySelectorAll('body *')].filter((one) => one.checkVisibility()).map((one) => getComputedStyle(one).fontSize))].sort()",
  );
  expect(sizes).toEqual(['12px', '14px', '16px', '22px']);
  const distances =
    (await page.evaluate(`[...document.querySelectorAll('.facts:has(> .mark)')].flatMap((line) => {
    const baselines = [...line.children].filter((one) => one.offsetHeight < 30).map((one) => {
      const text = one.matches('.mark') ? one.lastElementChild : one;
      const sign = text.appendChild(document.createElement('i'));
      sign.style.display = 'inline-block';
      return sign.getBoundingClientRect().bottom;
    });
    const first = baselines.filter((one) => Math.abs(one - baselines[0]) < 10);
    return first.map((one) => Math.abs(one - first[0]));
  })`)) as readonly number[];
  expect(distances.length).toBeGreaterThan(8);
  expect(Math.max(...distances)).toBeLessThan(0.6);
});

test('what leads to all doses is in one column', async () => {
  const page = await openList();
  await goTo(page, 'long');
  const right = await page.evaluate(
    "[...document.querySelectorAll('.other-doses')].map((one) => Math.round(one.getBoundingClientRect().right))",
  );
  expect(new Set(right as readonly number[]).size).toBe(1);
});

test('a form has two columns, its first field has the focus, and its footer stays in sight', async () => {
  const page = await openList({ viewport: { width: 1280, height: 500 } });
  await goTo(page, 'demo-patient-1');
  await page.getByRole('button', { name: 'Add a goal' }).click();
  expect(await page.evaluate('document.activeElement.id')).toBe('goal-description');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Record an immunization' }).click();
  const boxOf = (label: string) => page.getByLabel(label, { exact: true }).boundingBox();
  expect((await boxOf('Lot number'))?.y).toBe((await boxOf('Expiry date'))?.y);
  const footer = page.locator('.form-footer');
  for (const top of [0, 10_000]) {
    await page.getByRole('dialog').evaluate((element, to) => element.scrollTo({ top: to }), top);
    const { y = 0, height = 0 } = (await footer.boundingBox()) ?? {};
    expect([Math.round(height), Math.round(y + height)]).toEqual([64, 500]);
  }
});

test('a chart that is being read shows its places, and the keyboard skips to it', async () => {
  const page = await openList();
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/Goal?**', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(`${demo.origin()}/#Patient/long`);
  await page.locator('main[aria-busy=true] .skeleton').first().waitFor();
  expect(await findViolations(page)).toEqual([]);
  release();
  await page.getByRole('heading', { name: 'Immunizations' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  expect(await page.evaluate('document.activeElement.id')).toBe('main');
  expect(new URL(page.url()).hash).toBe('#Patient/long');
  await page.getByRole('button', { name: 'Actions: Test 0, requested on 1 Jan 2024' }).first().waitFor();
  await page.getByRole('button', { name: /^Actions: Goal 0: .*, due 1 Jan 2025$/ }).waitFor();
  await page.getByRole('link', { name: 'Patients', exact: true }).click();
  await page.getByRole('table').waitFor();
});

test('of many patients, more are shown when asked', async () => {
  const page = await openList();
  await page.getByLabel('Name, number or birth date').fill('many');
  await page.getByText('60 patients, the first 50 of them here').waitFor();
  await page.getByRole('button', { name: 'Show 10 more of 60 patients' }).click();
  await expect.poll(() => page.getByRole('link', { name: /Many, N/ }).count()).toBe(60);
});
