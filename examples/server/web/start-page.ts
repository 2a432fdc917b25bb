import { createHash } from 'node:crypto';
import type { Access } from '../access/access.ts';
import { rosa } from '../demo/people.ts';
import { ownFile, type WebFile } from './web-file.ts';

const style = `
      body { max-width: 42rem; margin: 3rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
      code { background: #eee; padding: 0 .2em }
      @media (prefers-color-scheme: dark) {
        body { background: #111; color: #ddd } a { color: #8bf } code { background: #333 }
      }
    `;

const hash = createHash('sha256').update(style).digest('base64');

/** A link to an operation in the docs. */
const docsLink = (type: string, operation: string, text: string): string =>
  `<a href="/docs#/${type}/${operation}${type}">${text}</a>`;

const demo = `<p>The demo patient is Rosa Alvarez, <code>Patient/${rosa}</code>. Each link shows a request for her chart in the docs:</p>
    <ul>
      <li>${docsLink('CareTeam', 'read', 'her care team')}</li>
      <li>${docsLink('Goal', 'search', 'her goals')}</li>
      <li>${docsLink('ServiceRequest', 'search', 'her orders')}</li>
      <li>${docsLink('Immunization', 'search', 'her immunizations')}</li>
    </ul>
    <p>There, choose <em>Try it out</em> and <em>Execute</em>: the values are filled in.</p>`;

const tokens = {
  PrintedToken: 'The terminal that runs <code>npm start</code> shows one, a new one at each start.',
  TokensFile: 'The file that <code>--tokens</code> names holds them.',
  AuthorizationServer: 'Your authorization server issues them.',
} as const satisfies Record<Access['_tag'], string>;

/** The first page for people, with links to the others. */
export const startPage = ({
  basePath,
  hasDemo,
  access,
}: {
  readonly basePath: string;
  readonly hasDemo: boolean;
  readonly access: Access;
}): WebFile => {
  const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Clinical records</title>
    <link rel="icon" href="data:,">
    <style>${style}</style>
  </head>
  <body>
    <h1>Clinical records</h1>
    <p>This server has a FHIR-style interface to patients’ charts: care teams, goals, orders and immunizations.
      It lies at <code>${basePath}/</code>.</p>
    <p>A request needs a token. ${tokens[access._tag]}</p>
    <ul>
      <li><a href="/docs">The docs</a>: read and try each request. Choose <em>Authorize</em>, and paste the token.</li>
      <li><a href="${basePath}/openapi.json">OpenAPI</a>: the same for programs, without a token.</li>
    </ul>
    ${hasDemo ? demo : ''}
  </body>
</html>
`;
  return ownFile('text/html', () => page, [`style-src 'sha256-${hash}'`, 'img-src data:']);
};
