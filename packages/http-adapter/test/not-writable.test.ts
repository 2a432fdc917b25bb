import type { StoreError } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { left } from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { statement } from './builders.ts';
import { createHandler, createRecords, createSender, openClinic } from './clinic.ts';

/** Sends to a clinic whose commits fail. */
const openFailing = async (_tag: Exclude<StoreError['_tag'], 'Conflict'>) => {
  const store = createMemoryStore();
  await openClinic(store);
  const commit = async () => left({ _tag, message: 'why', cause: null } as StoreError);
  return createSender(createHandler(createRecords({ ...store, commit })));
};

test('while the records can only be read, a write is a 503 with `Retry-After`, and a read is a 200', async () => {
  const send = await openFailing('NotWritable');
  const write = await send('POST', '/Immunization', { body: statement() });
  expect([write.status, write.headers['retry-after']]).toEqual([503, '5']);
  expect(write.json.issue[0].details.coding[0].code).toBe('store-not-writable');
  expect((await send('GET', '/CareTeam/amy')).status).toBe(200);
});

test('another 503 does not say when it ends', async () => {
  const write = await (await openFailing('Unavailable'))('POST', '/Immunization', { body: statement() });
  expect([write.status, write.headers['retry-after']]).toEqual([503, undefined]);
});
