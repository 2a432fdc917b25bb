import type { AuthorReference, ClinicalRecordsOptions } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import type { Principal } from '../../../src/index.ts';
import { statement } from '../../builders.ts';
import { createHandler, createRecords, createSender } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { expectError } from '../../response-helpers.ts';

/** A server of a host with these results, and the causes that were reported to it. */
const createServerOf = async ({
  principal,
  ...host
}: Pick<ClinicalRecordsOptions, 'newId' | 'clock'> & { readonly principal?: Principal }) => {
  const reported: unknown[] = [];
  const store = createMemoryStore();
  await createRecords(store).directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
  const records = createRecords(store, host);
  const handler = createHandler(records, {
    ...(principal !== undefined && { authenticate: () => principal }),
    onError: (cause) => reported.push(cause),
  });
  return { send: createSender(handler), reported, records, store };
};

test('newId makes the ids of a record and of its new note', async () => {
  let made = 0;
  const { send } = await createServerOf({ newId: () => `made-${++made}` });
  const { headers } = await send('POST', '/Immunization', { body: statement() });
  const { json } = await send('GET', (headers.location ?? '').replace('/fhir', ''));
  expect([json.id, json.extension[0].valueId].toSorted()).toEqual(['made-1', 'made-2']);
});

test.each([101, null, '', 'a/b', 'a?b', 'a\r\nX: 1', '\u4e2d', 'x'.repeat(65)])(
  'a newId that makes %j is reported to onError: a 500, and nothing is recorded',
  async (made) => {
    const { send, reported, records } = await createServerOf({ newId: () => made as string });
    expectError(await send('POST', '/Immunization', { body: statement() }), 500);
    expect(reported).toEqual([expect.objectContaining({ message: expect.stringContaining('newId') })]);
    expect((await records.immunizations.search({})).total).toBe(0);
  },
);

test.each([
  ['an invalid Date', new Date(Number.NaN)],
  ['the year 10000', new Date('+010000-01-01T00:00:00Z')],
  ['the year 0', new Date('0000-12-31T23:59:59.999Z')],
  ['a text', '2026-03-01T09:30:00Z'],
  ['nothing', undefined],
])('a clock that returns %s is reported to onError: a 500, and nothing is recorded', async (_, time) => {
  const { send, reported, store } = await createServerOf({ clock: () => time as Date });
  expectError(await send('POST', '/Immunization', { body: statement() }), 500);
  expect(reported).toEqual([expect.objectContaining({ message: expect.stringContaining('clock') })]);
  expect((await createRecords(store).immunizations.search({})).total).toBe(0);
});

test.each(['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:58.000Z'])(
  'a clock that returns %s is believed',
  async (time) => {
    const records = createRecords(createMemoryStore(), { clock: () => new Date(time) });
    const { lastModified } = await records.directory.put('Patient', { id: 'ben', lastName: 'Okoro' });
    expect(new Date(lastModified).toISOString()).toBe(time);
  },
);

test.each([12, true, {}, '\ud800'])(
  'an author given as %j is refused, and nothing is recorded',
  async (by) => {
    const { records } = await createServerOf({});
    await records.directory.put('Organization', { id: 'lab', name: 'Lab Ltd' });
    const said = { by: by as AuthorReference };
    const misuse = {
      left: { _tag: 'Misuse', issues: [{ message: expect.stringContaining('The option by') }] },
    };
    expect(await outcomeOf(records.immunizations.create(statement(), said))).toMatchObject(misuse);
    const joining = records.careTeams.setParticipantStatus('amy', 'Organization/lab', 'active', said);
    expect(await outcomeOf(joining)).toMatchObject(misuse);
    expect((await records.immunizations.search({})).total).toBe(0);
    expect(await records.careTeams.read('amy')).not.toHaveProperty('participant');
  },
);

test.each([7, null, undefined, '', ' '])(
  'a principal whose subject is %j is reported to onError: a 500, and nothing is recorded',
  async (subject) => {
    const principal: Principal = { subject: subject as AuthorReference, scopes: ['user/*.*'] };
    const { send, reported, records } = await createServerOf({ principal });
    expectError(await send('POST', '/Immunization', { body: statement() }), 500);
    expect(reported).toEqual([expect.objectContaining({ message: expect.stringContaining('subject') })]);
    expect((await records.immunizations.search({})).total).toBe(0);
  },
);
