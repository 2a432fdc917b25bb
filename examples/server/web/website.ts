import type { HttpHandler, HttpRequest } from '@clinical-records/http-adapter';
import type { Access } from '../access/access.ts';
import { demoSamples } from '../demo/samples.ts';
import { docsFiles } from './docs-page.ts';
import { describeWithSamples } from './samples.ts';
import { startPage } from './start-page.ts';
import { fileResponse, type WebFiles } from './web-file.ts';

/**
 * Adds pages for people to the interface: a start page at `/`, and the docs at `/docs`. The description of the
 * interface is at `/openapi.json`, too.
 */
export const withWebsite = (
  handler: HttpHandler,
  options: { readonly basePath: string; readonly hasDemo: boolean; readonly access: Access },
): HttpHandler => {
  const described = { method: 'GET', url: `${options.basePath}/openapi.json`, headers: {} };
  const samples = options.hasDemo ? demoSamples : {};
  const files: WebFiles = new Map([
    ['/', startPage(options)],
    ...docsFiles(async () => describeWithSamples((await handler(described)).body, samples, options.basePath)),
  ]);
  const handle = async (request: HttpRequest) => {
    const [path = ''] = request.url.split('?');
    if (path === '/openapi.json') return handler({ ...request, url: described.url });
    const file = files.get(path);
    return file === undefined ? handler(request) : { ...(await fileResponse(file, request)), route: path };
  };
  return Object.assign(handle, { bodyLimit: handler.bodyLimit });
};
