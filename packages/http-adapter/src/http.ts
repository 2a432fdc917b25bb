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
