import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { dayOf, formatDay } from '../../../../chart/src/model/dates/dates.ts';
import { findViolations } from '../tools/axe.ts';
import { choose, openChart, openStatement, signIn, useDemoClinic } from '../tools/chart-visits.ts';

const demo = useDemoClinic();

const openRosa = async () => {
  const { page } = await demo.openWindow({ locale: 'en-GB' });
  await signIn(page, /Amara Okafor/);
  await openChart(page, 'ros alv', /Alvarez, Rosa/);
  return page;
};

const immunizations = (page: Page) => page.getByRole('region', { name: 'Immunizations' });
const record = (page: Page) => page.getByRole('button', { name: 'Record', exact: true });

const fillStatement = async (page: Page, vaccine: string, date: string) => {
  await openStatement(page);
  await page.getByLabel('Vaccine').fill(vaccine);
  await page.getByLabel(/^When/).fill(date);
};

/** Accepts or dismisses each question whether changes are thrown away, and counts them. */
const answerQuestions = (page: Page) => {
  const state = { accept: false, asked: 0 };
  page.on('dialog', async (question) => {
    state.asked += 1;
    await (state.accept ? question.accept() : question.dismiss());
  });
  return state;
};

test.each([
  ['2017', '2017'],
  ['June 2018', 'Jun 2018'],
  ['6/5/2019', '6 May 2019'],
])('a date is written as %s, and shown as %s', async (typed, shown) => {
  const page = await openRosa();
  await fillStatement(page, 'Yellow fever', typed);
  if (typed !== shown) await page.getByText(`Understood as ${shown}`).waitFor();
  await record(page).click();
  const row = immunizations(page).locator('.dose').filter({ hasText: shown });
  await row.getByText('Saved').waitFor();
  expect(await row.isVisible()).toBe(true);
  await page.getByText('Saved. The chart is up to date.').waitFor({ state: 'attached' });
});

test('the calendar fills in a date', async () => {
  const page = await openRosa();
  await page.getByRole('button', { name: 'Add a goal' }).click();
  await page.evaluate('HTMLInputElement.prototype.showPicker = function () { window.opened = this.type; }');
  await page.getByRole('button', { name: 'Calendar: Due' }).click();
  expect(await page.evaluate('opened')).toBe('date');
  await page.locator('#goal-due ~ .calendar').fill('2027-02-03');
  expect(await page.getByLabel('Due', { exact: true }).inputValue()).toBe('3 Feb 2027');
});

const option = (page: Page, name: RegExp) => page.getByRole('option', { name });

test('a vaccine is found by a word, a trade name or its code, and chosen by the keyboard or a click', async () => {
  const page = await openRosa();
  await fillStatement(page, 'encephal tick', '2016');
  const vaccine = page.getByLabel('Vaccine');
  await vaccine.press('ArrowDown');
  expect(await vaccine.getAttribute('aria-activedescendant')).not.toBeNull();
  expect(await findViolations(page)).toEqual([]);
  // Escape closes the list only.
  await vaccine.press('Escape');
  expect(await option(page, /encephalitis/).count()).toBe(0);
  expect(await page.getByRole('dialog').count()).toBe(1);
  await vaccine.press('ArrowDown');
  await vaccine.press('Enter');
  expect(await vaccine.inputValue()).toBe('Tick-borne encephalitis');
  for (const text of ['boostrix', '115']) {
    await vaccine.fill(text);
    await option(page, /^Tdap Adacel, Boostrix · CVX 115$/).click();
    expect(await vaccine.inputValue()).toBe('Tdap');
  }
  await page.getByText('Adacel, Boostrix · CVX 115').waitFor();
});

test('a part of a name is not recorded, and free text only behind “Other”', async () => {
  const page = await openRosa();
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await fillStatement(page, 'infl', '2016');
  await record(page).click();
  await page.locator('#vaccine-error').getByText('Choose a vaccine from the list, or “Other”').waitFor();
  expect(sent).toEqual([]);
  await page.getByLabel('Vaccine').fill('Cholera, in Lagos');
  await option(page, /^Other: Cholera, in Lagos/).click();
  await page.getByText('Not in the list: recorded as you write it.').waitFor();
  // Other words are another vaccine.
  await page.getByLabel('Vaccine').fill('Cholera, in Accra');
  await record(page).click();
  await page.locator('#vaccine-error').waitFor();
  await page.getByLabel('Vaccine').click();
  await option(page, /^Other: Cholera, in Accra/).click();
  await record(page).click();
  await immunizations(page).getByRole('heading', { name: 'Cholera, in Accra' }).waitFor();
});

test('free text is a dose that was given here only if the user says so', async () => {
  const page = await openRosa();
  await page.getByRole('button', { name: 'Record an immunization' }).click();
  await page.getByLabel('Vaccine').fill('Something new');
  await option(page, /^Other/).click();
  await page.getByLabel('Lot number').fill('N-1');
  await record(page).click();
  await page.getByRole('alert').getByText('“Something new” is not in the list of vaccines').waitFor();
  await page.getByRole('button', { name: 'Record anyway' }).click();
  await immunizations(page).getByRole('heading', { name: 'Something new' }).waitFor();
});

test('a vaccine that was declined is recorded with its reason', async () => {
  const page = await openRosa();
  await page.getByRole('button', { name: 'Record an immunization' }).click();
  await page.getByLabel('Not given').check();
  await page.getByLabel('Vaccine').fill('Hep A, adult');
  expect(await page.getByLabel('Lot number').count()).toBe(0);
  await record(page).click();
  await page.getByText('Choose why.').waitFor();
  expect(await findViolations(page)).toEqual([]);
  await page.getByLabel('Why not').selectOption({ label: 'The patient declined it' });
  await record(page).click();
  const vaccine = immunizations(page).locator('li.vaccine').filter({ hasText: 'Hep A, adult' });
  await vaccine.getByText('Not given: patient objection').waitFor();
});

