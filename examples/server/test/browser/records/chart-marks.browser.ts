import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from '../tools/axe.ts';
import { choose, openChart, signIn, useDemoClinic } from '../tools/chart-visits.ts';

const demo = useDemoClinic();

const open = async (searched: string, name: RegExp) => {
  const { page } = await demo.openWindow({ locale: 'en-GB' });
  await signIn(page, /Amara Okafor/);
  await openChart(page, searched, name);
  return page;
};

const section = (page: Page, name: string) => page.getByRole('region', { name });

/** Finds the words in an element that are not struck out, except for what can be pressed. */
const findStandingWords = new Function(
  'element',
  `const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const isStruck = (one) => one !== element.parentElement &&
    (getComputedStyle(one).textDecorationLine === 'line-through' || isStruck(one.parentElement));
  const words = [];
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const text = node.textContent.trim();
    const { parentElement: parent } = node;
    if (text !== '' && !parent.closest('button, svg, .saved') && !isStruck(parent)) words.push(text);
  }
  return words;`,
) as (element: unknown) => readonly string[];

const standingWords = (row: Locator) => row.evaluate(findStandingWords);

test.each([
  { list: 'Orders', row: 'li.order', title: 'Cardiology Consult note', name: /^Actions: Cardiology/ },
  { list: 'Goals', row: 'li.goal', title: 'Have the eyes examined', name: /^Actions: Have the eyes/ },
  { list: 'Immunizations', row: 'li.vaccine', title: 'Pneumococcal', name: /^Actions: Pneumococcal/ },
])(
  'what is entered in error is struck whole, and is the last of the $list',
  async ({ list, row, title, name }) => {
    const page = await open('ros alv', /Alvarez, Rosa/);
    await choose(page, name, 'Mark as entered in error');
    await page.getByLabel('Why?').fill('It is that of her sister.');
    await page.getByRole('button', { name: 'Mark as entered in error' }).click();
    const ended = section(page, list).locator(row).filter({ hasText: title });
    await ended.getByText('Entered in error', { exact: true }).waitFor();
    expect(await standingWords(ended)).toEqual(['Entered in error']);
    const rows = await section(page, list).locator(row).all();
    const inError = await Promise.all(
      rows.map(async (one) => (await one.getByText('Entered in error', { exact: true }).count()) > 0),
    );
    expect(inError).toEqual(inError.toSorted());
    expect(inError.at(-1)).toBe(true);
    expect(await findViolations(page)).toEqual([]);
  },
);

test('a dose in error is below the doses that count, and the name of its vaccine stands', async () => {
  const page = await open('ros alv', /Alvarez, Rosa/);
  await choose(page, /^Actions: Influenza.*2026/, 'Mark as entered in error');
  await page.getByLabel('Why?').fill('It was not given.');
  await page.getByRole('button', { name: 'Mark as entered in error' }).click();
  const vaccine = section(page, 'Immunizations').locator('li.vaccine').filter({ hasText: 'Influenza' });
  const last = vaccine.locator('.dose').last();
  await last.getByText('Entered in error', { exact: true }).waitFor();
  expect(await standingWords(last)).toEqual(['Entered in error']);
  expect(await standingWords(vaccine.locator('h3'))).not.toEqual([]);
});

test('each badge of the team is that of the API, in every state, also after a reload', async () => {
  const page = await open('ros alv', /Alvarez, Rosa/);
  await page.getByRole('button', { name: 'Change the team' }).click();
  await page.getByRole('button', { name: 'Remove Amara Okafor' }).click();
  await page.getByLabel('Lead', { exact: true }).selectOption({ label: 'Kenji Tanaka' });
  await page.getByRole('button', { name: 'Save the team' }).click();
  const team = section(page, 'Care team');
  const left = team.locator('div', { has: page.getByRole('heading', { name: 'Left the team' }) }).last();
  await left.getByText('Amara Okafor').waitFor();
  await page.reload();
  await left.getByText('Amara Okafor').waitFor();

  const response = await page.request.get(`${demo.origin()}/fhir/CareTeam?patient=Patient/demo-patient-1`, {
    headers: { authorization: `Bearer ${demo.token()}` },
  });
  const { entry } = (await response.json()) as {
    readonly entry: readonly {
      readonly resource: {
        readonly status: string;
        readonly participant?: readonly {
          readonly member: { readonly display: string };
          readonly extension?: readonly { readonly valueBoolean: boolean }[];
        }[];
      };
    }[];
  };
  const told = entry.flatMap(({ resource: { participant = [] } }) =>
    participant.map(({ member, extension = [] }) => ({
      name: member.display,
      isLead: extension.some(({ valueBoolean }) => valueBoolean),
    })),
  );
  expect(new Set(entry.map(({ resource }) => resource.status))).toEqual(
    new Set(['active', 'inactive', 'proposed', 'entered-in-error']),
  );
  const shown = await Promise.all(
    (await team.locator('li.member').all()).map(async (row) => ({
      name: await row.locator('bdi').textContent(),
      isLead: (await row.getByText('Lead', { exact: true }).count()) > 0,
    })),
  );
  const byName = (a: { readonly name: string | null }, b: { readonly name: string | null }) =>
    String(a.name).localeCompare(String(b.name));
  expect(shown.toSorted(byName)).toEqual(told.toSorted(byName));
  const inError = team.locator('.in-error .member');
  expect(await standingWords(inError)).toEqual([]);
});
