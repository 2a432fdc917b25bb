import { createAuditLog } from '@clinical-records/core';
import { createMemoryAuditStore, createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { createHandler, createRecords, createSender } from '../clinic.ts';
import type { Document } from './openapi-document.ts';

const auditLog = createAuditLog({ store: createMemoryAuditStore() });
const records = createRecords(createMemoryStore(), { onAccess: auditLog.onAccess });
const handler = createHandler(records, { chartCommands: true, corrections: true, auditLog });
const document: Document = (await createSender(handler)('GET', '/openapi.json')).json;

/** The operations of a path: each method with the types of its bodies, and its statuses. */
const listOperations = ([path, methods]: [string, Document['paths'][string]]) =>
  Object.entries(methods).map(([method, { requestBody, responses }]) => {
    const types = Object.keys(requestBody?.content ?? {});
    return [method.toUpperCase(), path, ...types, ...Object.keys(responses)].join(' ');
  });

// A client is written for these. Write the list again with `npx vitest run packages/http-adapter/test/documents/operations.test.ts -u`.
test('these are the operations, with the types of their bodies and all of their statuses', async () => {
  const operations = Object.entries(document.paths).flatMap(listOperations);
  await expect(`${operations.join('\n')}\n`).toMatchFileSnapshot('operations.txt');
});
