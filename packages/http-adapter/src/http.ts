import type { Agent, PreferredHandling } from '@clinical-records/core/adapter';

/** A request as plain values, with the names of headers in lower case. */
export type HttpRequest = {
  /** The method in upper case, such as `GET`. */
  readonly method: string;
  /** The path with its query string, or a whole URL. */
  readonly url: string;
  /** The headers by their names in lower case. A header that was sent several times may have several values. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /**
   * The body as bytes, as text, or as a function that reads it. The function is called each time that the body is
   * needed. It may stop reading after more than the handler's `bodyLimit`. An `Error` says why the host cannot provide
   * the body. A request that needs the body is then a 500.
   */
  readonly body?: Uint8Array | string | Error | (() => Promise<Uint8Array | Error>) | undefined;
  /**
   * The original request of the server: the message of `node:http`, the `Request` of Express, or the web's `Request`.
   * It is for the host's `authenticate` and `authenticateSession`, for example to read `request.session`.
   */
  readonly source?: unknown;
  /**
   * The software that sends the request for its user, if the principal names none: no client can set it. Such a request needs a token
   * for the descriptions, too.
   */
  readonly agent?: Agent | undefined;
};

/** The body of a response in pieces. A binding calls `next` until it is done, or `return` to end it earlier. */
export type ResponseStream = {
  /** The next piece, once there is one. */
  readonly next: () => Promise<IteratorResult<string, void>>;
  /** Ends the stream, for example because the client has disconnected. */
  readonly return: () => Promise<void>;
};

/** A response as plain values. */
export type HttpResponse = {
  /** The status code, such as 200. */
  readonly status: number;
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as text; empty if there is none. */
  readonly body: string;
  /** The body in pieces, in place of `body`, for a response that goes on for a long time. */
  readonly stream?: ResponseStream;
  /**
   * The template of the path, such as `/fhir/Goal/{id}`, for logs and metrics: it names no patient. It is not sent.
   * Undefined if nothing is served at the path.
   */
  readonly route?: string | undefined;
};

/**
 * The interface as a function. Every error is a response. It rejects only if the function that reads the body rejects,
 * because then there is no client to respond to.
 */
export type HttpHandler = ((request: HttpRequest) => Promise<HttpResponse>) & {
  /** The largest body, in bytes, that is read. */
  readonly bodyLimit: number;
};

/** The value of a header. If it was sent several times, its values are joined to a list. */
export const headerOf = ({ headers }: HttpRequest, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
};

/**
 * The value of a header that allows only one. If it was sent several times, this is the first value, as in node:http.
 * The web's `Headers` join values with a comma, which a date also has after its weekday.
 */
export const firstHeaderOf = (request: HttpRequest, name: string): string | undefined =>
  headerOf(request, name)?.replace(/, (?<!^[A-Za-z]+, ).*$/s, '');

/** The bearer token of a request, or null. Source: RFC 6750, 2.1. */
export const tokenOf = (request: HttpRequest): string | null =>
  /^Bearer +(\S+)$/i.exec(headerOf(request, 'authorization') ?? '')?.[1] ?? null;

/**
 * Whether a request has two Authorization headers. A proxy may have checked one of them, and this server the other. The
 * web's `Headers` join them with a comma, after which another scheme begins. Source: RFC 9110, 11.4 and 11.6.2.
 */
export const hasTwoAuthorizations = (request: HttpRequest): boolean => {
  const sent = request.headers.authorization;
  return typeof sent === 'string' ? /, *[a-z][\w-]* +\S/i.test(sent) : sent !== undefined && sent.length > 1;
};

/** The most parameters of a query or a form. A search has at most 20, not counting those for its page. */
const maxParameters = 100;

/** The most characters of a query or a form: enough for 500 references with ids of the greatest length. */
const maxParameterText = 64 * 1024;

/** Whether a query or a form is too long to be parsed. It is decided before anything is parsed. */
export const hasTooManyParameters = (text: string): boolean => {
  if (text.length > maxParameterText) return true;
  let end = -1;
  for (let count = 0; count < maxParameters; count += 1) {
    end = text.indexOf('&', end + 1);
    if (end === -1) return false;
  }
  return true;
};

/** The preferences of a `Prefer` header. Source: FHIR R4, RESTful API, 3.1.0.1.6 and 3.1.1.1; RFC 7240, 2. */
export type Preference = {
  readonly handling: PreferredHandling | undefined;
  readonly returns: WriteReturn | undefined;
};

/** The response to a write that a client prefers: with the resource, or as small as possible. */
export type PreferredReturn = (typeof preferredReturns)[number];

export const preferredReturns = ['minimal', 'representation'] as const;

/** The same, or with an OperationOutcome. */
export type WriteReturn = PreferredReturn | 'OperationOutcome';

const noPreference: Preference = { handling: undefined, returns: undefined };

