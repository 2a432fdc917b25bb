/** A request as plain values. Names of headers are in lower case. */
export type HttpRequest = {
  readonly method: string;
  /** The path with its query string, or a whole URL. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /**
   * Bytes, a text, or a function that reads them: it is called when the body is wanted, each time anew, and need not read
   * on once there is more than the handler's `bodyLimit`. An `Error` says why the host cannot give the body that there is:
   * what needs it is then a 500.
   */
  readonly body?: Uint8Array | string | Error | (() => Promise<Uint8Array | Error>) | undefined;
  /**
   * What the server gave: the message of `node:http`, which is the `Request` of Express, or the web's `Request`. It is for
   * `authenticate` and `authenticateSession` of the host, such as for `request.session`.
   */
  readonly source?: unknown;
};

/** A response as plain values. */
export type HttpResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/**
 * The interface as a function. What goes wrong is a response: it rejects only where what reads the body does, for then
 * nobody is left to answer.
 */
export type HttpHandler = ((request: HttpRequest) => Promise<HttpResponse>) & {
  /** The largest body, in bytes, that is looked at. */
  readonly bodyLimit: number;
};

/** One header; where it was sent several times, its values as one list. */
export const headerOf = ({ headers }: HttpRequest, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
};

/**
 * A header that has one value; where it was sent several times, the first, as node:http has it. The web's `Headers` join
 * them by a comma, which stands in a date after its weekday, too.
 */
export const firstHeaderOf = (request: HttpRequest, name: string): string | undefined =>
  headerOf(request, name)?.replace(/, (?<!^[A-Za-z]+, ).*$/s, '');
