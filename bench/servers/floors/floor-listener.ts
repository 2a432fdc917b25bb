import { randomUUIDv7 } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { readBody } from './read-body.ts';

/** A row of a floor's only table. Its place in the table is its place in the feed. */
export type FloorRow = {
  readonly type: string;
  readonly id: string;
  readonly patient: string | null;
  readonly resource: string;
};

/** Reads of a floor. Each function calls back when it is done. */
export type FloorReads<Row> = {
  readonly read: (type: string, id: string, done: (row: Row) => void) => void;
  /** Finds the records of a patient, at most `count`, in the order of their creation. */
  readonly search: (
    search: { readonly type: string; readonly patient: string; readonly count: number },
    done: (rows: readonly Row[]) => void,
  ) => void;
};

/** A floor whose rows are the texts that it returns. */
export type Floor = FloorReads<string> & {
  /** Is done when the row is durable. */
  readonly create: (row: FloorRow, done: () => void) => void;
};

/** The work of a server for each request, beside passing texts on. */
export type Duties<Row> = {
  readonly admits: (request: IncomingMessage) => boolean;
  /** The headers of a response, for a row or for a bundle. */
  readonly headersOf: (request: IncomingMessage, row: Row | null) => OutgoingHttpHeaders;
  readonly textOf: (type: string, row: Row) => string;
};

type Content = { readonly text: string; readonly status?: number; readonly headers?: OutgoingHttpHeaders };

export const send = (response: ServerResponse, { text, status = 200, headers }: Content): void => {
  response
    .writeHead(status, {
      ...headers,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    })
    .end(text);
};

const formatBundle = (path: string, resources: readonly string[]): string => {
  const link = ['self', 'first', 'last'].map((relation) => ({ relation, url: `${path}&_offset=0` }));
  const entry = resources.map((text) => `{"resource":${text},"search":{"mode":"match"}}`).join();
  return `{"resourceType":"Bundle","type":"searchset","total":${resources.length},"link":${JSON.stringify(link)},"entry":[${entry}]}`;
};

type Target = { readonly path: string; readonly query: string | undefined };

const targetOf = ({ url = '' }: IncomingMessage): Target => {
  const [path = '', query] = url.slice('/fhir/'.length).split('?');
  return { path, query };
};

const searchOf = ({ path, query }: Target) => {
  const parameters = new URLSearchParams(query);
  const patient = parameters.get('patient')?.slice('Patient/'.length) ?? '';
  return { type: path, patient, count: Number(parameters.get('_count')) };
};

const rowOf = (body: string): FloorRow => {
  const sent = JSON.parse(body) as { readonly patient: { readonly reference: string } };
  // So ids that are made one after the other are neighbours in an index.
  const id = randomUUIDv7();
  const patient = sent.patient.reference.slice('Patient/'.length);
  return { type: 'Immunization', id, patient, resource: JSON.stringify({ ...sent, id }) };
};

/** The HTTP of every floor: it passes stored texts on, and checks nothing. */
export const createFloorListener =
  ({ read, search, create }: Floor): RequestListener =>
  (request, response) => {
    const target = targetOf(request);
    const { path, query } = target;
    if (request.method === 'POST') {
      readBody(request, (body) => create(rowOf(body), () => send(response, { text: 'null', status: 201 })));
    } else if (query === undefined) {
      const [type = '', id = ''] = path.split('/');
      read(type, id, (text) => send(response, { text }));
    } else {
      search(searchOf(target), (texts) => send(response, { text: formatBundle(`${path}?${query}`, texts) }));
    }
  };

/** The HTTP of a floor that only reads, and has the duties of each response. */
export const createDutifulListener =
  <Row>({ read, search }: FloorReads<Row>, { admits, headersOf, textOf }: Duties<Row>): RequestListener =>
  (request, response) => {
    if (!admits(request)) {
      send(response, { text: 'null', status: 401 });
      return;
    }
    const target = targetOf(request);
    const { path, query } = target;
    if (query === undefined) {
      const [type = '', id = ''] = path.split('/');
      read(type, id, (row) => send(response, { text: textOf(type, row), headers: headersOf(request, row) }));
    } else {
      search(searchOf(target), (rows) => {
        const texts = rows.map((row) => textOf(path, row));
        send(response, { text: formatBundle(`${path}?${query}`, texts), headers: headersOf(request, null) });
      });
    }
  };
