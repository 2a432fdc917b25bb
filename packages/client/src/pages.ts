import { type CallOptions, type ClientRequest, readOnly, type Send } from './send.ts';
import type { Page } from './types.ts';

type BundleEntry = {
  readonly resource?: { readonly resourceType: string; readonly id?: string };
  readonly search?: { readonly mode?: string };
};

type Bundle = {
  readonly total?: number;
  readonly link?: readonly { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly BundleEntry[];
  readonly commands?: readonly unknown[];
};

/** The parameters of a search as they are sent. An undefined one is sent as an empty text, which the server refuses. */
export const parametersOf = (parameters: object): URLSearchParams =>
  Symbol.iterator in parameters
    ? new URLSearchParams(parameters as URLSearchParams)
    : new URLSearchParams(
        Object.entries(parameters).flatMap(([name, value]) =>
          [value].flat().map((one): [string, string] => [name, `${one ?? ''}`]),
        ),
      );

/** The same with pages as large as the server allows, unless they have a size. */
export const inLargePages = (parameters: object): URLSearchParams => {
  const sent = parametersOf(parameters);
  if (!sent.has('_count')) sent.set('_count', '100');
  return sent;
};

/** A search, and the request of one of its pages. */
export type PageRequest = CallOptions & {
  readonly path: string;
  readonly parameters: URLSearchParams;
  /** Whether the parameters are sent in a form, so that no URL has them. */
  readonly isForm?: boolean | undefined;
};

const requestOf = ({ path, parameters, isForm, signal }: PageRequest): ClientRequest =>
  isForm
    ? { method: 'POST', path: `${path}/_search`, body: parameters, ...readOnly, signal }
    : {
        method: 'GET',
        path: `${path}${parameters.size === 0 ? '' : `?${parameters}`}`,
        ...readOnly,
        signal,
      };

/** Reads a page of a search, of a history or of commands. */
export const readPage = async <Resource>(send: Send, request: PageRequest): Promise<Page<Resource>> => {
  const { content } = await send(requestOf(request), (response) => response.json() as Promise<Bundle>);
  const { total, link = [], entry = [], commands } = content;
  const resourcesOf = (mode: string) =>
    entry.flatMap(({ resource, search }) => ((search?.mode ?? 'match') === mode ? (resource ?? []) : []));
  const next = link.find(({ relation }) => relation === 'next')?.url;
  return {
    total,
    resources: (commands ?? resourcesOf('match')) as readonly Resource[],
    included: resourcesOf('include'),
    // Whatever name the server has for itself, the next request goes to the same place.
    next: next === undefined ? null : new URLSearchParams(next.slice(next.indexOf('?'))),
  };
};

/** Yields the pages of a search. */
export async function* readPages<Resource>(
  send: Send,
  request: PageRequest,
): AsyncGenerator<Page<Resource>, void> {
  let parameters: URLSearchParams | null = request.parameters;
  while (parameters !== null) {
    const page: Page<Resource> = await readPage(send, { ...request, parameters });
    yield page;
    parameters = page.next;
  }
}

/** Yields what a search finds, page after page. */
export async function* readAll<Resource>(send: Send, request: PageRequest): AsyncGenerator<Resource, void> {
  for await (const { resources } of readPages<Resource>(send, request)) yield* resources;
}
