import { ClinicalRecordsError } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { type ErrorContext, outcomeOf } from '../src/index.ts';
import { createHandler, createRecords, createSender } from './clinic.ts';

test('outcomeOf returns the status and the body that the interface responds with to the same error', async () => {
  const records = createRecords(createMemoryStore());
  const send = createSender(createHandler(records));
  const response = await send('GET', '/Goal/none');
  const thrown = await Promise.resolve(records.goals.read('none')).catch((error: unknown) => error);
  if (!(thrown instanceof ClinicalRecordsError)) throw new Error('It was found.');
  expect(outcomeOf(thrown.error)).toEqual({ status: response.status, outcome: response.json });
  expect(response.json.issue[0].details.coding).toEqual([
    { system: 'urn:clinical-records:issue-rule', code: 'not-found' },
  ]);
});

test('onError is called with the request, its id and the principal; with null before the principal is known', async () => {
  const contexts: ErrorContext[] = [];
  const principal = { subject: 'Practitioner/ada', scopes: 'user/*.cruds' } as const;
  const createFailing = (authenticate: () => typeof principal) =>
    createHandler(createRecords(createMemoryStore(), { resolve: () => Promise.reject(new Error('down')) }), {
      authenticate,
      onError: (_, context) => contexts.push(context),
    });
  const request = {
    method: 'GET',
    url: '/fhir/CareTeam/amy',
    headers: { authorization: 'Bearer x', 'x-request-id': 'test' },
  };
  await createFailing(() => principal)(request);
  await createFailing(() => {
    throw new Error('down');
  })(request);
  expect(contexts).toEqual([
    { request, requestId: 'test', principal },
    { request, requestId: 'test', principal: null },
  ]);
});
