import type { HttpHandler, HttpRequest } from '@clinical-records/http-adapter';
import { type DemoSessions, demoSessionPath } from '../access/demo-session.ts';
import { demoSamples } from '../demo/samples.ts';
import type { Site } from '../serve/site.ts';
import { chartFiles } from './chart-page.ts';
import { docsFiles } from './docs-page.ts';
import { guideFiles, guideFolder, isGuideBuilt } from './guide-page.ts';
import { describeWithSamples } from './samples.ts';
import { fileResponse, ownFile, type WebFiles } from './web-file.ts';

/** The page for an address that has none. */
const noPage = ownFile(
  'text/html',
  () => `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>Clinical records</title></head>
  <body>
    <p>There is no page at this address.</p>
    <p><a href="/">The chart</a> · <a href="/docs">The docs of the interface</a> · <a href="/guide/">The guide</a></p>
  </body>
</html>
`,
);

/**
 * Adds pages for people to the interface: the chart at `/`, the docs at `/docs`, and the guide at `/guide`. The description of
 * the interface is at `/openapi.json`, too.
 */
export const withWebsite = (
  handler: HttpHandler,
  options: Pick<Site, 'basePath' | 'hasDemo' | 'access' | 'host' | 'baseUrl' | 'corrections'>,
  sessions: DemoSessions,
): HttpHandler => {
  const described = { method: 'GET', url: `${options.basePath}/openapi.json`, headers: {} };
  const samples = options.hasDemo ? demoSamples : {};
  const files: WebFiles = new Map([
    ...chartFiles({ ...options, hasGuide: isGuideBuilt(guideFolder) }),
    ...docsFiles(async () => describeWithSamples((await handler(described)).body, samples, options.basePath)),
    ...guideFiles(guideFolder),
  ]);
  const handle = async (request: HttpRequest) => {
    const [path = ''] = request.url.split('?');
    if (path === '/openapi.json') return handler({ ...request, url: described.url });
    if (path === demoSessionPath) return sessions.respond(request);
    const file = files.get(path);
    if (file !== undefined) return { ...(await fileResponse(file, request)), route: path };
    const isForPrograms = [options.basePath, '/mcp'].some((each) => `${path}/`.startsWith(`${each}/`));
    if (isForPrograms || !String(request.headers.accept).includes('text/html')) return handler(request);
    return { ...(await fileResponse(noPage, request)), status: 404 };
  };
  return Object.assign(handle, { bodyLimit: handler.bodyLimit });
};
