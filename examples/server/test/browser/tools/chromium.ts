import { chromium } from 'playwright-core';

/** Where Debian's package puts it: the Chromium that draws no window, and so needs half of the time. */
export const executablePath = '/usr/bin/chromium-headless-shell';

/** Without a sandbox, which root cannot have, and without what Chromium itself sends for. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const chromiumOptions = { executablePath, args };

/** A page in a new Chromium, what it asked for, and what went wrong in it. */
export const openPage = async () => {
  const browser = await chromium.launch(chromiumOptions);
  const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
  const requested: string[] = [];
  const errors: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return { page, requested, errors, close: () => browser.close() };
};
