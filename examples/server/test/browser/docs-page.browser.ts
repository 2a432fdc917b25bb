import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, newFolder, startServer } from '../running-server.ts';
import { openPage } from './chromium.ts';

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

/** Sends what the first operation of a path asks for, with a value for one parameter; answers what the page shows. */
const tryOut = async (path: string, parameter: string, value: string) => {
  const { page } = browser;
  const operation = page.locator('.opblock', { has: page.locator(`[data-path="${path}"]`) }).first();
  await operation.locator('.opblock-summary-control').click();
  await operation.getByRole('button', { name: 'Try it out' }).click();
  await operation.getByPlaceholder(parameter).fill(value);
  await operation.getByRole('button', { name: 'Execute' }).click();
  const response = operation.locator('.live-responses-table');
  await response.waitFor();
  return {
    url: await operation.locator('.request-url').textContent(),
    status: await response.locator('tbody .response-col_status').first().textContent(),
    answer: await response.textContent(),
  };
};

test('a care team is read with the token of the greeting', async () => {
  const { page } = browser;
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  const dialog = page.locator('.dialog-ux');
  await dialog.locator('input').fill(server.token);
  await dialog.getByRole('button', { name: 'Apply credentials' }).click();
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  const { status, answer } = await tryOut('/CareTeam/{id}', 'id', 'demo-patient-1');
  expect(status).toContain('200');
  expect(answer).toContain('Care Team for ');
});

test('a search sends the value of a parameter as it is written', async () => {
  const { status, url } = await tryOut('/Immunization', 'patient', 'demo-patient-1');
  expect(status).toContain('200');
  expect(url).toContain('?patient=demo-patient-1&');
});

test('all that was asked for came from the server itself, and nothing went wrong', () => {
  const hosts = browser.requested.map((url) => new URL(url)).filter(({ protocol }) => protocol !== 'data:');
  expect(new Set(hosts.map((url) => url.origin))).toEqual(new Set([origin]));
  expect(browser.errors).toEqual([]);
});
