import type { HttpRequest, HttpResponse } from '@clinical-records/http-adapter';

/** A file that a browser gets beside the interface. */
export type WebFile = {
  readonly type:
    | 'text/html'
    | 'text/css'
    | 'text/javascript'
    | 'application/json'
    | 'image/svg+xml'
    | 'text/plain';
  readonly caching: string;
  /** The sources from which a page with this text loads and runs. Default: none. */
  readonly policy?: (text: string) => readonly string[];
  readonly read: () => string | Promise<string>;
};

/** The files of a website, by their paths. The path of a request is never used as a path on disk. */
export type WebFiles = ReadonlyMap<string, WebFile>;

/** A file of this version of the server, which the next version may change. */
export const ownFile = (
  type: WebFile['type'],
  read: WebFile['read'],
  policy: readonly string[] = [],
): WebFile => ({
  ...{ type, caching: 'no-cache', read, policy: () => policy },
});

const closed = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"];

const notAllowed: HttpResponse = { status: 405, headers: { allow: 'GET, HEAD' }, body: '' };

/** No requests to other hosts are allowed. */
export const fileResponse = async (
  { type, caching, policy = () => [], read }: WebFile,
  { method }: HttpRequest,
): Promise<HttpResponse> => {
  if (method !== 'GET' && method !== 'HEAD') return notAllowed;
  const body = await read();
  return {
    status: 200,
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': caching,
      'content-security-policy': [...closed, ...policy(body)].join('; '),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
    body,
  };
};
