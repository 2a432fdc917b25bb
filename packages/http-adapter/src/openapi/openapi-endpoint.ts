import type { ClinicalRecords } from '@clinical-records/core';
import type { HttpResponse } from '../http.ts';
import { contentTypeHeaders } from '../response.ts';
import type { Route } from '../routes.ts';
import { createOpenApiDocument } from './openapi-document.ts';

/**
 * Creates the path of the interface's description, and the function that responds with it. It is created when it is
 * first read.
 */
export const createOpenApiEndpoint = ({
  routes,
  records,
  basePath,
  base,
}: {
  readonly routes: readonly Route[];
  readonly records: Pick<ClinicalRecords, 'describe'>;
  readonly basePath: string;
  readonly base: string;
}): { readonly path: string; readonly response: () => HttpResponse } => {
  let body: string | undefined;
  return {
    path: `${basePath}/openapi.json`,
    response: () => {
      body ??= JSON.stringify(createOpenApiDocument({ routes, description: records.describe(), base }));
      return { status: 200, headers: contentTypeHeaders('application/json'), body };
    },
  };
};
