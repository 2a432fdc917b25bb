/**
 * The clinical records over HTTP, in the style of FHIR.
 *
 * @module @clinical-records/http-adapter
 */

export { AuthenticationUnavailable } from './authentication.ts';
export type { Authorization, AuthorizationQuestion, Authorize } from './authorize/authorize.ts';
export type { BulkExportOptions, ExportFiles } from './bulk-export/bulk-export-options.ts';
export type { HostCapabilities, ResourceCapabilities } from './capabilities/host-capabilities.ts';
export type { SmartConfiguration } from './capabilities/smart-configuration.ts';
export type { ConnectionLimits } from './connections/connection-limits.ts';
export { limitConnections } from './connections/limit-connections.ts';
export type { CorsOptions } from './cors.ts';
export type { EventsOptions } from './events/events.ts';
export { toFetch } from './fetch.ts';
export { createHttpHandler } from './handler.ts';
export type { ErrorContext, HttpHandlerOptions } from './handler-options.ts';
export type { HostResource, HostResources } from './host-resources.ts';
export type { HostMatches, HostSearch, HostSearchParameter } from './host-search.ts';
export type { HttpHandler, HttpRequest, HttpResponse, ResponseStream } from './http.ts';
export type { HttpRule } from './http-error.ts';
export { toNodeListener } from './node.ts';
export {
  type IssueDetails,
  type IssueRuleCoding,
  issueRuleSystem,
  type OperationOutcome,
  type OutcomeIssue,
  type OutcomeResponse,
  outcomeOf,
} from './operation-outcome.ts';
export type { PreferredReturn } from './request-headers.ts';
export { type Interaction, isScope, type Principal, type Scope } from './scopes.ts';
