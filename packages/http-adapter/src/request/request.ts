import { type AnswerContent, isId } from '@clinical-records/core/adapter';
import {
  type CommandPathStep,
  commandSteps,
  commandType,
  correctionKinds,
  correctionType,
  type Principal,
} from '../access/scopes.ts';
import type { HttpError } from '../errors.ts';
import { type HttpRequest, type HttpResponse, headerOf, type MediaType, mediaTypes } from '../http.ts';
import type { PathLevel, Route } from '../routes/route.ts';
import { type ExportPath, parseExportPath } from './export-path.ts';

/** The parts of a path below the base path. */
export type ResourcePath = {
  readonly type: string;
  readonly level: PathLevel;
  readonly id: string;
  readonly version: number;
  /** Whether the path ends with `/$validate`, which is not in the other parts. */
  readonly isValidation?: true;
};

/** The target of a request: the parts of its URL, and the routes at its path. */
export type RequestTarget = {
  readonly path: string;
  readonly query: string;
  /** The parts of the path; null if nothing can be at it, whatever types are served. */
  readonly resourcePath: ResourcePath | null;
  /** The routes at the path, one for each method; empty if there are none. */
  readonly pathRoutes: readonly Route[];
  /** Whether it is an interaction of FHIR that is not served. */
  readonly isUnsupported: boolean;
  /** The parts of a path of `$export`; null for any other path, or if it is not served. */
  readonly exportPath: ExportPath | null;
  /** Whether it is the stream of events, which is served. */
  readonly isEventStream: boolean;
};

/** The state of a request that is being handled. */
export type RequestContext = {
  /** The id of the request, which the response has as `X-Request-Id`. */
  readonly requestId: string;
  readonly target: RequestTarget;
  /** The network address of the client; null if it is not known, or if nobody asks for it. */
  readonly address: string | null;
  /** The sender; null as long as the sender is not known. */
  principal: Principal | null;
  /** The search parameters in the body; empty if there are none. */
  form: string;
  errorMediaType: MediaType;
  /** The error that the response describes; null if it describes none. */
  error: HttpError | null;
  /** Whether the response is a document for everybody, without data of a chart. */
  isPublic: boolean;
  /** The content of the response; null if nobody asks for it. */
  readonly returned: AnswerContent[] | null;
  /** The patients in whose charts something was asked for that is out of reach of the sender. */
  readonly deniedPatientIds: string[];
  /** Whether something may have been written, as far as is known. */
  mayBeWritten: boolean;
};

/** Handles a request, and writes into its context what it finds out. */
export type HandleInContext = (request: HttpRequest, context: RequestContext) => Promise<HttpResponse>;

const decodeSegment = (segment: string): string | null => {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};

/** The path and the query string of a URL, which may have an origin. */
export const splitUrl = (url: string): { readonly path: string; readonly query: string } => {
  const local = url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  const [beforeFragment = ''] = local.includes('#') ? local.split('#') : [local];
  const end = beforeFragment.indexOf('?');
  return end === -1
    ? { path: beforeFragment, query: '' }
    : { path: beforeFragment.slice(0, end), query: beforeFragment.slice(end + 1) };
};

/** The parts of a path below an id: the history, or a version in it. Source: FHIR R4, RESTful API, 3.1.0.3. */
const pastPattern = /^_history(?:\/([1-9]\d{0,14}))?$/;

/** The form of a type's name, such as `Goal`. */
const typePattern = /^[A-Z][A-Za-z]*$/;

/** Whether a part of a path is the name of an interaction, such as `_history` or `$everything`. No id has this form. */
const isReserved = (segment: string): boolean => /^[_$]/.test(segment);

const isCommandStep = (text: string | undefined): text is CommandPathStep =>
  (commandSteps as readonly unknown[]).includes(text);

/**
 * Parses the rest of a path of commands, such as `/Goal/7/0/commit`. The id is that of the command, or of its resource. A type
 * whose participants get a status has no commands.
 */
const parseCommandPath = (
  rest: string,
  hasParticipants: RouteTable['hasParticipants'],
): ResourcePath | null => {
  const [start, type = '', id = '', index, step, ...more] = rest.split('/');
  const at = (level: PathLevel, ...parts: readonly string[]): ResourcePath | null => {
    const decoded = parts.map(decodeSegment);
    if (decoded.some((part) => part === null || part === '')) return null;
    return { type: level === 'participant' ? type : commandType, level, id: decoded.join('/'), version: 0 };
  };
  if (rest === '') return at('commands');
  if (start !== '' || more.length > 0) return null;
  if (index === undefined) return hasParticipants(type) ? at('participant', id) : at('commandsOf', type, id);
  if (step === undefined) return at('command', type, id, index);
  return isCommandStep(step) ? at(step, type, id, index) : null;
};

