/**
 * The clinical records over HTTP, in the style of FHIR.
 * You need it to serve charts to pages and other programs.
 *
 * @module @clinical-records/http-adapter
 */

export { issueRuleSystem } from '@clinical-records/core/adapter';
export type { Authorization, AuthorizationQuestion, Authorize } from './access/authorize.ts';
export { AuthenticationUnavailable } from './access/authorize.ts';
export { type Interaction, type Principal, type Scope, scopeIssues } from './access/scopes.ts';
export type { ConnectionLimits } from './bindings/connections.ts';
export { limitConnections } from './bindings/connections.ts';
export { toFetch } from './bindings/fetch.ts';
export { toNodeListener } from './bindings/node.ts';
export type { BulkExportOptions, ExportFiles, GroupMembers } from './bulk-export/options.ts';
export type { CorsOptions } from './cors.ts';
export type { HostCapabilities, ResourceCapabilities, SmartConfiguration } from './documents/capabilities.ts';
export type { HttpRule } from './errors.ts';
export {
  type IssueDetails,
  type IssueRuleCoding,
  type OperationOutcome,
  type OutcomeIssue,
  type OutcomeResponse,
  outcomeOf,
} from './errors.ts';
export type { EventsOptions } from './events/events.ts';
export { createHttpHandler } from './handler.ts';
export type {
  HostMatches,
  HostResource,
  HostResources,
  HostSearch,
  HostSearchParameter,
} from './host/host-resources.ts';
export type { HttpHandler, HttpRequest, HttpResponse, PreferredReturn, ResponseStream } from './http.ts';
export type { HttpHandlerOptions } from './options.ts';
export type { ErrorContext } from './respond/report-error.ts';