export const parsePreference = (prefer: string | undefined): Preference => {
  if (prefer === undefined) return noPreference;
  const tokens = prefer.split(/[,;]/).map((token) => token.replaceAll(/[\s"]/g, '').toLowerCase());
  const first = (name: string) => tokens.find((token) => token.startsWith(`${name}=`));
  const preferred = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => first(name) === `${name}=${value.toLowerCase()}`);
  return {
    handling: preferred('handling', ['strict', 'lenient']),
    returns: preferred('return', [...preferredReturns, 'OperationOutcome']),
  };
};

const entityTag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;

/** A list of entity tags, in which empty elements are ignored. Source: RFC 9110, 5.6.1.2 and 8.8.3. */
const entityTags = new RegExp(`^[ \\t,]*${entityTag}(?:[ \\t]*,[ \\t,]*${entityTag})*[ \\t,]*$`);

/**
 * The versions that a list of entity tags names: undefined for any version, null if it is malformed. Source: RFC 9110,
 * 13.1.1 and 13.1.2; FHIR R4, RESTful API, 3.1.0.5, whose ETags are weak. A strong ETag counts as the same.
 */
export const parseEntityTags = (tags: string): readonly number[] | null | undefined => {
  if (tags.trim() === '*') return undefined;
  if (!entityTags.test(tags)) return null;
  return Array.from(tags.matchAll(/"([1-9]\d{0,14})"/g), ([, version]) => Number(version));
};

/** Whether the client has a version already, by its `If-None-Match`. A malformed one counts as none. */
export const hasVersion = (request: HttpRequest, version: number): boolean => {
  const ifNoneMatch = headerOf(request, 'if-none-match');
  if (ifNoneMatch === undefined) return false;
  const versions = parseEntityTags(ifNoneMatch);
  return versions === undefined || versions?.includes(version) === true;
};

/** The media types of requests and responses. The first one is used if a request leaves the choice open. */
export const mediaTypes = ['application/json', 'application/fhir+json'] as const;

export type MediaType = (typeof mediaTypes)[number];

type MediaRange = { readonly type: string; readonly parameters: ReadonlyMap<string, string> };

const parseMediaRange = (text: string): MediaRange => {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim());
  return {
    type: type.toLowerCase(),
    parameters: new Map(
      parameters.map((parameter) => {
        const [name = '', value = ''] = parameter.split('=');
        return [
          name.trim().toLowerCase(),
          value
            .trim()
            .replace(/^"(.*)"$/, '$1')
            .toLowerCase(),
        ];
      }),
    ),
  };
};

/** The names of the version of FHIR that is served, R4. */
const fhirVersions: readonly string[] = ['4.0', '4.0.1'];

/** Whether a media type is of the version of FHIR that is served, if it names one. Source: FHIR R4, RESTful API, "FHIR Version Parameter". */
const isOfServedVersion = ({ parameters }: MediaRange): boolean => {
  const version = parameters.get('fhirversion');
  return version === undefined || fhirVersions.includes(version);
};

const qualityOf = ({ parameters }: MediaRange): number => Number(parameters.get('q') ?? 1);

/** The preference for a media type: the quality of the most specific range that covers it, or 0. */
const qualityFor = (ranges: readonly MediaRange[], mediaType: MediaType): number => {
  const covering = [mediaType, 'application/*', '*/*'].flatMap(
    (wanted) => ranges.find(({ type }) => type === wanted) ?? [],
  );
  return covering[0] === undefined ? 0 : qualityOf(covering[0]);
};

/** The media type that is preferred among some ranges; null if none is served. Source: RFC 9110, 12.5.1. */
const preferredType = (accepted: string): MediaType | null => {
  if (['', '*/*', 'application/json'].includes(accepted.trim())) return mediaTypes[0];
  const ranges = accepted.split(',').map(parseMediaRange).filter(isOfServedVersion);
  const [first, second] = mediaTypes;
  const best = qualityFor(ranges, second) > qualityFor(ranges, first) ? second : first;
  return qualityFor(ranges, best) > 0 ? best : null;
};

/**
 * The media type that `_format` in a query asks for: it has the form of `Accept`, or is `json`. Undefined without it, and null if
 * it is not served. Source: FHIR R4, RESTful API, 3.1.0.1.11.
 */
export const requestedFormat = (query: string): MediaType | null | undefined => {
  if (!query.includes('_format=') || hasTooManyParameters(query)) return undefined;
  const format = new URLSearchParams(query).get('_format')?.trim().toLowerCase();
  if (!format) return undefined;
  // An unescaped plus sign in a query is a space.
  return format === 'json' ? mediaTypes[0] : preferredType(format.replaceAll('/fhir ', '/fhir+'));
};

/** The media type of the response; null if none is acceptable. `_format` has precedence. */
export const negotiateMediaType = (accept: string | undefined, query = ''): MediaType | null => {
  const requested = requestedFormat(query);
  return requested === undefined ? preferredType(accept ?? '') : requested;
};

const bodyTypes: Readonly<Record<'json' | 'form', readonly string[]>> = {
  json: mediaTypes,
  form: ['application/x-www-form-urlencoded'],
};

/** Whether a body has the format that a route accepts. A body without a type is assumed to have it. */
export const isSupportedBody = (
  format: 'json' | 'form',
  contentType: string | undefined,
  contentEncoding = '',
): boolean => {
  if (!/^(identity)?$/i.test(contentEncoding)) return false;
  if (contentType === undefined || contentType === bodyTypes[format][0]) return true;
  const sent = parseMediaRange(contentType);
  const isUtf8 = (sent.parameters.get('charset') ?? 'utf-8') === 'utf-8';
  return bodyTypes[format].includes(sent.type) && isUtf8 && isOfServedVersion(sent);
};
