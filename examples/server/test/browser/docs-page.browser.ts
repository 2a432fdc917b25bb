import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endAll, newFolder, startServer } from '../running-server.ts';
import { openPage } from './tools/chromium.ts';

afterAll(endAll);

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
};

let server: Awaited<ReturnType<typeof startServer>>;
let browser: Awaited<ReturnType<typeof openPage>>;
let origin: string;

beforeAll(async () => {
  server = await startServer([], await newFolder());
  origin = new URL(server.address).origin;
  browser = await openPage();
  await browser.page.goto(`${origin}/docs`);
});

afterAll(() => browser?.close());

test('every operation of the interface is listed, and no other', async () => {
  const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as Document;
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const operations = browser.page.locator('.opblock');
  await operations.nth(described.length - 1).waitFor();
  const listed = await Promise.all(
    (await operations.all()).map(async (operation) => {
      const method = await operation.locator('.opblock-summary-method').textContent();
      const path = await operation.locator('.opblock-summary-path').getAttribute('data-path');
      return `${method} ${path}`;
    }),
  );
  expect(listed.toSorted()).toEqual(described.toSorted());
  expect(listed.length).toBeGreaterThan(0);
});

const authorize = async (token: string) => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.locator('.dialog-ux');
  await dialog.locator('input').fill(token);
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
};

/** Sends the filled-in request of an operation, and returns the response that the page shows. */
const tryOut = async (operation: Locator) => {
  await operation.locator('.opblock-summary-control').waitFor();
  const isOpen = /\bis-open\b/.test((await operation.getAttribute('class')) ?? '');
  if (!isOpen) await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByRole('button', { name: 'Execute' }).click();
  const response = operation.locator('.live-responses-table');
  await response.waitFor();
  const answered = {
    url: await operation.locator('.request-url').textContent(),
    status: await response.locator('tbody .response-col_status').first().textContent(),
    answer: (await response.textContent()) ?? '',
  };
  // Swagger UI renders all operations that are open again with each change.
  await operation.locator('.opblock-summary-control').click();
  return answered;
};

// samples.process.test.ts sends the request of each operation. Here is one of each kind, as the page fills it in.
describe('with the token of the greeting', () => {
  beforeAll(() => authorize(server.token));

  test.each([
    ['a path', 'CareTeam-readCareTeam', '200'],
    ['a query', 'Goal-searchGoal', '200'],
    ['a form', 'Goal-searchGoalByForm', '200'],
    ['a body', 'Immunization-createImmunization', '201'],
    ['a path and a body', 'CareTeam-updateCareTeam', '200'],
  ])('a request of %s works as it is filled in: %s', async (_, id, status) => {
    const answered = await tryOut(browser.page.locator(`#operations-${id}`));
    expect(answered.status?.slice(0, 3), `${answered.url} ${answered.answer}`).toBe(status);
    expect(answered.answer).not.toContain('"total": 0');
  });
});

test('the token is kept over a reload, and removed when it is revoked', async () => {
  const { page } = browser;
  const read = page.locator('#operations-CareTeam-readCareTeam');
  await page.reload();
  expect((await tryOut(read)).answer).toContain('Care Team for Alvarez, Rosa');
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.locator('.dialog-ux').getByRole('button', { name: 'Remove authorization' }).click();
  await page.reload();
  expect((await tryOut(read)).status).toContain('401');
  expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
});

test('the page at / leads to a request for the chart of the demo patient', async () => {
  const { page } = browser;
  await page.goto(`${origin}/`);
  await page.getByRole('link', { name: 'her care team' }).click();
  const read = page.locator('#operations-CareTeam-readCareTeam');
  await read.getByRole('button', { name: 'Try it out' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/docs');
});

test('the page follows the theme, and leads back to the chart', async () => {
  const { page } = browser;
  await page.goto(`${origin}/docs`);
  const colourOf = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
  await page.locator('.opblock').first().waitFor();
  const light = await colourOf();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(colourOf).not.toBe(light);
  await page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(colourOf).toBe(light);
  await page.getByRole('link', { name: 'The chart' }).click();
  await page.getByRole('heading', { name: 'A patient’s chart' }).waitFor();
});

test('the page loads everything from the server itself, without errors', () => {
  const hosts = browser.requested.map((url) => new URL(url)).filter(({ protocol }) => protocol !== 'data:');
  expect(new Set(hosts.map((url) => url.origin))).toEqual(new Set([origin]));
  // Chromium counts the 401 above as an error.
  expect(browser.errors.filter((error) => !error.includes('401'))).toEqual([]);
});
