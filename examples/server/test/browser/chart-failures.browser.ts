import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findViolations } from './tools/axe.ts';
import { choose, openChart, openStatement, signIn, useDemoClinic } from './tools/chart-visits.ts';

const demo = useDemoClinic();

/** A new window with the chart of a patient, as a physician sees it. */
const openChartOf = async (
  searched: string,
  name: RegExp,
  options: { readonly viewport?: Viewport } = {},
) => {
  const window = await demo.openWindow(options);
  await signIn(window.page, /Amara Okafor/);
  await openChart(window.page, searched, name);
  return window;
};

type Viewport = { readonly width: number; readonly height: number };

/** Holds the requests of a method back, until they are let go. */
const holdRequests = async (page: Page, method: string, path: string) => {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() === method) await promise;
    await route.continue();
  });
  return release;
};

test('a response that comes late closes no dialog that was opened after its request', async () => {
  const { page } = await openChartOf('marcel', /Dubois, Marcel/);
  await page.getByRole('button', { name: 'Add a goal' }).click();
  await page.getByLabel('Goal', { exact: true }).fill('Cycle');
  await page.getByRole('button', { name: 'Stage as a draft' }).click();
  const release = await holdRequests(page, 'POST', '**/commands/**');
  await page.getByRole('button', { name: 'Commit: Cycle' }).click();
  await page.getByRole('button', { name: 'Record an immunization' }).click();
  const comment = page.getByLabel('Comment');
  await comment.fill('As on her card.');
  release();
  await page.getByText('The chart is up to date.').waitFor({ state: 'attached' });
  expect(await comment.inputValue()).toBe('As on her card.');
});

test('a team can be saved again after the change of somebody else could not be read', async () => {
  const { page } = await openChartOf('nils', /Bergström, Nils/);
  await page.getByRole('button', { name: 'Change the team' }).click();
  await page.route('**/CareTeam/*', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 412 }) : route.abort(),
  );
  const save = page.getByRole('button', { name: 'Save the team' });
  await save.click();
  await page.getByRole('alert').getByText('The server did not respond. Try again.').waitFor();
  await page.unroute('**/CareTeam/*');
  await save.click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('what stands in the way of a form is in sight and has the focus', async () => {
  const { page } = await openChartOf('ros alv', /Alvarez, Rosa/, { viewport: { width: 390, height: 400 } });
  await page.getByRole('button', { name: 'Change the team' }).click();
  await page.getByRole('button', { name: 'Remove Marisol Reyes' }).click();
  for (const [status, text] of [
    [500, 'Something went wrong.'],
    [412, 'changed this while you were editing'],
  ] as const) {
    await page.route('**/CareTeam/*', (route) =>
      route.request().method() === 'PUT' ? route.fulfill({ status }) : route.continue(),
    );
    await page.getByRole('button', { name: 'Save the team' }).press('Enter');
    const notice = page.getByRole('alert').filter({ hasText: text });
    await notice.waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toContain(text);
    expect(await page.evaluate('document.activeElement.role')).toBe('alert');
    const { y: top = 0 } = (await notice.boundingBox()) ?? {};
    const header = await page.getByRole('dialog').locator('header').boundingBox();
    expect(top).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0));
  }
});

test('nothing can be typed into a form while it is sent', async () => {
  const { page } = await openChartOf('nils', /Bergström, Nils/);
  const release = await holdRequests(page, 'POST', '**/commands');
  await page.getByRole('button', { name: 'Add a goal' }).click();
  const goal = page.getByLabel('Goal', { exact: true });
  await goal.fill('Walk');
  await goal.press('Enter');
  await page.locator('button[type=submit]:disabled').waitFor();
  await page.keyboard.type(' to the lake');
  expect(await goal.inputValue()).toBe('Walk');
  release();
  await page.getByRole('article', { name: 'Draft: Walk' }).waitFor();
});

test('a statement that was changed after a lost response is not recorded a second time', async () => {
  const { page } = await openChartOf('nils', /Bergström, Nils/);
  await openStatement(page);
  await page.getByLabel('Vaccine').fill('MMR');
  await page.getByLabel(/^When/).fill('2017-03-03');
  await page.route('**/Immunization', async (route) => {
    await route.fetch();
    await route.abort();
  });
  const record = page.getByRole('button', { name: 'Record', exact: true });
  await record.click();
  await page.getByRole('alert').getByText('The server did not respond.').waitFor();
  await page.unroute('**/Immunization');
  const doses = page.getByRole('region', { name: 'Immunizations' }).getByText('3 Mar 2017', { exact: true });
  await doses.first().waitFor({ state: 'attached' });
  await page.getByLabel('Comment').fill('As on his card.');
  await record.click();
  await page.getByRole('alert').getByText('The chart has this vaccine on 3 Mar 2017 already.').waitFor();
  await page.getByRole('button', { name: 'Record anyway' }).click();
  await page.getByRole('alert').getByText('The first request was recorded').waitFor();
  page.on('dialog', (question) => question.accept());
  await page.keyboard.press('Escape');
  await doses.first().waitFor();
  expect(await doses.count()).toBe(1);
});

