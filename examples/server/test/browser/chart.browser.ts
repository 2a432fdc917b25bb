import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { dayOf, formatDay } from '../../../chart/src/model/dates/dates.ts';
import { findViolations } from './tools/axe.ts';
import { choose, openChart, openStatement, signIn, useDemoClinic } from './tools/chart-visits.ts';

const demo = useDemoClinic();

/** `SCREENSHOTS=1` writes the pictures of the documents. */
const takePicture = async (page: Page, name: string, options: { readonly fullPage?: boolean } = {}) => {
  if (process.env.SCREENSHOTS === undefined) return;
  const folder = fileURLToPath(new URL('../../../../docs/images/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}${name}.png`, ...options });
};

const section = (page: Page, name: string) => page.getByRole('region', { name });

const okafor = /Amara Okafor/;
const reyes = /Marisol Reyes/;
const rosa = /Alvarez, Rosa/;

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test('axe finds nothing wrong with any page or dialog, and the pictures are taken', async () => {
    const { page, errors, requested } = await demo.openWindow({ colorScheme });
    await page.getByRole('button', { name: okafor }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await signIn(page, okafor);
    expect(await findViolations(page)).toEqual([]);
    await openChart(page, 'ros alv', rosa);
    expect(await findViolations(page)).toEqual([]);
    await takePicture(page, `chart-${colorScheme}`, { fullPage: true });
    for (const [opener, heading, item] of [
      ['Actions: Care team', 'History: Care team', 'History'],
      ['Change the team', 'Change the care team'],
      ['Add a goal', 'Add a goal'],
      ['Record an immunization', 'Record an immunization'],
      [/^Actions: Influenza.*2025/, 'Entered in error?', 'Mark as entered in error'],
    ] as const) {
      await page.getByRole('button', { name: opener }).first().click();
      if (item !== undefined) {
        expect(await findViolations(page)).toEqual([]);
        await page.getByRole('menuitem', { name: item }).click();
      }
      await page.getByRole('dialog', { name: heading }).waitFor();
      if (heading.startsWith('History')) {
        await page.getByRole('dialog').getByText('Proposed, Cardiologist').waitFor();
      }
      expect(await findViolations(page)).toEqual([]);
      if (heading.startsWith('History')) await takePicture(page, `chart-history-${colorScheme}`);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      // The focus goes back to what opened the dialog.
      expect(await page.evaluate('document.activeElement.tagName')).toBe('BUTTON');
    }
    expect(errors).toEqual([]);
    const hosts = requested.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).origin);
    expect(new Set(hosts)).toEqual(new Set([demo.origin()]));
    expect(requested.filter((url) => /ros|token/i.test(url.replace(/demo-patient/g, '')))).toEqual([]);
  });
});

test('the chart fits a phone, and a window at 200 %', async () => {
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 640, height: 400 },
  ]) {
    const { page } = await demo.openWindow({ viewport });
    await signIn(page, okafor);
    await openChart(page, 'rosa', rosa);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
    expect(await findViolations(page)).toEqual([]);
    if (viewport.width === 360) await takePicture(page, 'chart-phone');
    await page.getByRole('button', { name: 'Change the team' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await page.evaluate("document.querySelector('dialog').scrollWidth")).toBeLessThanOrEqual(
      viewport.width,
    );
    await page.keyboard.press('Escape');

    // A word without an end keeps the button beside it in the window.
    await page.getByRole('button', { name: 'Add a goal' }).click();
    await page.getByLabel('Goal', { exact: true }).fill(`${viewport.width}${'walk'.repeat(50)}`);
    await page.getByRole('button', { name: 'Stage as a draft' }).click();
    await page.getByRole('button', { name: `Commit: ${viewport.width}walk` }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(viewport.width);
  }
});

test('a name that is written from right to left is shown so, and found', async () => {
  const { page } = await demo.openWindow();
  await signIn(page, okafor);
  await openChart(page, 'فاطمة', /الزهراني/);
  const direction = await page.evaluate("getComputedStyle(document.querySelector('h1 bdi')).direction");
  expect(direction).toBe('rtl');
});

