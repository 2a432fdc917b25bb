import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ownFile, type WebFile, type WebFiles } from './web-file.ts';

const require = createRequire(import.meta.url);
const { version } = require('swagger-ui-dist/package.json') as { readonly version: string };

/** The files of Swagger UI never change under a path with its version. */
const viewer = `/docs/${version}`;

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Requests of the interface · Clinical records</title>
    <link rel="icon" type="image/svg+xml" href="/chart/icon.svg">
    <link rel="stylesheet" href="${viewer}/swagger-ui.css">
    <style>
      body { margin: 0 }
      .way-back { display: flex; max-width: 1460px; margin: 0 auto; padding: 12px 20px; font: 14px system-ui, sans-serif }
      .way-back a { color: light-dark(#0b5f73, #7cc4d4) }
    </style>
  </head>
  <body>
    <nav class="way-back"><a href="/">← The chart</a></nav>
    <div id="docs"></div>
    <script src="${viewer}/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** The token survives a reload, but not the tab. Swagger UI by itself would keep it forever. */
const start = `const key = 'clinical-records-token';

// The viewer has a dark theme, and leaves it to the page when to use it.
const dark = matchMedia('(prefers-color-scheme: dark)');
const followTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followTheme);
followTheme();

// An empty search parameter is an error: a field that nobody filled in is not sent.
const leaveEmptyFieldsOut = () => ({ wrapComponents: { ParameterIncludeEmpty: () => () => null } });

const rememberToken = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (credentials) => {
          sessionStorage.setItem(key, credentials.bearer.value);
          return authorize(credentials);
        },
        logout: (logout) => (names) => {
          sessionStorage.removeItem(key);
          return logout(names);
        },
      },
    },
  },
});

const ui = SwaggerUIBundle({
  url: '/docs/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  plugins: [leaveEmptyFieldsOut, rememberToken],
  onComplete: () => {
    const token = sessionStorage.getItem(key);
    if (token !== null) ui.preauthorizeApiKey('bearer', token);
  },
});
`;

/** Swagger UI uses inline styles and data URLs. */
const policy = [
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
];

const html = ownFile('text/html', () => page, policy);

const viewerFile = (type: WebFile['type'], name: string): WebFile => ({
  type,
  caching: 'public, max-age=31536000, immutable',
  read: () => readFileSync(require.resolve(`swagger-ui-dist/${name}`), 'utf8'),
});

/** Pages to read and try the interface, from its description. */
export const docsFiles = (description: () => Promise<string>): WebFiles =>
  new Map([
    ['/docs', html],
    ['/docs/', html],
    ['/docs/start.js', ownFile('text/javascript', () => start)],
    ['/docs/openapi.json', ownFile('application/json', description)],
    [`${viewer}/swagger-ui.css`, viewerFile('text/css', 'swagger-ui.css')],
    [`${viewer}/swagger-ui-bundle.js`, viewerFile('text/javascript', 'swagger-ui-bundle.js')],
  ]);
