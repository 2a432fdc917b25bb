import { toFetch } from '@clinical-records/http-adapter';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { handler } from './records.mjs';

const fetch = toFetch(handler);
const app = new Hono();
app.all('/fhir/*', (context) => fetch(context.req.raw));
export const listen = (port) => serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
