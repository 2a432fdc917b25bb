import type { AuditLog } from '@clinical-records/core';
import { toEithers } from '@clinical-records/core/fp-ts';
import type { Route } from './routes.ts';

/** The search in the audit log. Source: docs/audit.md#over-http. */
export const createAuditRoute = (auditLog: AuditLog): Route => {
  const { searchBundle } = toEithers(auditLog);
  return {
    type: 'AuditEvent',
    level: 'type',
    method: 'GET',
    interaction: 'search',
    bodyFormat: 'nothing',
    errorTags: ['InvalidRequest'],
    parameters: auditLog.parameters(),
    run: (request) => searchBundle(request.parameters, { ...request, base: '' }),
  };
};
