import type { ChartSettings } from '@clinical-records/example-chart';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, newFolder, startServer } from '../running-server.ts';

afterAll(endAll);

const pageOf = async (...args: readonly string[]) => {
  const server = await startServer(args, await newFolder());
  const { origin } = new URL(server.address);
  const response = await fetch(`${origin}/`);
  return { server, origin, response, html: await response.text() };
};

const linksIn = (html: string) => [...html.matchAll(/<a href="([^"]+)"/g)].map(([, link = '']) => link);

/** The one of the demo clinic, which no test changes. */
let demo: Awaited<ReturnType<typeof pageOf>>;

beforeAll(async () => {
  demo = await pageOf();
});

test('the greeting names a page for people, whose links work', async () => {
  const { server, origin, response, html } = demo;
  expect(server.printed.out).toContain(`\nIn a browser: ${origin}/\n`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const links = linksIn(html);
  expect(links).toContain('/docs');
  expect(links).toContain('/fhir/openapi.json');
  for (const link of links) {
    const page = await fetch(origin + link);
    expect(page.status, link).toBe(200);
    expect(await page.text(), link).not.toContain('is not built');
  }
});

test('the links into the docs name existing operations', async () => {
  const { origin, html } = demo;
  const { paths } = (await (await fetch(`${origin}/openapi.json`)).json()) as {
    readonly paths: Record<string, Record<string, { tags: string[]; operationId: string }>>;
  };
  const operations = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ tags, operationId }) => `/docs#/${tags[0]}/${operationId}`);
  const shown = linksIn(html).filter((link) => link.includes('#'));
  expect(shown.length).toBeGreaterThan(0);
  expect(operations).toEqual(expect.arrayContaining(shown));
});

test('the page loads only its own files, runs nothing inline, and shows no token', async () => {
  const { server, origin, response, html } = demo;
  const policy = response.headers.get('content-security-policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(policy).toMatch(/; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'$/);
  expect(html).not.toMatch(/<script>|<style|https?:/);
  const files = [...html.matchAll(/(?:src|href)="(\/chart\/[^"]+)"/g)].map(([, file = '']) => file);
  expect(files).toEqual(['/chart/icon.svg', '/chart/chart.css', '/chart/chunk.js', '/chart/chart.js']);
  for (const file of [...files, '/chart/settings.json']) {
    const { status, headers } = await fetch(origin + file);
    expect([file, status, headers.get('x-content-type-options')]).toEqual([file, 200, 'nosniff']);
    expect(await (await fetch(origin + file)).text()).not.toContain(server.token);
  }
  expect(html).not.toContain(server.token);
});

test('the settings name the roles, and who can sign in', async () => {
  const settings = (await (await fetch(`${demo.origin}/chart/settings.json`)).json()) as ChartSettings;
  expect(settings.basePath).toBe('/fhir');
  expect(settings.roles.length).toBeGreaterThan(0);
  expect(settings.demoUsers.map(({ name }) => name)).toEqual(['Amara Okafor', 'Marisol Reyes']);
});

test('without the demo clinic, the page does not mention it, and the page uses another base path', async () => {
  const { response, html } = await pageOf('--empty', '--base-path', '/');
  expect(response.status).toBe(200);
  expect(linksIn(html).filter((link) => link !== '/guide/')).toEqual(['/docs', '/openapi.json']);
  expect(html).not.toContain('demo');
});
