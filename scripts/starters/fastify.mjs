import { toNodeListener } from '@clinical-records/http-adapter';
import Fastify from 'fastify';
import { handler } from './records.mjs';

const app = Fastify();
const listener = toNodeListener(handler);
app.removeAllContentTypeParsers();
app.addContentTypeParser('*', (_request, _payload, done) => done(null));
app.all('/fhir/*', (request, reply) => {
  reply.hijack();
  listener(request.raw, reply.raw);
});
export const listen = (port) => app.listen({ port, host: '127.0.0.1' });
