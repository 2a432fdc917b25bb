import { createAuditLog } from '@clinical-records/core';
import { createMemoryAuditStore, createMemoryStore } from '@clinical-records/store-memory';
import { openSqliteAuditStore, openSqliteStore } from '@clinical-records/store-sqlite';
import { expect, test } from 'vitest';
import { createHttpHandler } from '../../src/index.ts';
import { introspectionAuthentication, jwtAuthentication } from '../../src/jwt.ts';
import { createWebhook } from '../../src/webhooks.ts';
import { useClinic } from '../clinic.ts';

const filename = ':memory:';
const { records } = useClinic(createMemoryStore());

const callers = {
  createHttpHandler: (options: object) =>
    createHttpHandler(records, { authenticate: async () => null, ...options }),
  createAuditLog: (options: object) => createAuditLog({ store: createMemoryAuditStore(), ...options }),
  openSqliteStore: (options: object) => openSqliteStore({ filename, ...options }),
  openSqliteAuditStore: (options: object) => openSqliteAuditStore({ filename, ...options }),
  jwtAuthentication: (options: object) =>
    jwtAuthentication({ issuer: 'i', audience: 'a', jwks: 'https://i.example', ...options }),
  introspectionAuthentication: (options: object) =>
    introspectionAuthentication({
      issuer: 'i',
      audience: 'a',
      endpoint: 'https://i.example',
      clientId: 'c',
      clientSecret: 's',
      ...options,
    }),
  createWebhook: (options: object) =>
    createWebhook({
      records,
      queue: {} as never,
      url: 'https://lab.example',
      secret: `whsec_${btoa('x'.repeat(24))}`,
      ...options,
    }),
};

test.each(Object.entries(callers))('%s refuses an option that it does not have', (name, call) => {
  expect(() => call({ basepath: '/fhir' })).toThrow(`${name} has no option basepath. Its options are `);
  expect(() => call({})).not.toThrow();
});
