import { record } from '../data/clinic.ts';
import { serving } from './serving.ts';

const text = JSON.stringify(record(0));
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };

/** The floor under every server of node:http: one fixed answer. */
serving((_, response) => {
  response.writeHead(200, headers).end(text);
});
