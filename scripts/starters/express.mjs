import { toNodeListener } from '@clinical-records/http-adapter';
import express from 'express';
import { handler } from './records.mjs';

const app = express();
app.use('/fhir', toNodeListener(handler));
export const listen = (port) => app.listen(port, '127.0.0.1');