/** Parses the rest of a path of corrections: a kind of them, or the resource or the patient of whom they are. */
const parseCorrectionPath = (rest: string): ResourcePath | null => {
  const [start, first, second, ...more] = rest.split('/').map(decodeSegment);
  if (start !== '' || !first || more.length > 0) return null;
  const at = (level: PathLevel, id: string) => ({ type: correctionType, level, id, version: 0 });
  if (second) return at('correctionsOf', `${first}/${second}`);
  const kind = correctionKinds.find((kind) => kind === first);
  return kind === undefined || second === null || second === '' ? null : at(kind, '');
};

const validationPattern = /\/(?:\$|%24)validate$/;

/** Parses a path without `/$validate` at its end. */
const parseWrittenPath = (
  path: string,
  basePath: string,
  hasParticipants: RouteTable['hasParticipants'],
): ResourcePath | null => {
  const start = basePath.length + 1;
  if (!path.startsWith(basePath) || path[start - 1] !== '/') return null;
  if (path.startsWith('commands', start))
    return parseCommandPath(path.slice(start + 'commands'.length), hasParticipants);
  if (path.startsWith('corrections/', start))
    return parseCorrectionPath(path.slice(start + 'corrections'.length));
  const slash = path.indexOf('/', start);
  const type = path.slice(start, slash === -1 ? undefined : slash);
  if (!typePattern.test(type)) return null;
  if (slash === -1) return { type, level: 'type', id: '', version: 0 };
  const end = path.indexOf('/', slash + 1);
  const segment = path.slice(slash + 1, end === -1 ? undefined : end);
  if (segment === '_search' && end === -1) return { type, level: 'search', id: '', version: 0 };
  const id = decodeSegment(segment);
  if (id === null || id === '' || isReserved(id)) return null;
  if (end === -1) return { type, level: 'instance', id, version: 0 };
  const below = path.slice(end + 1);
  if (type === 'Patient' && typePattern.test(below)) return { type: below, level: 'chart', id, version: 0 };
  if (decodeSegment(below) === '$everything') return { type, level: 'everything', id, version: 0 };
  const past = pastPattern.exec(below);
  if (past === null) return null;
  const [, version] = past;
  return version === undefined
    ? { type, level: 'history', id, version: 0 }
    : { type, level: 'version', id, version: Number(version) };
};

/** Parses a path; returns null if there is nothing at it, whatever types are served. */
export const parseResourcePath = (
  path: string,
  basePath: string,
  hasParticipants: RouteTable['hasParticipants'],
): ResourcePath | null => {
  const written = path.replace(validationPattern, '');
  const parsed = parseWrittenPath(written, basePath, hasParticipants);
  return parsed === null || written === path ? parsed : { ...parsed, isValidation: true };
};

/**
 * Whether a path is that of an interaction of FHIR, served or not: with the whole system, a type that is served, or an instance of
 * it. Source: FHIR R4, RESTful API, 3.1.0.14.
 */
const isInteractionPath = (path: string, basePath: string, serves: (type: string) => boolean): boolean => {
  if (path !== basePath && !path.startsWith(`${basePath}/`)) return false;
  const [name = '', id, below, ...more] = path
    .slice(basePath.length + 1)
    .split('/')
    .map((segment) => decodeSegment(segment) ?? '');
  if (id === undefined) return name === '' || isReserved(name) || serves(name);
  if (!serves(name)) return false;
  if (below === undefined) return isReserved(id);
  const isBelowInstance = isReserved(below) || serves(below);
  return isId(id) && isBelowInstance && (more.length === 0 || pastPattern.test([below, ...more].join('/')));
};

/** Finds the routes of the interface. */
export type RouteTable = {
  /** The routes at a path, one for each method; empty if there is nothing at it. */
  readonly find: (path: ResourcePath) => readonly Route[];
  /** Whether there are routes of a type of FHIR. */
  readonly serves: (type: string) => boolean;
  /** Whether participants of a type get a status among the commands. */
  readonly hasParticipants: (type: string) => boolean;
};

/** The level of a path, and whether it is the one of its validation. */
const placeOf = ({ level, isValidation }: Pick<ResourcePath, 'level' | 'isValidation'>): string =>
  isValidation ? `${level}/$validate` : level;

export const createRouteTable = (routes: readonly Route[]): RouteTable => {
  const byType = new Map(
    Array.from(
      Map.groupBy(routes, ({ type }) => type),
      ([type, ofType]) => [type, Map.groupBy(ofType, placeOf)],
    ),
  );
  return {
    find: (path) => byType.get(path.type)?.get(placeOf(path)) ?? [],
    serves: (type) => type !== commandType && type !== correctionType && byType.has(type),
    hasParticipants: (type) => byType.get(type)?.has('participant') ?? false,
  };
};

