import { RequestError } from './errors.ts';
import { parametersOf, readAll } from './pages.ts';
import { type CallOptions, readOnly, type Send, wait } from './send.ts';

/** Something has changed in a chart. */
export type ChartChange =
  | {
      /** A resource has a new version. */
      readonly kind: 'version';
      readonly resourceType: string;
      readonly id: string;
      /** Undefined for a resource that the server does not version. */
      readonly version?: number;
    }
  | {
      /** Anything may have changed: read these types, or all. */
      readonly kind: 'read';
      /** Null for all types. */
      readonly types: readonly string[] | null;
    };

/** The options of `watch`. */
export type WatchOptions = CallOptions & {
  /** How often the chart is read if the server has no stream of events, in milliseconds. Default: 15 seconds. */
  readonly pollEvery?: number;
  /** The types that are read then. Default: those of clinical-records. */
  readonly types?: readonly string[];
};

/** Is called with each change. */
export type OnChange = (change: ChartChange) => void;

type ServerEvent = { readonly name: string; readonly data: string; readonly id: string | undefined };

const parseEvent = (block: string): ServerEvent => {
  const valuesOf = (wanted: string) =>
    block.split('\n').flatMap((line) => {
      const [, field, value = ''] = /^(event|data|id): ?(.*)$/.exec(line) ?? [];
      return field === wanted ? [value] : [];
    });
  return { name: valuesOf('event')[0] ?? '', data: valuesOf('data').join('\n'), id: valuesOf('id')[0] };
};

/** After so many milliseconds without a byte, a stream is dead: the server sends one each 15 seconds. */
const longestSilence = 45_000;

/**
 * Yields the events of a stream as they come, until it ends, is cut or is silent, or the signal comes.
 * Source: HTML Standard, "Server-sent events".
 */
async function* readEvents(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<ServerEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const end = () => void reader.cancel().catch(() => {});
  signal?.addEventListener('abort', end);
  let text = '';
  try {
    while (!signal?.aborted) {
      const timer = setTimeout(end, longestSilence);
      const { value } = await reader
        .read()
        .catch(() => ({ value: undefined }))
        .finally(() => clearTimeout(timer));
      if (value === undefined) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      yield* blocks.map(parseEvent);
    }
  } finally {
    signal?.removeEventListener('abort', end);
    end();
  }
}

const toChange = ({ name, data }: ServerEvent): ChartChange | null => {
  switch (name) {
    case 'version':
      return { kind: 'version', ...JSON.parse(data) };
    case 'open':
      return { kind: 'read', types: null };
    case 'resume': {
      const { readAgain = [] } = JSON.parse(data);
      return readAgain.length === 0 ? null : { kind: 'read', types: readAgain };
    }
    default:
      return null;
  }
};

const isNotServed = (cause: unknown): boolean =>
  cause instanceof RequestError && [404, 405].includes(cause.status);

/** Whether it is worth trying again later: the server was not reached, or cannot respond now. */
const isTemporary = (cause: unknown): boolean =>
  !(cause instanceof RequestError) || cause.status === 429 || cause.status >= 500;

const pauseBetweenStreams = 500;

type StreamOptions = CallOptions & { readonly patientId: string; readonly lastEventId: string | undefined };

/** The events after the last one, none if the server cannot respond now; null if it has no streams. */
const openStream = async (
  send: Send,
  { patientId, lastEventId, signal }: StreamOptions,
): Promise<AsyncIterable<ServerEvent> | readonly ServerEvent[] | null> => {
  const parameters = parametersOf({
    patient: patientId,
    ...(lastEventId !== undefined && { lastEventId }),
  });
  const headers = { accept: 'text/event-stream' };
  try {
    const { content } = await send(
      { method: 'GET', path: `events?${parameters}`, headers, ...readOnly, signal },
      ({ body }) => body,
    );
    return content === null ? [] : readEvents(content, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    if (isNotServed(cause)) return null;
    if (!isTemporary(cause)) throw cause;
    return [];
  }
};

/** Reports the events of one stream after another. Returns once the server has none. */
const followStreams = async (
  send: Send,
  patientId: string,
  { signal, onChange }: CallOptions & { readonly onChange: OnChange },
): Promise<void> => {
  let lastEventId: string | undefined;
  for (;;) {
    const events = await openStream(send, { patientId, lastEventId, signal });
    if (events === null) return;
    for await (const event of events) {
      const change = toChange(event);
      if (change !== null) onChange(change);
      lastEventId = event.id ?? lastEventId;
    }
    await wait(pauseBetweenStreams, signal);
  }
};

type ResourceVersion = {
  readonly resourceType: string;
  readonly id: string;
  readonly meta?: { readonly versionId?: string; readonly lastUpdated?: string };
};

const clinicalTypes = ['CareTeam', 'Goal', 'Immunization', 'ServiceRequest'];

/** Reads the chart again and again, and reports the versions that are new. */
const poll = async (
  send: Send,
  patientId: string,
  {
    signal,
    onChange,
    pollEvery = 15_000,
    types = clinicalTypes,
  }: WatchOptions & { readonly onChange: OnChange },
): Promise<void> => {
  const path = `Patient/${encodeURIComponent(patientId)}/$everything`;
  const versions = new Map<string, string>();
  let since: string | undefined;
  for (let isFirst = true; ; ) {
    const parameters = parametersOf({
      _type: types.join(','),
      ...(since !== undefined && { _since: since }),
    });
    const changes: ChartChange[] = [];
    let newest = since;
    try {
      for await (const { resourceType, id, meta } of readAll<ResourceVersion>(send, {
        path,
        parameters,
        signal,
      })) {
        const [name, { versionId = '', lastUpdated }] = [`${resourceType}/${id}`, meta ?? {}] as const;
        if (versions.get(name) === versionId) continue;
        versions.set(name, versionId);
        if (lastUpdated !== undefined && !(Date.parse(newest ?? '') > Date.parse(lastUpdated)))
          newest = lastUpdated;
        if (!isFirst) changes.push({ kind: 'version', resourceType, id, version: Number(versionId) });
      }
      if (isFirst) changes.push({ kind: 'read', types: null });
      isFirst = false;
      since = newest;
    } catch (cause) {
      signal?.throwIfAborted();
      if (!isTemporary(cause)) throw cause;
    }
    for (const change of changes) onChange(change);
    await wait(pollEvery, signal);
  }
};

/**
 * Reports the changes in a chart until the signal comes. At first, it asks to read the chart: what is read then misses nothing that
 * is reported later. Rejects with the error of a caller who may not see the chart, and with one that `onChange` throws.
 */
export const watchChart = async (
  send: Send,
  patientId: string,
  options: WatchOptions & { readonly onChange: OnChange },
): Promise<void> => {
  const { signal } = options;
  try {
    await followStreams(send, patientId, options);
    await poll(send, patientId, options);
  } catch (cause) {
    if (!signal?.aborted) throw cause;
  }
};
