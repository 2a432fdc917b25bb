import { type OutcomeIssue, RequestError } from './errors.ts';
import { type CallOptions, readAt, readOnly, type Send } from './send.ts';

/** The options of a write. */
export type WriteOptions = CallOptions & {
  /** Is called with the number of issues about which rules of the server warn. */
  readonly onWarnings?: ((count: number) => void) | undefined;
};

/** The options of a write that has one effect, however often it is sent. */
export type KeyOptions = WriteOptions & {
  /** Its `Idempotency-Key`. Keep it with what is to be sent, so that it outlives this page. Default: a random one. */
  readonly key?: string | undefined;
};

/** The options of a write that is refused if a resource has changed. */
export type VersionOptions = {
  /** The version of the resource that was read, its `meta.versionId`. */
  readonly version?: string | number | undefined;
};

const createKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

const etagOf = (version: string | number): string => `W/"${version}"`;

type Write = {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body?: unknown;
  /** Whether the server knows no key for it. It is then sent only once. */
  readonly isWithoutKey?: boolean;
};

/** Sends a write, and returns the resource that it made. */
export const write = async <Written>(
  send: Send,
  { method, path, body, isWithoutKey = false }: Write,
  { version, key, onWarnings, signal }: KeyOptions & VersionOptions,
): Promise<Written> => {
  const { headers, content } = await send(
    {
      ...{ method, path, body, signal },
      isWrite: true,
      isRepeatable: !isWithoutKey,
      headers: {
        prefer: 'return=representation',
        ...(method === 'POST' && !isWithoutKey && { 'idempotency-key': key ?? createKey() }),
        ...(version !== undefined && { 'if-match': etagOf(version) }),
      },
    },
    (response) => response.json() as Promise<Written>,
  );
  const warnings = Number(headers.get('x-warning-count') ?? 0);
  if (warnings > 0) onWarnings?.(warnings);
  return content;
};

/** The issues that the server would have with a write, and its warnings. Nothing is written. */
export const validate = async (
  send: Send,
  { path, body }: Pick<Write, 'path' | 'body'>,
  { signal }: CallOptions = {},
): Promise<readonly OutcomeIssue[]> => {
  const request = { method: 'POST', path: `${path}/$validate`, body, ...readOnly, signal } as const;
  const { content } = await send(
    request,
    (response) => response.json() as Promise<{ readonly issue: readonly OutcomeIssue[] }>,
  );
  return content.issue.filter(({ severity }) => severity !== 'information');
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether the entries of a list say what those of another one say, each of them for one, in any order. */
const saysEach = (values: readonly unknown[], wanted: readonly unknown[]): boolean => {
  const left = [...values];
  const takes = (one: unknown) => {
    const at = left.findIndex((value) => says(value, one));
    return at >= 0 && left.splice(at, 1).length > 0;
  };
  return values.length === wanted.length && wanted.every(takes);
};

/** Whether a value has all that another one says: the elements of an object, and the entries of a list. */
export const says = (value: unknown, wanted: unknown): boolean => {
  if (Array.isArray(wanted)) return Array.isArray(value) && saysEach(value, wanted);
  if (!isObject(wanted)) return value === wanted;
  return (
    isObject(value) &&
    Object.entries(wanted).every(([name, part]) => part === undefined || says(value[name], part))
  );
};

/** A resource that was read. */
export type ReadResource = {
  readonly resourceType: string;
  readonly id?: string;
  readonly meta?: { readonly versionId?: string };
};

type Provenances = {
  readonly entry?: readonly {
    readonly resource: {
      readonly target: readonly { readonly reference: string }[];
      readonly agent: readonly { readonly who: { readonly reference?: string } }[];
    };
  }[];
};

export const pathOf = (type: string, id: string): string => `${type}/${encodeURIComponent(id)}`;

/** The version after the one that was read, if it says what was sent, by the same author. */
const findOwnWrite = async (
  send: Send,
  { resourceType, id, meta }: ReadResource,
  { body, author, signal }: CallOptions & { readonly body: object; readonly author: string | undefined },
): Promise<ReadResource | null> => {
  const current = await readAt<ReadResource>(send, pathOf(resourceType, id ?? ''), { signal });
  const written = Number(meta?.versionId) + 1;
  if (current.meta?.versionId !== `${written}` || !says(current, body)) return null;
  if (author === undefined) return current;
  const name = `${resourceType}/${id}`;
  const search = `Provenance?${new URLSearchParams({ target: name })}`;
  const { entry = [] } = await readAt<Provenances>(send, search, { signal });
  const isByAuthor = entry.some(
    ({ resource }) =>
      resource.target.some(({ reference }) => reference === `${name}/_history/${written}`) &&
      resource.agent.some(({ who }) => who.reference === author),
  );
  return isByAuthor ? current : null;
};

/**
 * Replaces a resource that was read, unless it has changed since. A response that was lost is looked for: if the next version says
 * what was sent, it is the result.
 */
export const update = async (
  send: Send,
  read: ReadResource,
  body: object,
  { author, ...options }: WriteOptions & { readonly author: string | undefined },
): Promise<ReadResource> => {
  const { resourceType, id = '', meta } = read;
  const version = meta?.versionId;
  if (version === undefined)
    throw new TypeError('The resource has no meta.versionId: pass one that was read.');
  try {
    return await write<ReadResource>(
      send,
      { method: 'PUT', path: pathOf(resourceType, id), body },
      { ...options, version },
    );
  } catch (cause) {
    // Other refusals can be because of the same write, too: what was entered in error is not entered in error again.
    if (!(cause instanceof RequestError && cause.wasLost && [412, 422].includes(cause.status))) throw cause;
    const own = await findOwnWrite(send, read, { body, author, signal: options.signal });
    if (own === null) throw cause;
    return own;
  }
};
