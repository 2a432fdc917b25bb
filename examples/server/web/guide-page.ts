import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownFile, type WebFile, type WebFiles } from './web-file.ts';

/** Where `npm run docs:build` puts the guide. */
export const guideFolder = fileURLToPath(new URL('../../../site/dist/', import.meta.url));

const types: Readonly<Record<string, WebFile['type']>> = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
};

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Runs the inline scripts of a page, and no other ones. Colours of code are inline styles. */
const policyOf = (page: string): readonly string[] => {
  const scripts = Array.from(page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g));
  return [
    ["script-src 'self'", ...new Set(scripts.map(([, text = '']) => hashOf(text)))].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "connect-src 'self'",
  ];
};

const missing = ownFile(
  'text/html',
  () => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Clinical records</title></head>
  <body>
    <p>The guide is not built yet. Run <code>npm run docs:build</code>, and start the server again.</p>
    <p>Its pages are also in the folder <code>docs</code> of the project.</p>
  </body>
</html>
`,
);

/** A page that opens another one at once. */
const forwarding = (path: string): WebFile =>
  ownFile('text/html', () => `<!doctype html><meta http-equiv="refresh" content="0; url=${path}">\n`);

export const isGuideBuilt = (folder: string): boolean => existsSync(join(folder, 'index.html'));

/** The pages of a built guide below `/guide/`, or one that says how to build it. */
export const guideFiles = (folder: string): WebFiles => {
  if (!isGuideBuilt(folder))
    return new Map([
      ['/guide', missing],
      ['/guide/', missing],
    ]);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    const type = types[extname(name)];
    if (type === undefined) return [];
    const file: WebFile = {
      ...{ type, caching: 'no-cache', policy: type === 'text/html' ? policyOf : () => [] },
      read: () => readFile(join(folder, name), 'utf8'),
    };
    const path = `/guide/${name.replaceAll(sep, '/')}`;
    // A link may leave out the name of a page in its folder, or `.html`.
    const shorter = path.replace(/(?:(?<=\/)index)?\.html$/, '');
    return [path, ...(shorter === path ? [] : [shorter])].map((each) => [each, file] as const);
  });
  return new Map([['/guide', forwarding('/guide/')], ...files]);
};
