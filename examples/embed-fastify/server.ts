import { createApp } from './app.ts';
import { openClinic } from './clinic.ts';

const { PORT = '3000', FILE = 'embed-fastify.db' } = process.env;

const app = createApp(await openClinic(FILE));
console.log(`Clinic at ${await app.listen({ port: Number(PORT), host: '127.0.0.1' })}`);
