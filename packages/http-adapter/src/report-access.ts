import type { ReportAccess } from '@clinical-records/core';
import { httpErrorOf } from './http-error.ts';
import type { ReportError } from './report-error.ts';
import { accessOf } from './request-access.ts';
import type { HandleInContext } from './request-context.ts';
import { errorResponse } from './response.ts';

/** Reports each request before its response is sent. If that fails, the response contains nothing of a chart. */
export const withAccessReport =
  (handle: HandleInContext, reportAccess: ReportAccess, reportError: ReportError): HandleInContext =>
  async (request, context) => {
    const response = await handle(request, context);
    if (context.isPublic) return response;
    const error = await reportAccess(accessOf(request, context, response));
    if (error === null) return response;
    await response.stream?.return();
    if (error._tag === 'StoreFailure') reportError(error.cause, request, context);
    return errorResponse(httpErrorOf(error), context.errorMediaType);
  };
