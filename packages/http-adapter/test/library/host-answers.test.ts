import { orThrow } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import type { Principal } from '../../src/index.ts';
import { expectRefused } from '../answers.ts';
import { statement } from '../builders.ts';
import { handlerOf, recordsOn, sending } from '../clinic.ts';

/** A server of a host that answers this, and the causes that it was told. */
const serverOf = async (host: { readonly newId?: () => string; readonly principal?: Principal }) => {
  const told: unknown[] = [];
  const { newId, principal } = host;
  const records = recordsOn(createMemoryStore(), { ...(newId !== undefined && { newId }) });
  await orThrow(records.directory.putPatient({ id: 'amy', lastName: 'Shaw', firstName: 'Amy' }));
  const handler = handlerOf(records, {
    ...(principal !== undefined && { authenticate: () => principal }),
    onError: (cause) => told.push(cause),
  });
  return { send: sending(handler), told, records };
};

test.each([101, null, '', 'a/b', 'a?b', 'a\r\nX: 1', '\u4e2d', 'x'.repeat(65)])(
  'newId that makes %j is told to onError: a 500, and nothing is recorded',
  async (made) => {
    const { send, told, records } = await serverOf({ newId: () => made as string });
    expectRefused(await send('POST', '/Immunization', { body: statement() }), 500);
    expect(told).toEqual([expect.objectContaining({ message: expect.stringContaining('newId') })]);
    expect((await orThrow(records.immunizations.search({}))).total).toBe(0);
  },
);

test.each([7, null, undefined, '', ' '])(
  'a principal whose subject is %j is told to onError: a 500, and nothing is recorded',
  async (subject) => {
    const principal: Principal = { subject: subject as string, scopes: ['user/*.*'] };
    const { send, told, records } = await serverOf({ principal });
    expectRefused(await send('POST', '/Immunization', { body: statement() }), 500);
    expect(told).toEqual([expect.objectContaining({ message: expect.stringContaining('subject') })]);
    expect((await orThrow(records.immunizations.search({}))).total).toBe(0);
  },
);
