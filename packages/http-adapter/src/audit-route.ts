import type { AuditLog } from '@clinical-records/core';
import type { Route } from './routes.ts';

/** The search in the audit log. Source: docs/audit.md#over-http. */
export const createAuditRoute = ({ searchBundle, parameters }: AuditLog): Route => ({
  type: 'AuditEvent',
  level: 'type',
  method: 'GET',
  interaction: 'search',
  bodyFormat: 'nothing',
  errorTags: ['InvalidRequest'],
  parameters: parameters(),
  run: (request) => searchBundle(request.parameters, { ...request, base: '' }),
});
