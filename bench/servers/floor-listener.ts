import { randomUUIDv7 } from 'node:crypto';
import type { RequestListener, ServerResponse } from 'node:http';
import { readBody } from './read-body.ts';

/** A row of a floor's only table. Its place in the table is its place in the feed. */
export type FloorRow = {
  readonly type: string;
  readonly id: string;
  readonly patient: string | null;
  readonly resource: string;
};

/** Each function calls back when it is done. */
export type Floor = {
  readonly read: (type: string, id: string, done: (resource: string) => void) => void;
  /** Finds the records of a patient, at most `count`, in the order of their creation. */
  readonly search: (
    search: { readonly type: string; readonly patient: string; readonly count: number },
    done: (resources: readonly string[]) => void,
  ) => void;
  /** Is done when the row is durable. */
  readonly create: (row: FloorRow, done: () => void) => void;
};

const send = (response: ServerResponse, text: string, status = 200): void => {
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
};

const formatBundle = (path: string, resources: readonly string[]): string => {
  const link = ['self', 'first', 'last'].map((relation) => ({ relation, url: `${path}&_offset=0` }));
  const entry = resources.map((text) => `{"resource":${text},"search":{"mode":"match"}}`).join();
  return `{"resourceType":"Bundle","type":"searchset","total":${resources.length},"link":${JSON.stringify(link)},"entry":[${entry}]}`;
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
    const [path = '', query] = (request.url ?? '').slice('/fhir/'.length).split('?');
    if (request.method === 'POST') {
      readBody(request, (body) => create(rowOf(body), () => send(response, 'null', 201)));
    } else if (query === undefined) {
      const [type = '', id = ''] = path.split('/');
      read(type, id, (resource) => send(response, resource));
    } else {
      const parameters = new URLSearchParams(query);
      const patient = parameters.get('patient')?.slice('Patient/'.length) ?? '';
      search({ type: path, patient, count: Number(parameters.get('_count')) }, (resources) =>
        send(response, formatBundle(`${path}?${query}`, resources)),
      );
    }
  };