test('a change that is sent again after a lost response is no change of somebody else', async () => {
  const { page } = await openChartOf('ros alv', /Alvarez, Rosa/);
  const dialog = page.getByRole('dialog');
  const sendTwice = async (path: string, name: string) => {
    await page.route(path, async (route) => {
      if (route.request().method() === 'GET') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await dialog.getByRole('button', { name }).click();
    await dialog.getByRole('alert').getByText('The server did not respond.').waitFor();
    await page.unroute(path);
    await dialog.getByRole('button', { name }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await page.getByRole('button', { name: 'Change the team' }).click();
  await page.getByRole('button', { name: 'Remove Kenji Tanaka' }).click();
  await sendTwice('**/CareTeam/*', 'Save the team');
  await choose(page, 'Tdap, May 2019', 'Mark as entered in error');
  await page.getByLabel('Why?').fill('The card of her sister.');
  await sendTwice('**/commands/Immunization/**', 'Mark as entered in error');
});

test.each(['**/chart/settings.json', '**/demo-session'])(
  'the page says that it has no response from %s',
  async (path) => {
    const page = await demo.browser().newPage();
    await page.route(path, (route) => route.abort());
    await page.goto(demo.origin());
    await page.getByRole('alert').getByText('The server did not respond. Try again.').waitFor();
  },
);

test('a sign-out without a response leaves nobody in the belief that it was one', async () => {
  const { page } = await openChartOf('nils', /Bergström, Nils/);
  await page.route('**/demo-session', (route) => route.abort());
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('alert').getByText('You are still signed in.').waitFor();
  await page.unroute('**/demo-session');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'The demo clinic' }).waitFor();
});

test('a chart that could not be read is read once the server responds again', async () => {
  const { page } = await demo.openWindow();
  await signIn(page, /Amara Okafor/);
  await page.getByLabel('Name, number or birth date').fill('nils');
  const nils = page.getByRole('link', { name: /Bergström, Nils/ });
  await nils.waitFor();
  await page.route('**/fhir/**', (route) => route.abort());
  await nils.click();
  await page.getByRole('alert').getByText('The server did not respond. Try again.').waitFor();
  await page.unroute('**/fhir/**');
  await page.getByRole('heading', { name: 'Immunizations' }).waitFor();
});

test('a chart that could not be read again is not said to be up to date', async () => {
  const { page } = await openChartOf('nils', /Bergström, Nils/);
  await page.getByRole('button', { name: 'Change the team' }).click();
  await page.route('**/Goal?**', (route) => route.fulfill({ status: 500 }));
  await page.getByRole('button', { name: 'Save the team' }).click();
  const alert = page.getByRole('alert');
  await alert.getByText(/^Not up to date since \d\d:\d\d\.$/).waitFor();
  await alert.getByText('Something went wrong.').waitFor();
  expect(await page.getByRole('status').textContent()).toBe('');
  await page.getByRole('button', { name: 'Read the chart again' }).waitFor();
  await page.unroute('**/Goal?**');
  await page.getByText('The chart is up to date.').waitFor({ state: 'attached' });
  expect(await alert.count()).toBe(0);
});

test('what is typed is kept when the session ends, and hidden until the user signs in again', async () => {
  const { page } = await openChartOf('nils', /Bergström, Nils/);
  await page.getByRole('button', { name: 'Add a goal' }).click();
  const goal = page.getByLabel('Goal', { exact: true });
  await goal.fill('Climb the stairs');
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Stage as a draft' }).click();
  await page.getByText('Your form is kept: sign in again as Amara Okafor to go on with it.').waitFor();
  expect(await goal.isVisible()).toBe(false);
  expect(await page.getByRole('heading', { name: 'Immunizations' }).isVisible()).toBe(false);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: /Amara Okafor/ }).click();
  expect(await goal.inputValue()).toBe('Climb the stairs');
  await page.getByRole('button', { name: 'Stage as a draft' }).click();
  await page.getByRole('article', { name: 'Draft: Climb the stairs' }).waitFor();
});

test('what is typed is lost to somebody else only if they say so', async () => {
  const { page } = await openChartOf('nils', /Bergström, Nils/);
  const goal = page.getByLabel('Goal', { exact: true });
  const endSession = async (text: string) => {
    await page.getByRole('button', { name: 'Add a goal' }).click();
    await goal.fill(text);
    await page.context().clearCookies();
    await page.getByRole('button', { name: 'Stage as a draft' }).click();
    await page.getByText('Your form is kept').waitFor();
  };
  await endSession('Rest');
  await page.getByRole('button', { name: /Marisol Reyes/ }).click();
  await page.getByRole('heading', { name: 'Go on with what was typed?' }).waitFor();
  expect(await goal.isVisible()).toBe(false);
  expect(await findViolations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Go on with it' }).click();
  expect(await goal.inputValue()).toBe('Rest');
  await page.getByRole('button', { name: 'Stage as a draft' }).click();
  const draft = page.getByRole('article', { name: 'Draft: Rest' });
  await draft.getByText('Staged by Marisol Reyes on').waitFor();

  await endSession('Run');
  await page.getByRole('button', { name: /Amara Okafor/ }).click();
  await page.getByRole('button', { name: 'Throw it away' }).click();
  await draft.waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await page.getByRole('article', { name: 'Draft: Run' }).count()).toBe(0);

  // Without anything typed, nothing is asked.
  await page.context().clearCookies();
  await page.reload();
  await page.getByRole('button', { name: /Marisol Reyes/ }).click();
  await draft.waitFor();
});
