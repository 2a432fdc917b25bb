import { record } from '../../data/clinic.ts';
import { serveListener } from '../serve-listener.ts';

const text = JSON.stringify(record(0));
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };

/** The floor of every server of node:http: one fixed response. */
serveListener((_, response) => {
  response.writeHead(200, headers).end(text);
});
