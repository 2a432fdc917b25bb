import type { AuditLog } from '@clinical-records/core';
import {
  checkOptionNames,
  longestTimer,
  type OptionNames,
  requireNumbers,
} from '@clinical-records/core/store';
import { type Authentication, type Authorize, checkMaxInFlight } from './access/authorize.ts';
import { type BulkExportOptions, checkBulkExport } from './bulk-export/options.ts';
import { type CorsOptions, checkCors } from './cors.ts';
import {
  checkHostCapabilities,
  type HostCapabilities,
  type SmartConfiguration,
} from './documents/capabilities.ts';
import type { EventsOptions } from './events/events.ts';
import { checkHostResources, type HostResources } from './host/host-resources.ts';
import { type PreferredReturn, preferredReturns } from './http.ts';
import type { ErrorContext } from './respond/report-error.ts';

/** The authentication, the URL and the limits of the interface. */
export type HttpHandlerOptions = Authentication & {
  /** The path of the interface, such as `/fhir`, without a trailing slash. Default: the root. */
  readonly basePath?: string;
  /**
   * The URL for clients, such as `https://clinic.example/fhir`: that of `Location`, of `/metadata` and of `$export`. A search
   * takes references that begin with it.
   */
  readonly baseUrl?: string;
  /**
   * Whether bundles have relative links, or absolute ones and a `fullUrl` for each entry, which some FHIR clients need.
   * `absolute` needs `baseUrl`. Default: `relative`.
   */
  readonly links?: 'relative' | 'absolute';
  /**
   * Lets pages of other origins use the interface. Without it, only the documents that need no token can be read by
   * them.
   */
  readonly cors?: CorsOptions;
  /** How clients get a token: published as `/.well-known/smart-configuration`, and in `/metadata`. */
  readonly smartConfiguration?: SmartConfiguration;
  /** Your resources to which charts refer, such as patients and practitioners. They are served under the same base URL. */
  readonly hostResources?: HostResources;
  /**
   * The audit log, which `GET /AuditEvent` searches. It needs a scope that names `AuditEvent`, for a user or a system. The
   * records need its `onAccess`, because a reading of the log is an event, too.
   */
  readonly auditLog?: AuditLog;
  /**
   * Serves `$export` of FHIR Bulk Data Access to clients with `system/` scopes, such as for a data warehouse. Exports belong to
   * one process. Default: it is not served. Source: docs/bulk-export.md.
   */
  readonly bulkExport?: BulkExportOptions;
  /** The resources that you serve under the same base URL, and other elements for `/metadata`. */
  readonly capabilities?: HostCapabilities;
  /**
   * The response to a write whose client sends no `Prefer: return`. With `minimal`, it has the body `null`. With
   * `representation`, it contains the resource if the token may read it, and otherwise no body: some FHIR clients throw
   * on `null`, although the write succeeded. Default: `minimal`.
   */
  readonly defaultReturn?: PreferredReturn;
  /**
   * Decides what scopes cannot say, such as whose charts a sender may see. It is asked after the scopes allow a request, and
   * awaited. A chart that it denies looks like one that does not exist. If it throws, the response is a 500 without data of a chart.
   * Default: scopes decide everything. Source: docs/authorization.md.
   */
  readonly authorize?: Authorize;
  /**
   * How many requests of one principal, the same `subject`, `client` and `agent`, are handled at the same time. One more is a 429.
   * Default: no limit.
   */
  readonly maxInFlight?: number;
  /**
   * Serves `GET /events?patient=7`: server-sent events that name each new version in the chart of a patient. Default: it is not
   * served. Source: docs/http-interface.md#events.
   */
  readonly events?: EventsOptions;
  /**
   * Serves `/commands`, by which users stage, commit, list and end the commands of charts. Default: charts are only read, but for care
   * teams and immunization statements. Source: docs/http-interface.md#chart-commands.
   */
  readonly chartCommands?: boolean;
  /**
   * Serves `/corrections`, by which users with a scope that names `Correction` move a record to another chart and merge two patients.
   * Default: only your own code corrects. Source: docs/corrections.md#over-http.
   */
  readonly corrections?: boolean;
  /** The largest request body in bytes. Default: 256 KiB. */
  readonly bodyLimit?: number;
  /**
   * Is called with the cause of each response of 500 or 503, and with the request. The response itself does not contain
   * the cause. The request contains a token and a patient's data: log only what you need of it.
   */
  readonly onError?: (cause: Error, context: ErrorContext) => void;
};

