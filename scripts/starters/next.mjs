import { createServer } from 'node:http';
import next from 'next';

// Serves the built app, whose route handler is in app/fhir.
const app = next({ dev: false });
await app.prepare();
export const listen = (port) => createServer(app.getRequestHandler()).listen(port, '127.0.0.1');
