import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitConnections } from '@clinical-records/http-adapter';
import { createAdaptorServer } from '@hono/node-server';
import { openClinic } from '../clinic/clinic.ts';
import { createApp } from './app.ts';

const { PORT = '3000', FILE = 'embed-hono.db' } = process.env;

const { fetch } = createApp(await openClinic(FILE));
const server = limitConnections(createAdaptorServer({ fetch }) as Server);
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Clinic at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