/** Checks the functions that plain JavaScript can leave out or get wrong. */
const checkFunctions = ({
  authenticate,
  authenticateSession,
  authorize,
  onError,
}: HttpHandlerOptions): void => {
  if (typeof authenticate !== 'function') {
    throw new TypeError(
      'authenticate is required: a function that returns the principal of a bearer token, or null.',
    );
  }
  for (const [name, option] of Object.entries({ authenticateSession, authorize, onError })) {
    if (option !== undefined && typeof option !== 'function') {
      throw new TypeError(`${name} must be a function.`);
    }
  }
};

const optionNames: OptionNames<HttpHandlerOptions> = {
  authenticate: true,
  authenticateSession: true,
  authorize: true,
  basePath: true,
  baseUrl: true,
  links: true,
  cors: true,
  smartConfiguration: true,
  hostResources: true,
  auditLog: true,
  bulkExport: true,
  capabilities: true,
  defaultReturn: true,
  maxInFlight: true,
  events: true,
  chartCommands: true,
  corrections: true,
  bodyLimit: true,
  onError: true,
};

/** The valid paths for an interface: segments as in a URL. Source: RFC 3986, 3.3. */
const basePathPattern = /^(\/[\w.~!$&'()*+,;=:@%-]+)*$/;

const isBaseUrl = (url: string): boolean => URL.canParse(url) && /^https?:\/\/[^?#]*[^/?#]$/.test(url);

/** Throws if an option is missing, not valid, or unknown. `servedTypes` are those that the records serve. */
export const checkHandlerOptions = (options: HttpHandlerOptions, servedTypes: readonly string[]): void => {
  const {
    basePath = '',
    baseUrl,
    links = 'relative',
    cors,
    hostResources,
    capabilities = {},
    defaultReturn = 'minimal',
    maxInFlight,
    bulkExport,
    bodyLimit = 0,
    events: { interval = 1, lifetime = 0, maxStreams = 1, secret } = {},
  } = options;
  checkOptionNames('createHttpHandler', options, optionNames);
  checkFunctions(options);
  requireNumbers({ bodyLimit, 'events.lifetime': lifetime }, 0);
  requireNumbers({ 'events.interval': interval }, 1, longestTimer);
  requireNumbers({ 'events.maxStreams': maxStreams }, 1);
  if (secret !== undefined && !(typeof secret === 'string' && secret.length >= 16)) {
    throw new TypeError('events.secret must be a text of 16 characters or more.');
  }
  if (cors !== undefined) checkCors(cors);
  if (maxInFlight !== undefined) checkMaxInFlight(maxInFlight);
  if (bulkExport !== undefined) checkBulkExport(bulkExport);
  if (bulkExport !== undefined && baseUrl === undefined) {
    throw new TypeError('bulkExport needs baseUrl: the URLs of an export are absolute.');
  }
  if (links !== 'relative' && links !== 'absolute')
    throw new TypeError('links must be relative or absolute.');
  if (links === 'absolute' && baseUrl === undefined) {
    throw new TypeError("links: 'absolute' needs baseUrl: the URL with which the links begin.");
  }
  if (hostResources !== undefined) checkHostResources(hostResources, servedTypes);
  checkHostCapabilities(capabilities, servedTypes);
  if (!basePathPattern.test(basePath)) {
    throw new Error('basePath must be a path such as /fhir without a trailing slash, or empty for the root.');
  }
  if (baseUrl !== undefined && !isBaseUrl(baseUrl)) {
    throw new Error('baseUrl must be a URL such as https://clinic.example/fhir, without a trailing slash.');
  }
  if (!preferredReturns.includes(defaultReturn)) {
    throw new TypeError(`defaultReturn must be ${preferredReturns.join(' or ')}.`);
  }
};