test('everything is reached by the keyboard', async () => {
  const { page } = await demo.openWindow();
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.getByRole('button', { name: okafor }).waitFor();
  await press('Tab', 'Enter');
  await page.getByRole('heading', { name: 'Patients' }).waitFor();
  await page.getByLabel('Name, number or birth date').focus();
  // At once: each letter would begin a search of its own, and Enter opens only what the last one finds.
  await page.keyboard.insertText('nils');
  await page.getByText('1 patient', { exact: true }).waitFor();
  await press('Enter');
  await page.getByRole('heading', { name: /Bergström/ }).waitFor();
  await page.getByRole('heading', { name: 'Care team' }).waitFor();
  await page.getByRole('button', { name: 'Change the team' }).focus();
  await press('Enter');
  await page.getByRole('dialog').waitFor();
  await press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // A button of the dialog gives the focus back, too.
  await page.getByRole('button', { name: 'Change the team' }).press('Enter');
  await page.getByRole('button', { name: 'Cancel' }).press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Change the team');
});

test('Enter opens no patient of a name that was typed before', async () => {
  const { page } = await demo.openWindow();
  await signIn(page, okafor);
  const name = page.getByLabel('Name, number or birth date');
  await name.fill('nils');
  await page.getByText('1 patient', { exact: true }).waitFor();
  const held = Promise.withResolvers<void>();
  await page.route('**/Patient/_search', async (route) => {
    await held.promise;
    await route.continue();
  });
  await name.fill('rosa');
  await name.press('Enter');
  expect(new URL(page.url()).hash).toBe('');
  held.resolve();
  await page.getByRole('link', { name: rosa }).waitFor();
  await name.press('Enter');
  await page.getByRole('heading', { name: rosa }).waitFor();
});

test('more charts than a browser has connections can be open in tabs, and each is up to date when it is seen', async () => {
  const { page } = await demo.openWindow();
  await signIn(page, okafor);
  // This Chromium calls all tabs visible.
  const show = (tab: Page, isVisible: boolean) =>
    tab.evaluate(
      `Object.defineProperty(document, 'hidden', { value: ${!isVisible}, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'))`,
    );
  const [first = page, ...others] = await Promise.all(
    Array.from({ length: 7 }, () => page.context().newPage()),
  );
  for (const tab of [first, ...others]) {
    await tab.goto(`${demo.origin()}/#Patient/demo-patient-4`);
    await tab.getByRole('heading', { name: 'Immunizations' }).waitFor();
    await show(tab, false);
  }
  const [last = page] = others;
  await show(last, true);
  await openStatement(last);
  await last.getByLabel('Vaccine').fill('Pneumococcal polysaccharide PPV23');
  await last.getByLabel(/^When/).fill('2015-02-03');
  await last.getByRole('button', { name: 'Record', exact: true }).click();
  await section(last, 'Immunizations').getByText('3 Feb 2015', { exact: true }).waitFor();
  await show(first, true);
  await section(first, 'Immunizations').getByText('3 Feb 2015', { exact: true }).waitFor();
});

test('the title of the page is no other patient, and nobody after the sign-out', async () => {
  const { page } = await demo.openWindow();
  await signIn(page, okafor);
  await openChart(page, 'ros alv', rosa);
  await expect.poll(() => page.title()).toContain('Alvarez, Rosa');
  await page.goto(`${demo.origin()}/#Patient/nobody`);
  await page.getByRole('alert').waitFor();
  await expect.poll(() => page.title()).toBe('Clinical records');
  await page.goto(`${demo.origin()}/#Patient/demo-patient-2`);
  await page.getByRole('heading', { name: /Bergström, Nils/ }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'The demo clinic' }).waitFor();
  await expect.poll(() => page.title()).toBe('Clinical records');
});

test('a dialog names the patient', async () => {
  const { page } = await demo.openWindow({ viewport: { width: 390, height: 740 } });
  await signIn(page, okafor);
  await openChart(page, 'ros alv', rosa);
  const named = page.getByRole('dialog').getByText('Alvarez, Rosa · 23 Aug 1961 · R-1001');
  for (const opener of ['Change the team', 'Add a goal', 'Record an immunization']) {
    await page.getByRole('button', { name: opener }).click();
    await named.waitFor();
    await page.keyboard.press('Escape');
  }
  await choose(page, 'Care team', 'History');
  await named.waitFor();
});