/** HEAD is GET without a body. The bindings leave the body out. */
export const methodOf = ({ method }: HttpRequest) => (method === 'HEAD' ? 'GET' : method);

/** The route of a request, among those at its path. */
export const routeFor = (request: HttpRequest, pathRoutes: readonly Route[]): Route | undefined =>
  pathRoutes.find(({ method }) => method === methodOf(request));

/** The parts of the interface that a host can leave out. */
type OptionalParts = {
  readonly hasBulkExport: boolean;
  readonly hasGroupExport: boolean;
  readonly hasEvents: boolean;
};

/** Creates the function that finds the target of a URL. */
export const createFindTarget =
  (basePath: string, routes: RouteTable, { hasBulkExport, hasGroupExport, hasEvents }: OptionalParts) =>
  (url: string): RequestTarget => {
    const { path, query } = splitUrl(url);
    const resourcePath = parseResourcePath(path, basePath, routes.hasParticipants);
    const pathRoutes = resourcePath === null ? [] : routes.find(resourcePath);
    const parsed = hasBulkExport ? parseExportPath(path, basePath) : null;
    const exportPath = parsed?.groupId === '' || hasGroupExport ? parsed : null;
    const isEventStream = hasEvents && path === `${basePath}/events`;
    const isUnsupported = pathRoutes.length === 0 && isInteractionPath(path, basePath, routes.serves);
    return { path, query, resourcePath, pathRoutes, isUnsupported, exportPath, isEventStream };
  };

/** The address of the client of `node:http`; null for other servers. */
const addressOf = ({ source }: HttpRequest): string | null => {
  const { socket } = (source ?? {}) as { readonly socket?: { readonly remoteAddress?: unknown } };
  return typeof socket?.remoteAddress === 'string' ? socket.remoteAddress : null;
};

export const createRequestContext = (
  request: HttpRequest,
  {
    requestId,
    target,
    isReported,
  }: Pick<RequestContext, 'requestId' | 'target'> & { readonly isReported: boolean },
): RequestContext => ({
  requestId,
  target,
  // A connection that is closed has no address any more.
  address: isReported ? addressOf(request) : null,
  principal: null,
  form: '',
  errorMediaType: mediaTypes[0],
  error: null,
  isPublic: false,
  returned: isReported ? [] : null,
  deniedPatientIds: [],
  mayBeWritten: false,
});

const writtenTemplateOf = ({ type, level }: Pick<Route, 'type' | 'level'>): string => {
  switch (level) {
    case 'type':
      return `/${type}`;
    case 'search':
      return `/${type}/_search`;
    case 'chart':
      return `/Patient/{id}/${type}`;
    case 'instance':
      return `/${type}/{id}`;
    case 'everything':
      return `/${type}/{id}/$everything`;
    case 'history':
      return `/${type}/{id}/_history`;
    case 'version':
      return `/${type}/{id}/_history/{version}`;
    case 'commands':
      return '/commands';
    case 'commandsOf':
      return '/commands/{resourceType}/{id}';
    case 'participant':
      return `/commands/${type}/{id}`;
    case 'correctionsOf':
      return '/corrections/{resourceType}/{id}';
    case 'move':
    case 'merge':
      return `/corrections/${level}`;
    case 'command':
      return '/commands/{resourceType}/{id}/{index}';
    default:
      return `/commands/{resourceType}/{id}/{index}/${level}`;
  }
};

/** The path of a route below the base path, in the template form of OpenAPI. */
export const pathTemplateOf = (route: Pick<Route, 'type' | 'level' | 'isValidation'>): string =>
  writtenTemplateOf(route) + (route.isValidation ? '/$validate' : '');

/** Creates the function that finds the template of a target; undefined if nothing is served there. */
export const createTemplateAt =
  (basePath: string, documents: ReadonlyMap<string, unknown>) =>
  ({ path, pathRoutes, exportPath, isEventStream }: RequestTarget): string | undefined => {
    if (exportPath !== null) return basePath + exportPath.template;
    const route = pathRoutes[0];
    if (route !== undefined) return basePath + pathTemplateOf(route);
    return isEventStream || documents.has(path) ? path : undefined;
  };

/** An id that can be in a log as it is: letters, digits and punctuation of UUIDs, of trace ids and of proxies. */
const requestIdPattern = /^[\w.:-]{1,64}$/;

/**
 * The id of a request: that of the client, or of the proxy, if it has the pattern, and otherwise a new UUID. Source: FHIR
 * R4, RESTful API, "Custom Headers".
 */
export const requestIdOf = (request: HttpRequest): string => {
  const sent = headerOf(request, 'x-request-id');
  return sent !== undefined && requestIdPattern.test(sent) ? sent : crypto.randomUUID();
};
