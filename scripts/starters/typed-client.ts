import assert from 'node:assert/strict';
import { toFetch } from '@clinical-records/http-adapter';
import createClient from 'openapi-fetch';
import type { paths } from './clinic.d.ts';
import { handler } from './records.mjs';

// A page leaves out `fetch`, and sends its cookie instead of a token.
const clinic = createClient<paths>({
  baseUrl: 'http://127.0.0.1:3000/fhir',
  headers: { authorization: 'Bearer ada' },
  fetch: toFetch(handler),
});

const { data: team } = await clinic.GET('/CareTeam/{id}', { params: { path: { id: '7' } } });
assert.equal(team?.name, 'Care Team for Shaw, Amy');

const query = { patient: '7', 'lifecycle-status': 'active' };
const { data: goals } = await clinic.GET('/Goal', { params: { query } });
assert.equal(goals?.total, 0);

const { error } = await clinic.GET('/CareTeam/{id}', { params: { path: { id: '9' } } });
assert.equal(error?.issue[0]?.code, 'not-found');

// @ts-expect-error: there is no such parameter.
await clinic.GET('/Goal', { params: { query: { patien: '7' } } });
// @ts-expect-error: a care team has no such element.
assert.equal(team?.lead, undefined);