test('a page records nothing as somebody who signed in in another tab', async () => {
  const { page } = await demo.openWindow();
  await signIn(page, okafor);
  await openChart(page, 'marcel', /Dubois, Marcel/);
  await openStatement(page);
  await page.getByLabel('Vaccine').fill('HPV9');
  await page.getByLabel(/^When/).fill('2016-03-03');
  const other = await page.context().newPage();
  await other.goto(demo.origin());
  await other.getByRole('button', { name: 'Sign out' }).click();
  await signIn(other, reyes);
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByText('The server does not accept this sign-in.').waitFor();
  await openChart(other, 'marcel', /Dubois, Marcel/);
  expect(await section(other, 'Immunizations').getByText('HPV9').count()).toBe(0);
});

test('the first content is painted within a second', async () => {
  const { page } = await demo.openWindow();
  const paint = await page.evaluate(
    "new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntriesByName('first-contentful-paint')[0]?.startTime)).observe({ type: 'paint', buffered: true }))",
  );
  expect(paint).toBeLessThan(1000);
});

test('on paper, there is the chart and nothing to click', async () => {
  const { page } = await demo.openWindow();
  await signIn(page, okafor);
  await openChart(page, 'rosa', rosa);
  await page.emulateMedia({ media: 'print' });
  // The headings stay. They are buttons that fold a section.
  expect(await page.locator('button:visible:not(.fold)').count()).toBe(0);
  expect(await page.getByRole('heading', { name: 'Goals' }).isVisible()).toBe(true);
});

