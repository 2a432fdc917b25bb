import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { endAll, newFolder, startServer } from '../../running-server.ts';
import { chromiumOptions } from './chromium.ts';

/** A window in a session of its own, such as on another machine, with what it asked for and what went wrong in it. It closes after the test. */
const openWindow = async (browser: Browser, origin: string, options: BrowserContextOptions = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const requested: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(`${origin}/`);
  return { page, requested, errors };
};

/** The demo clinic on a server with these flags, and a browser to visit it, for the tests of a file. */
export const useDemoClinic = (flags: () => Promise<readonly string[]> = async () => []) => {
  let browser: Browser;
  let origin: string;
  let token: string;
  beforeAll(async () => {
    const server = await startServer([...(await flags())], await newFolder());
    origin = new URL(server.address).origin;
    token = server.token;
    browser = await chromium.launch(chromiumOptions);
  });
  afterAll(async () => {
    await browser?.close();
    await endAll();
  });
  return {
    browser: () => browser,
    origin: () => origin,
    token: () => token,
    openWindow: (options?: BrowserContextOptions) => openWindow(browser, origin, options),
  };
};

/** Signs in as somebody of the demo clinic, and waits for the list of patients. */
export const signIn = async (page: Page, name: RegExp): Promise<void> => {
  await page.getByRole('button', { name }).click();
  await page.getByRole('heading', { name: 'Patients' }).waitFor();
};

/** Finds a patient by name, and opens the chart. */
export const openChart = async (page: Page, searched: string, name: RegExp): Promise<void> => {
  await page.getByLabel('Name, number or birth date').fill(searched);
  await page.getByRole('link', { name }).click();
  await page.getByRole('heading', { name: 'Immunizations' }).waitFor();
};

/** Chooses from the menu of something, such as `Tdap, May 2019`. */
export const choose = async (page: Page, name: string | RegExp, item: string): Promise<void> => {
  const button = typeof name === 'string' ? `Actions: ${name}` : name;
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('menuitem', { name: item }).click();
};

/** Opens the form for an immunization that was given elsewhere. */
export const openStatement = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Record an immunization' }).click();
  await page.getByLabel('Reported').check();
};
