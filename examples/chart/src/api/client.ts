import type { OperationOutcome } from '@clinical-records/http-adapter';
import type { ValidationOutcome } from '../model/outcome.ts';
import type { Bundle } from '../model/resources.ts';
import { request } from './request.ts';
import type { Session } from './session.ts';

/** A response that says that a request failed. */
export class RequestError extends Error {
  readonly status: number;
  readonly outcome: OperationOutcome;

  constructor(status: number, outcome: OperationOutcome) {
    super(outcome.issue[0]?.diagnostics ?? `The server responded with ${status}.`);
    this.status = status;
    this.outcome = outcome;
  }
}

/** A resource, and its version for `If-Match`. */
export type Loaded<Resource> = { readonly resource: Resource; readonly etag: string };

type Sent = {
  readonly body?: unknown;
  readonly ifMatch?: string;
  readonly prefer?: string;
  readonly retryKey?: string;
  readonly signal?: AbortSignal;
};

/** The interface, as the user who signed in may use it. */
export type Client = {
  readonly read: <Resource>(path: string) => Promise<Loaded<Resource>>;
  /** All matches of a search, page after page. */
  readonly searchAll: <Resource>(
    type: string,
    parameters: Record<string, string>,
  ) => Promise<readonly Resource[]>;
  /** The first page of a search whose parameters are in no URL. */
  readonly searchByForm: <Resource>(
    type: string,
    parameters: Record<string, string>,
    signal?: AbortSignal,
  ) => Promise<Bundle<Resource>>;
  readonly history: <Resource>(path: string) => Promise<readonly Resource[]>;
  /** Creates a resource, and returns what the server makes of it. */
  readonly create: <Resource>(type: string, sent: Sent) => Promise<Loaded<Resource>>;
  /** Asks what a write at a path would be refused for, or be warned of. Nothing is written. */
  readonly validate: (path: string, body: unknown) => Promise<ValidationOutcome>;
  readonly write: (method: 'POST' | 'PUT', path: string, sent: Sent) => Promise<Response>;
  /** Opens a stream of events, which ends with the signal. */
  readonly stream: (path: string, signal: AbortSignal) => Promise<Response>;
};

const noOutcome: OperationOutcome = { resourceType: 'OperationOutcome', issue: [] };

const outcomeOf = async (response: Response): Promise<OperationOutcome> => {
  try {
    const body: unknown = await response.json();
    return (body as OperationOutcome | null)?.resourceType === 'OperationOutcome'
      ? (body as OperationOutcome)
      : noOutcome;
  } catch {
    return noOutcome;
  }
};

const contentOf = async <Content>(response: Response): Promise<Content> => (await response.json()) as Content;

const loadedFrom = async <Resource>(response: Response): Promise<Loaded<Resource>> => ({
  resource: await contentOf(response),
  etag: response.headers.get('etag') ?? '',
});

/**
 * Creates the client of a session. A token is sent as a header, never in a URL. The cookie of the demo is sent by the browser,
 * and a header says whose it has to be. `onSignedOut` is called once the server no longer knows the user.
 */
export const createClient = ({
  basePath,
  session,
  onSignedOut,
}: {
  readonly basePath: string;
  readonly session: Session;
  readonly onSignedOut: () => void;
}): Client => {
  const send = async (method: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    headers.set('accept', headers.get('accept') ?? 'application/fhir+json');
    if (session.kind === 'token') headers.set('authorization', `Bearer ${session.token}`);
    else headers.set('demo-user', session.user.id);
    const response = await request(`${basePath}/${path}`, { ...init, method, headers });
    if (response.ok) return response;
    if (response.status === 401) onSignedOut();
    throw new RequestError(response.status, await outcomeOf(response));
  };

  const bundle = async <Resource>(path: string): Promise<readonly Resource[]> => {
    const resources: Resource[] = [];
    let next: string | undefined = path;
    while (next !== undefined) {
      const page: Bundle<Resource> = await contentOf(await send('GET', next));
      for (const { resource } of page.entry ?? []) resources.push(resource);
      const link: string | undefined = page.link?.find(({ relation }) => relation === 'next')?.url;
      // Only the query: whatever name the server has for itself, the request goes to this origin.
      next = link === undefined ? undefined : `${path.split('?')[0]}?${link.split('?')[1]}`;
    }
    return resources;
  };

  const write: Client['write'] = (method, path, { body, ifMatch, prefer, retryKey }) =>
    send(method, path, {
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/fhir+json',
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(prefer !== undefined && { prefer }),
        ...(retryKey !== undefined && { 'idempotency-key': retryKey }),
      },
    });

  return {
    read: async (path) => loadedFrom(await send('GET', path)),
    create: async (type, sent) =>
      loadedFrom(await write('POST', type, { ...sent, prefer: 'return=representation' })),
    write,
    validate: async (path, body) => contentOf(await write('POST', `${path}/$validate`, { body })),
    searchAll: (type, parameters) =>
      bundle(`${type}?${new URLSearchParams({ ...parameters, _count: '100' })}`),
    searchByForm: async (type, parameters, signal) => {
      const body = new URLSearchParams(parameters);
      const response = await send('POST', `${type}/_search`, { body, ...(signal && { signal }) });
      return contentOf(response);
    },
    history: (path) => bundle(`${path}/_history?_count=100`),
    stream: (path, signal) => send('GET', path, { headers: { accept: 'text/event-stream' }, signal }),
  };
};
