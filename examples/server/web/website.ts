import type { HttpHandler, HttpRequest } from '@clinical-records/http-adapter';
import { type DemoSessions, demoSessionPath } from '../access/demo-session.ts';
import { demoSamples } from '../demo/samples.ts';
import type { Site } from '../serve/site.ts';
import { chartFiles } from './chart-page.ts';
import { docsFiles } from './docs-page.ts';
import { guideFiles, guideFolder, isGuideBuilt } from './guide-page.ts';
import { describeWithSamples } from './samples.ts';
import { fileResponse, type WebFiles } from './web-file.ts';

/**
 * Adds pages for people to the interface: the chart at `/`, the docs at `/docs`, and the guide at `/guide`. The description of
 * the interface is at `/openapi.json`, too.
 */
export const withWebsite = (
  handler: HttpHandler,
  options: Pick<Site, 'basePath' | 'hasDemo' | 'access' | 'host' | 'baseUrl'>,
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
    return file === undefined ? handler(request) : { ...(await fileResponse(file, request)), route: path };
  };
  return Object.assign(handle, { bodyLimit: handler.bodyLimit });
};
