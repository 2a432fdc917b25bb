import { writeFileSync } from 'node:fs';
import { handler } from './records.mjs';

const { body } = await handler({ method: 'GET', url: '/fhir/openapi.json', headers: {} });
writeFileSync('openapi.json', body);
