import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { HttpHandler, HttpRequest, HttpResponse } from '@clinical-records/http-adapter';

const require = createRequire(import.meta.url);
const { version } = require('swagger-ui-dist/package.json') as { readonly version: string };

/** What Swagger UI is made of never changes under a path that names its version. */
const viewer = `/docs/${version}`;

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Clinical records</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${viewer}/swagger-ui.css">
    <style>body { margin: 0 }</style>
  </head>
  <body>
    <div id="docs"></div>
    <script src="${viewer}/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const start = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
});
`;

type StaticFile = { readonly type: string; readonly caching: string; readonly read: () => string };

const ownFile = (type: string, text: string): StaticFile => ({ type, caching: 'no-cache', read: () => text });

const viewerFile = (type: string, name: string): StaticFile => ({
  type,
  caching: 'public, max-age=31536000, immutable',
  read: () => readFileSync(require.resolve(`swagger-ui-dist/${name}`), 'utf8'),
});

/** Every file that there is: no path of a request ever names one on disk. */
const files: ReadonlyMap<string, StaticFile> = new Map([
  ['/docs', ownFile('text/html', page)],
  ['/docs/', ownFile('text/html', page)],
  ['/docs/start.js', ownFile('text/javascript', start)],
  [`${viewer}/swagger-ui.css`, viewerFile('text/css', 'swagger-ui.css')],
  [`${viewer}/swagger-ui-bundle.js`, viewerFile('text/javascript', 'swagger-ui-bundle.js')],
]);

/** Nothing comes from another host or goes to one. Swagger UI styles its elements in place, and draws with data URLs. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const methodNotAllowed: HttpResponse = { status: 405, headers: { allow: 'GET, HEAD' }, body: '' };

const fileResponse = ({ type, caching, read }: StaticFile): HttpResponse => ({
  status: 200,
  headers: {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': caching,
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  },
  body: read(),
});

/** Puts a page to read and to try the interface beside it, at `/docs`, and its description at `/openapi.json`. */
export const withDocs = (handler: HttpHandler, basePath: string): HttpHandler =>
  Object.assign(
    async (request: HttpRequest) => {
      const [path = ''] = request.url.split('?');
      if (path === '/openapi.json') return handler({ ...request, url: `${basePath}${path}` });
      const file = files.get(path);
      if (file === undefined) return handler(request);
      return request.method === 'GET' || request.method === 'HEAD' ? fileResponse(file) : methodNotAllowed;
    },
    { bodyLimit: handler.bodyLimit },
  );