test('a dose is given at a time, and one that is too large or expired is asked about', async () => {
  const page = await openRosa();
  await page.getByRole('button', { name: 'Record an immunization' }).click();
  await page.getByLabel('Vaccine').fill('Zoster recombinant');
  await page.getByLabel(/^When/).fill('today 00:00');
  await page.getByText(/^Understood as \d+ \w+ \d{4}, 00:00$/).waitFor();
  await page.getByLabel('Lot number').fill('Z-1');
  await page.getByLabel('Expiry date', { exact: true }).fill('5/2020');
  await page.getByLabel('Dose', { exact: true }).fill('500');
  await record(page).click();
  await page.getByRole('alert').getByText('A dose of 500 mL is not usual.').waitFor();
  await page.getByRole('alert').getByText('The vaccine had expired: its expiry date is May 2020.').waitFor();
  await page.getByLabel('Dose', { exact: true }).fill('0.5');
  await page.getByLabel('Expiry date', { exact: true }).fill('5/2090');
  await record(page).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await immunizations(page).getByText('given here, lot Z-1, expires May 2090, 0.5 mL').waitFor();
  await choose(page, /^Actions: Zoster recombinant/, 'History');
  await page
    .getByRole('dialog')
    .getByText(/\d{4}, 00:00/)
    .first()
    .waitFor();
});

test('an empty form says in the words of the clinic what to fill in, and sends nothing', async () => {
  const page = await openRosa();
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await openStatement(page);
  await record(page).click();
  await page.getByText('Choose a vaccine from the list.').waitFor();
  await page.getByText('Write a date such as today, 14.5.2019 or May 2019').waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('vaccine');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Add a goal' }).click();
  await page.getByRole('button', { name: 'Stage as a draft' }).click();
  await page.getByText('Write down the goal.').waitFor();
  expect(sent).toEqual([]);
});

test.each([
  ['1950', 'before the birth of the patient, 23 Aug 1961'],
  ['1.1.2090', 'has not come yet'],
  ['May 2019', 'The chart has this vaccine on May 2019 already.'],
])('the date %s is asked about before it is saved', async (typed, doubt) => {
  const page = await openRosa();
  await fillStatement(page, 'Tdap', typed);
  await record(page).click();
  await page.getByRole('alert').getByText(doubt).waitFor();
  expect(await findViolations(page)).toEqual([]);
  // A change is asked about again.
  await page.getByLabel(/^When/).fill('3.4.2014');
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(await record(page).count()).toBe(1);
});

test('the server refuses a dose given here at the field that it blames, and a switch to a report keeps what was typed', async () => {
  const page = await openRosa();
  await page.getByRole('button', { name: 'Record an immunization' }).click();
  const today = await page.getByLabel(/^When/).inputValue();
  expect(today).toBe(formatDay(dayOf(new Date())));
  await page.getByLabel('Vaccine').fill('BCG');
  await page.getByLabel('Reported').check();
  expect(await page.getByLabel(/^When/).inputValue()).toBe('');
  expect(await page.getByLabel('Lot number').count()).toBe(0);
  await page.getByLabel('Given here').check();
  expect(await page.getByLabel('Vaccine').inputValue()).toBe('BCG');
  await page.getByText('In this clinic, by Amara Okafor.').waitFor();
  await page.getByLabel('Lot number').fill('B-1');
  await page.getByLabel(/^When/).fill('1.1.2090');
  await record(page).click();
  await page.getByRole('button', { name: 'Record anyway' }).click();
  await page.locator('#date-error').getByText('more than two days in the future').waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('date');
  expect(await page.getByRole('dialog').count()).toBe(1);
});

test('a goal that is due before it starts is staged only if the user says so', async () => {
  const page = await openRosa();
  await page.getByRole('button', { name: 'Add a goal' }).click();
  await page.getByLabel('Goal', { exact: true }).fill('Swim');
  await page.getByLabel('Start', { exact: true }).fill('1.3.2090');
  await page.getByLabel('Due', { exact: true }).fill('1.2.2090');
  await page.getByRole('button', { name: 'Stage as a draft' }).click();
  await page.getByText('The goal is due on 1 Feb 2090, before it starts on 1 Mar 2090.').waitFor();
  expect(await page.getByRole('article', { name: 'Draft: Swim' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Stage as a draft anyway' }).click();
  await page.getByRole('article', { name: 'Draft: Swim' }).waitFor();
});

test('Escape, Back and a reload ask before they throw changes away', async () => {
  const page = await openRosa();
  const questions = answerQuestions(page);
  const goal = page.getByLabel('Goal', { exact: true });
  // Nothing would be lost: nothing is asked.
  await page.getByRole('button', { name: 'Add a goal' }).click();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(questions.asked).toBe(0);

  await page.getByRole('button', { name: 'Add a goal' }).click();
  await goal.pressSequentially('Swim');
  const isKept = async (asked: number) => {
    await expect.poll(() => questions.asked).toBe(asked);
    expect(await goal.inputValue()).toBe('Swim');
    expect(new URL(page.url()).hash).toBe('#Patient/demo-patient-1');
  };
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await isKept(2);
  await page.evaluate('history.back()');
  await isKept(3);
  await page.evaluate('location.reload()');
  await isKept(4);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await isKept(5);

  questions.accept = true;
  await page.evaluate('history.back()');
  await page.getByRole('heading', { name: 'Patients' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});
