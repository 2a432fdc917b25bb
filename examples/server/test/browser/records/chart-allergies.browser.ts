import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from '../tools/axe.ts';
import { openChart, signIn, useDemoClinic } from '../tools/chart-visits.ts';

const demo = useDemoClinic();

const allergiesOf = async (page: Page): Promise<readonly string[]> =>
  page.locator('.patient-banner .allergies dd').allTextContents();

/** Opens the chart of a patient, after a change of what the server answers about allergies. */
const open = async (
  searched: string,
  name: RegExp,
  {
    change,
    ...options
  }: Parameters<typeof demo.openWindow>[0] & { readonly change?: (page: Page) => Promise<unknown> } = {},
) => {
  const { page } = await demo.openWindow(options);
  await change?.(page);
  await signIn(page, /Amara Okafor/);
  await openChart(page, searched, name);
  return page;
};

const answer = (status: number) => (page: Page) =>
  page.route('**/AllergyIntolerance?*', (route) => route.fulfill({ status, json: {} }));

test.each(['light', 'dark'] as const)(
  'the banner shows what an allergy endangers first, in the %s theme',
  async (colorScheme) => {
    const page = await open('ros alv', /Alvarez, Rosa/, { colorScheme });
    expect(await allergiesOf(page)).toEqual(['Penicillin (high risk)', 'Eggs (low risk, resolved)']);
    expect(await findViolations(page)).toEqual([]);
  },
);

test('that no allergy is known is shown where it is recorded, and nothing else is claimed', async () => {
  expect(await allergiesOf(await open('bergstr', /Bergström, Nils/))).toEqual(['No known allergy']);
  expect(await allergiesOf(await open('dubois', /Dubois, Marcel/))).toEqual(['not recorded']);
  const forbidden = await open('ros alv', /Alvarez, Rosa/, { change: answer(403) });
  expect(await allergiesOf(forbidden)).toEqual(['not shown to you']);
  const without = await open('ros alv', /Alvarez, Rosa/, { change: answer(404) });
  expect(await without.locator('.patient-banner .allergies').count()).toBe(0);
});

test('an allergy that is recorded elsewhere meanwhile is shown at once', async () => {
  const page = await open('dubois', /Dubois, Marcel/);
  const response = await page.request.post(`${demo.origin()}/fhir/AllergyIntolerance`, {
    headers: { authorization: `Bearer ${demo.token()}`, 'content-type': 'application/fhir+json' },
    data: { code: { text: 'Nuts' }, patient: { reference: 'Patient/demo-patient-4' }, criticality: 'high' },
  });
  expect([response.status(), await response.text()]).toEqual([201, 'null']);
  await expect.poll(() => allergiesOf(page)).toEqual(['Nuts (high risk)']);
});
