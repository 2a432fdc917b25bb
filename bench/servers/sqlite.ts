import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { openFloor, prepareInsert } from '../data/floor-database.ts';
import { readBody } from './read-body.ts';
import { serveListener } from './serve-listener.ts';

const [filename = '', commits = 'together'] = process.argv.slice(2);

const database = openFloor(filename);
const read = database.prepare('select resource from resources where type = ? and id = ?').pluck();
const search = database
  .prepare('select resource from resources where patient = ? and type = ? order by position limit ?')
  .pluck();
const insert = prepareInsert(database);

const send = (response: ServerResponse, text: string, status = 200): void => {
  response
    .writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    .end(text);
};

const bundle = (path: string, found: readonly string[]): string => {
  const link = ['self', 'first', 'last'].map((relation) => ({ relation, url: `${path}&_offset=0` }));
  const entry = found.map((text) => `{"resource":${text}}`).join();
  return `{"resourceType":"Bundle","type":"searchset","total":${found.length},"link":${JSON.stringify(link)},"entry":[${entry}]}`;
};

type PendingPost = { readonly body: string; readonly respond: () => void };

const write = ({ body }: PendingPost): void => {
  const sent = JSON.parse(body) as { patient: { reference: string } };
  const id = randomUUID();
  insert.run(
    'Immunization',
    id,
    sent.patient.reference.slice('Patient/'.length),
    JSON.stringify({ ...sent, id }),
  );
};
const writeAll = database.transaction((posted: readonly PendingPost[]) => posted.forEach(write));

let waiting: PendingPost[] = [];
const flush = (): void => {
  const batch = waiting;
  waiting = [];
  writeAll(batch);
  for (const { respond } of batch) respond();
};

const accept = (posted: PendingPost): void => {
  if (commits === 'each') {
    write(posted);
    posted.respond();
  } else if (waiting.push(posted) === 1) setImmediate(flush);
};

/** The floor of a store on SQLite: one prepared statement for each request, which returns the stored text. */
serveListener((request, response) => {
  const [path = '', query] = (request.url ?? '').slice('/fhir/'.length).split('?');
  if (request.method === 'POST') {
    readBody(request, (body) => accept({ body, respond: () => send(response, 'null', 201) }));
  } else if (query === undefined) {
    const [type, id] = path.split('/');
    send(response, read.get(type, id) as string);
  } else {
    const parameters = new URLSearchParams(query);
    const patient = parameters.get('patient')?.slice('Patient/'.length);
    const found = search.all(patient, path, Number(parameters.get('_count')));
    send(response, bundle(`${path}?${query}`, found as string[]));
  }
});
