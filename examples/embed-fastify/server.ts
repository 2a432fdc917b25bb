import { limitConnections } from '@clinical-records/http-adapter';
import { openClinic } from '../clinic/clinic.ts';
import { createApp } from './app.ts';

const { PORT = '3000', FILE = 'embed-fastify.db' } = process.env;

const app = createApp(await openClinic(FILE));
limitConnections(app.server);
console.log(`Clinic at ${await app.listen({ port: Number(PORT), host: '127.0.0.1' })}`);
