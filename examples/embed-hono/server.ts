import { serve } from '@hono/node-server';
import { openClinic } from '../clinic/clinic.ts';
import { createApp } from './app.ts';

const { PORT = '3000', FILE = 'embed-hono.db' } = process.env;

const { fetch } = createApp(await openClinic(FILE));
serve({ fetch, port: Number(PORT), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`Clinic at http://127.0.0.1:${port}`);
});
