import { bundleChart, type ChartSettings, scriptNames } from '@clinical-records/example-chart';
import type { Access } from '../access/access.ts';
import { demoUsers } from '../demo/demo-users.ts';
import { rosa } from '../demo/people.ts';
import type { Site } from '../serve/site.ts';
import { careTeamRoles, extensionBase } from '../settings.ts';
import { ownFile, type WebFile, type WebFiles } from './web-file.ts';

const docsLink = (type: string, operation: string, text: string): string =>
  `<a href="/docs#/${type}/${operation}${type}">${text}</a>`;

const demoLinks = `<p>The requests behind the chart of Rosa Alvarez, <code>Patient/${rosa}</code>, to try in the docs:
        ${docsLink('CareTeam', 'read', 'her care team')},
        ${docsLink('Goal', 'search', 'her goals')},
        ${docsLink('ServiceRequest', 'search', 'her orders')},
        ${docsLink('Immunization', 'search', 'her immunizations')}.</p>`;

const tokenHints = {
  PrintedToken: 'The terminal that runs npm start shows one, a new one at each start.',
  TokensFile: 'The file that --tokens names holds them.',
  AuthorizationServer: 'Your authorization server issues them.',
} as const satisfies Record<Access['_tag'], string>;

/** Only files of the server itself are loaded, and nothing inline is run. */
const policy = ["script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self'"];

/** A sheet with a line of time on it. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="7" fill="#0b5f73"/>
  <path d="M6 17h5l3-8 5 15 3-7h4" fill="none" stroke="#fff" stroke-width="3" stroke-linejoin="round" stroke-linecap="round"/>
</svg>
`;

type ChartSite = Pick<Site, 'basePath' | 'hasDemo' | 'access' | 'host' | 'baseUrl' | 'corrections'> & {
  readonly hasGuide: boolean;
};

const guideLink = ' All pages: <a href="/guide/">the guide</a>.';

const pageOf = ({ basePath, hasDemo, hasGuide }: ChartSite): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Clinical records</title>
    <link rel="icon" type="image/svg+xml" href="/chart/icon.svg">
    <link rel="stylesheet" href="/chart/chart.css">
    <link rel="modulepreload" href="/chart/chunk.js">
    <script type="module" src="/chart/chart.js"></script>
  </head>
  <body>
    <div id="chart">
      <header class="page-header"><span class="page-name">Clinical records</span></header>
      <noscript><main class="sign-in"><p class="notice">The chart needs JavaScript.</p></main></noscript>
    </div>
    <footer class="page-footer">
      <p>For developers: <a href="/docs">the docs</a> of the interface, where each request can be tried, and
        its <a href="${basePath}/openapi.json">OpenAPI</a> description.${hasGuide ? guideLink : ''}</p>
      ${hasDemo ? demoLinks : ''}
    </footer>
  </body>
</html>
`;

const settingsOf = (site: ChartSite): ChartSettings => ({
  basePath: site.basePath,
  extensionBase,
  roles: careTeamRoles,
  tokenHint: tokenHints[site.access._tag],
  hasCorrections: site.corrections || site.hasDemo,
  demoUsers: demoUsers(site),
});

/** The chart for people at `/`. It is bundled when a browser first asks for it. */
export const chartFiles = (site: ChartSite): WebFiles => {
  let bundle: ReturnType<typeof bundleChart> | undefined;
  const bundled = () => {
    bundle ??= bundleChart();
    return bundle;
  };
  return new Map([
    ['/', ownFile('text/html', () => pageOf(site), policy)],
    ...scriptNames.map((name): [string, WebFile] => [
      `/chart/${name}`,
      ownFile('text/javascript', async () => (await bundled()).scripts[name]),
    ]),
    ['/chart/chart.css', ownFile('text/css', async () => (await bundled()).style)],
    ['/chart/icon.svg', ownFile('image/svg+xml', () => icon)],
    ['/chart/settings.json', ownFile('application/json', () => JSON.stringify(settingsOf(site)))],
  ]);
};