test('a statement that is sent again after a lost response is recorded once', async () => {
  const { page } = await demo.openWindow();
  await signIn(page, okafor);
  await openChart(page, 'marcel', /Dubois, Marcel/);
  await page.route('**/Immunization', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await openStatement(page);
  await page.getByLabel('Vaccine').fill('Tdap');
  await page.getByLabel(/^When/).fill('2019-05-14');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByRole('alert').getByText('The server did not respond. Try again.').waitFor();
  await page.unroute('**/Immunization');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await section(page, 'Immunizations').getByText('14 May 2019', { exact: true }).first().waitFor();
  expect(await section(page, 'Immunizations').getByText('14 May 2019', { exact: true }).count()).toBe(1);
});

test('a dose that is sent again after a lost response is recorded once', async () => {
  const { page } = await demo.openWindow();
  await signIn(page, okafor);
  await openChart(page, 'marcel', /Dubois, Marcel/);
  await page.route('**/commands', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Record an immunization' }).click();
  await page.getByLabel('Vaccine').fill('BCG');
  await page.getByLabel('Lot number').fill('B-1');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByRole('alert').getByText('The server did not respond. Try again.').waitFor();
  await page.unroute('**/commands');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const doses = section(page, 'Immunizations').getByText('given here, lot B-1', { exact: true });
  await doses.first().waitFor();
  expect(await doses.count()).toBe(1);
});

test('a goal whose commit had no response is no draft any more', async () => {
  const { page } = await demo.openWindow();
  await signIn(page, okafor);
  await openChart(page, 'marcel', /Dubois, Marcel/);
  await page.getByRole('button', { name: 'Add a goal' }).click();
  await page.getByLabel('Goal', { exact: true }).fill('Swim');
  await page.getByRole('button', { name: 'Stage as a draft' }).click();
  await page.route('**/commands/**', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Commit: Swim' }).click();
  await section(page, 'Goals').getByRole('button', { name: 'Actions: Swim' }).waitFor();
  await page.getByRole('article', { name: 'Draft: Swim' }).waitFor({ state: 'detached' });
});

test('a day in the clinic: a refusal, a conflict, a goal, a statement, a dose, and their ends as errors', async () => {
  const first = await demo.openWindow();
  const second = await demo.openWindow();
  await signIn(first.page, okafor);
  await signIn(second.page, reyes);
  for (const { page } of [first, second]) {
    await openChart(page, 'anika', /Chowdhury, Anika/);
    await page.getByRole('button', { name: 'Change the team' }).click();
  }

  // The nurse joins, without a role at first: the rule is shown at the role that it blames.
  const add = async (page: Page, name: string, role: string) => {
    await page.getByLabel('Add a practitioner or an organization').fill(name);
    await page.getByRole('option', { name }).click();
    if (role !== '') await page.getByLabel(`Role of ${name}`).selectOption({ label: role });
  };
  await add(second.page, 'Marisol Reyes', '');
  await second.page.getByRole('button', { name: 'Save the team' }).click();
  const role = second.page.getByLabel('Role of Marisol Reyes');
  // The role of somebody else is not hers to choose.
  const taken = role.getByRole('option', { name: 'Primary care physician (Amara Okafor)' });
  expect(await taken.isDisabled()).toBe(true);
  await second.page.locator('select[aria-invalid=true]').first().waitFor();
  expect(await role.getAttribute('aria-invalid')).toBe('true');
  await second.page.getByText('Choose a role.').waitFor();
  await takePicture(second.page, 'chart-refusal');
  await role.selectOption({ label: 'Registered nurse' });
  await second.page.getByRole('button', { name: 'Save the team' }).click();
  await section(second.page, 'Care team').getByText('Marisol Reyes').waitFor();

  // The physician saved later: she sees what the nurse changed, and does her own change again.
  await add(first.page, 'Kenji Tanaka', 'Dietitian');
  await first.page.getByRole('button', { name: 'Save the team' }).click();
  const conflict = first.page.getByRole('alert');
  await conflict.getByText('changed this while you were editing').waitFor();
  expect(await conflict.textContent()).toMatch(
    /Marisol Reyes changed this while you were editing.*Registered nurse/s,
  );
  await takePicture(first.page, 'chart-conflict');
  await first.page.getByRole('button', { name: 'Add my changes to these' }).click();
  await first.page.getByRole('button', { name: 'Save the team' }).click();
  const team = section(first.page, 'Care team');
  for (const name of ['Amara Okafor', 'Marisol Reyes', 'Kenji Tanaka']) await team.getByText(name).waitFor();

  // The nurse's window follows by itself.
  await section(second.page, 'Care team').getByText('Kenji Tanaka').waitFor();

  // A goal with wrong dates is refused at each date. Corrected, it is a draft.
  const { page } = first;
  await page.getByRole('button', { name: 'Add a goal' }).click();
  await page.getByLabel('Goal', { exact: true }).fill('Walk to school');
  await page.getByLabel(/^Start/).fill('soon');
  await page.getByLabel(/^Due/).fill('later');
  await page.getByLabel('Priority').selectOption({ label: 'High Priority' });
  await page.getByRole('button', { name: 'Stage as a draft' }).click();
  for (const [label, error] of [
    [/^Start/, 'goal-start-error'],
    [/^Due/, 'goal-due-error'],
  ] as const) {
    await page.locator(`#${error}`).waitFor();
    expect(await page.getByLabel(label).getAttribute('aria-describedby')).toBe(error);
  }
  expect(await page.getByLabel('Goal', { exact: true }).getAttribute('aria-invalid')).toBeNull();
  expect(await page.evaluate('document.activeElement.id')).toBe('goal-start');
  await page.getByLabel(/^Start/).fill('');
  await page.getByLabel(/^Due/).fill('1.6.2027');
  await page.getByRole('button', { name: 'Stage as a draft' }).click();
  const draft = page.getByRole('article', { name: 'Draft: Walk to school' });
  await draft.getByText('1 Jun 2027').waitFor();
  expect(await page.getByRole('status').textContent()).toContain('It is a draft.');
  expect(await findViolations(page)).toEqual([]);
  // After a reload, the nurse sees it, and whose it is. She discards one that was left over, and says why.
  await second.page.reload();
  const seen = second.page.getByRole('article', { name: 'Draft: Walk to school' });
  await seen.getByText('Staged by Amara Okafor on').waitFor();
  await second.page.getByRole('button', { name: 'Discard: Sleep seven hours' }).click();
  await second.page.getByRole('button', { name: 'Discard', exact: true }).click();
  await second.page.getByText('Say why. The history shows it.').waitFor();
  await second.page.getByLabel('Why?').fill('She sleeps well.');
  await second.page.getByRole('button', { name: 'Discard', exact: true }).click();
  await second.page.getByRole('article', { name: 'Draft: Sleep' }).waitFor({ state: 'detached' });

  // Once she has committed it, both windows have it, and her name is in it.
  await second.page.getByRole('button', { name: 'Commit: Walk to school' }).press('Enter');
  await draft.waitFor({ state: 'detached' });
  expect(await page.getByRole('article', { name: 'Draft: Sleep' }).count()).toBe(0);
  for (const window of [first, second]) {
    await section(window.page, 'Goals').getByRole('heading', { name: 'Walk to school' }).waitFor();
  }
  await second.page.waitForFunction("document.activeElement.textContent === 'Goals'");
  await choose(page, 'Walk to school', 'History');
  await page.getByRole('dialog').getByText('by Marisol Reyes').waitFor();
  await page.keyboard.press('Escape');

  // A statement with a wrong date is refused at the date.
  await openStatement(page);
  await page.getByLabel('Vaccine').fill('Tdap');
  await page.getByLabel(/^When/).fill('31.2.2019');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.locator('#date-error').waitFor();
  expect(await page.getByLabel(/^When/).getAttribute('aria-describedby')).toBe('date-error');
  await page.getByLabel(/^When/).fill('14.5.2019');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  const immunizations = section(page, 'Immunizations');
  await immunizations.getByText('14 May 2019', { exact: true }).waitFor();

  // It was the card of another patient: it stays, struck out, and its history says by whom.
  await choose(page, 'Tdap, 14 May 2019', 'Mark as entered in error');
  await page.getByLabel('Why?').fill('The card of her sister.');
  await page.getByRole('button', { name: 'Mark as entered in error' }).click();
  await immunizations.getByText('Entered in error', { exact: true }).waitFor();
  await page.waitForFunction("document.activeElement.textContent === 'Immunizations'");
  await choose(page, 'Tdap, 14 May 2019', 'History');
  const history = page.getByRole('dialog');
  await history.getByText('by Amara Okafor').first().waitFor();
  await history.getByText('Reason: The card of her sister.').waitFor();
  expect(await history.locator('del').first().textContent()).toContain('Completed');
  await page.keyboard.press('Escape');

  // A dose is given now. Without its lot number, nothing is recorded before the user says so.
  await page.getByRole('button', { name: 'Record an immunization' }).click();
  expect(await page.getByLabel('Given here').isChecked()).toBe(true);
  await page.getByLabel('Vaccine').fill('Hep B, adult');
  await page.getByLabel('Site').selectOption({ label: 'Left arm' });
  await page.getByLabel('Route').selectOption({ label: 'Intramuscular' });
  await page.getByLabel('Dose', { exact: true }).fill('half');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByText('Write a number such as 0.5.').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByLabel('Dose', { exact: true }).fill('1');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByText('The lot number is missing.').waitFor();
  await page.getByLabel('Lot number').fill('HB-77');
  await page.getByRole('button', { name: 'Record', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  // The nurse sees it, with its date of today. It was her brother's: the reason is in the history.
  const lot = 'given here, lot HB-77, Left arm, Intramuscular, 1 mL';
  const today = formatDay(dayOf(new Date()));
  for (const window of [page, second.page]) {
    const row = section(window, 'Immunizations').locator('.dose').filter({ hasText: lot });
    await row.getByText(today, { exact: true }).waitFor();
  }
  await choose(second.page, `Hep B, adult, ${today}`, 'Mark as entered in error');
  await second.page.getByLabel('Why?').fill('It was given to her brother.');
  await second.page.getByRole('button', { name: 'Mark as entered in error' }).click();
  const ended = immunizations.locator('.dose').filter({ hasText: lot });
  await ended.getByText('Entered in error', { exact: true }).waitFor();
  await choose(page, `Hep B, adult, ${today}`, 'History');
  await history.getByText('by Marisol Reyes').waitFor();
  await history.getByText('by Amara Okafor').waitFor();
  await history.getByText('Reason: It was given to her brother.').waitFor();
  await page.keyboard.press('Escape');

  // An order is completed, in both windows.
  const orders = section(second.page, 'Orders');
  const order = orders.locator('.order').filter({ hasText: 'Active' }).first();
  const title = (await order.getByRole('heading').textContent()) ?? '';
  await choose(page, title, 'Complete');
  const completed = orders.locator('.order').filter({ hasText: title }).filter({ hasText: 'Completed' });
  await completed.waitFor();
});
