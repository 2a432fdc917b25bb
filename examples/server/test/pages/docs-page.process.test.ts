import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, newFolder, startServer } from '../running-server.ts';

afterAll(endAll);

const startForDocs = async (...args: readonly string[]) => {
  const { address, printed } = await startServer(['--empty', ...args], await newFolder());
  const { origin } = new URL(address);
  return { address, printed, get: (path: string, init?: RequestInit) => fetch(`${origin}${path}`, init) };
};

/** The one that most tests ask: none of them leaves anything behind. */
let server: Awaited<ReturnType<typeof startForDocs>>;
const get = (path: string, init?: RequestInit) => server.get(path, init);

beforeAll(async () => {
  server = await startForDocs();
});

test('the greeting names a page whose files all exist, each with its media type and none from another host', async () => {
  const { printed } = server;
  const docs = /^Docs: http:\/\/127\.0\.0\.1:\d+(.+)$/m.exec(printed.out)?.[1] ?? '';
  const page = await get(docs);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  const html = await page.text();
  expect(await (await get(`${docs}/`)).text()).toBe(html);
  const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);
  const files = links.filter((link) => link.startsWith('/docs/'));
  // Beside its own files, it has the sign of the product and the way back to the chart.
  expect(links.filter((link) => !files.includes(link))).toEqual(['/chart/icon.svg', '/']);
  for (const link of ['/chart/icon.svg', '/']) expect((await get(link)).status).toBe(200);
  expect(files.map((file) => file.replace(/.*\//, ''))).toEqual([
    'swagger-ui.css',
    'swagger-ui-bundle.js',
    'start.js',
  ]);
  for (const file of files) {
    const { status, headers } = await get(file);
    const type = file.endsWith('.css') ? 'text/css' : 'text/javascript';
    expect([status, headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  }
});

test('a page may load only from this server', async () => {
  const policy = (await get('/docs')).headers.get('content-security-policy') ?? '';
  const sources = policy.split('; ').flatMap((directive) => directive.split(' ').slice(1));
  expect(policy).toMatch(/^default-src 'none'; /);
  expect(new Set(sources)).toEqual(new Set(["'none'", "'self'", "'unsafe-inline'", 'data:']));
  expect(policy).toContain("script-src 'self';");
});

test('a file that may change is revalidated, and a file with its version in its name is cached', async () => {
  const page = await get('/docs');
  const [viewer = ''] = /\/docs\/[\d.]+\/swagger-ui\.css/.exec(await page.text()) ?? [];
  expect(page.headers.get('cache-control')).toBe('no-cache');
  expect((await get('/docs/start.js')).headers.get('cache-control')).toBe('no-cache');
  expect((await get(viewer)).headers.get('cache-control')).toMatch(/max-age=31536000, immutable$/);
});

test('the files of the page can be read but not written, and no other files are served', async () => {
  const head = await get('/docs', { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const post = await get('/docs', { method: 'POST' });
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  for (const path of ['/docs/package.json', '/docs/%2e%2e/package.json', '/docs/..%2fserver.ts', '/docs/x']) {
    expect((await get(path)).status).toBe(401);
  }
});

test.each(['/fhir', '/'])('the description is at the root and below the interface: %s', async (basePath) => {
  const { address, get } = basePath === '/fhir' ? server : await startForDocs('--base-path', basePath);
  const atRoot = await (await get('/openapi.json')).text();
  expect(JSON.parse(atRoot)).toMatchObject({ openapi: '3.1.0', servers: [{ url: address }] });
  expect(await (await fetch(`${address}/openapi.json`)).text()).toBe(atRoot);
  const forThePage = JSON.parse(await (await get('/docs/openapi.json')).text());
  expect(forThePage.servers).toEqual([{ url: basePath }]);
});
