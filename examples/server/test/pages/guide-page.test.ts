import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chartFiles } from '../../web/chart-page.ts';
import { guideFiles, isGuideBuilt } from '../../web/guide-page.ts';
import { fileResponse, type WebFiles } from '../../web/web-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'clinical-records-guide-'));
afterAll(() => rmSync(folder, { recursive: true }));

const get = async (files: WebFiles, path: string) => {
  const file = files.get(path);
  return file && fileResponse(file, { method: 'GET', url: path, headers: {} });
};

test('a guide that is not built says how to build it', async () => {
  expect(isGuideBuilt(folder)).toBe(false);
  for (const path of ['/guide', '/guide/'])
    expect((await get(guideFiles(folder), path))?.body).toContain('npm run docs:build');
});

test('the first page links to the guide only if it is built', async () => {
  const site = {
    basePath: '/fhir',
    hasDemo: true,
    host: '127.0.0.1',
    baseUrl: null,
    corrections: false,
  } as const;
  const access = { _tag: 'TokensFile', file: 'tokens.json' } as const;
  const firstPage = async (hasGuide: boolean) =>
    (await get(chartFiles({ ...site, access, hasGuide }), '/'))?.body;
  expect(await firstPage(true)).toContain('href="/guide/"');
  expect(await firstPage(false)).not.toContain('guide');
});

test('a built guide is served with only its own scripts', async () => {
  mkdirSync(join(folder, 'docs'));
  writeFileSync(join(folder, 'index.html'), '<script src="app.js"></script><script id="theme">a()</script>');
  writeFileSync(join(folder, 'docs/operating.html'), '<h1>Operating</h1>');
  writeFileSync(join(folder, 'font.woff2'), 'bytes');
  const files = guideFiles(folder);

  expect(isGuideBuilt(folder)).toBe(true);
  expect((await get(files, '/guide'))?.body).toContain('url=/guide/');
  expect((await get(files, '/guide/'))?.body).toContain('app.js');
  expect(await get(files, '/guide/docs/operating.html')).toMatchObject({
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: '<h1>Operating</h1>',
  });
  expect((await get(files, '/guide/docs/operating'))?.body).toBe('<h1>Operating</h1>');
  for (const path of ['/guide/index', '/guide/docs', '/guide/font.woff2'])
    expect(await get(files, path)).toBeUndefined();
  expect((await get(files, '/guide/'))?.headers['content-security-policy']).toContain(
    "script-src 'self' 'sha256-qVpDBgj7bpq5hMAcGp3AOc79J3Y1Z4HvySTwKrWDoy4='; style-src",
  );
});
