import type { ClinicalRecords } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { left } from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { enteredInError, statement } from '../../builders.ts';
import { createHandler, createRecords, createSender, type RequestOptions, readFeed } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { expectError } from '../../response-helpers.ts';

/** A clinic whose database loses its answer to each commit from now on; `landed` are the versions that it wrote since. */
const openLossyClinic = async () => {
  const store = createMemoryStore();
  const before = createRecords(store);
  await before.directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
  const given = await before.immunizations.create(statement(), { by: 'Practitioner/ada' });
  const position = (await readFeed(store)).at(-1)?.position;
  const lost = { _tag: 'OutcomeUnknown', message: 'the connection is gone', cause: null } as const;
  const records = createRecords({
    ...store,
    commit: async (wanted) => {
      await store.commit(wanted);
      return left(lost);
    },
  });
  return { records, lost, given: given.id, landed: () => readFeed(store, position) };
};

test.each<
  readonly [method: string, path: (given: string) => string, body: (given: string) => RequestOptions['body']]
>([
  ['POST', () => '/Immunization', () => statement()],
  ['PUT', (given) => `/Immunization/${given}`, enteredInError],
])('a %s with an unknown outcome is a 503 that says so, and is not repeated', async (method, path, body) => {
  const { records, lost, given, landed } = await openLossyClinic();
  const reported: unknown[] = [];
  const send = createSender(createHandler(records, { onError: (cause) => reported.push(cause) }));
  const answer = await send(method, path(given), { body: body(given) });
  expectError(answer, 503);
  expect(answer.json.issue[0].diagnostics).toBe(
    'It is not known whether the change was written: read the record, or retry with the same idempotency key.',
  );
  expect(reported).toMatchObject([{ message: lost.message }]);
  expect((await landed()).filter(({ type }) => type === 'Immunization')).toHaveLength(1);
});

const amy = { id: 'amy', lastName: 'Stone', firstName: 'Amy' };

test.each<readonly [string, (records: ClinicalRecords) => Promise<unknown>]>([
  [
    'of the interface',
    ({ immunizations }) => outcomeOf(immunizations.create(statement(), { by: 'Practitioner/ada' })),
  ],
  ['of the directory', ({ directory }) => outcomeOf(directory.put('Patient', amy))],
  [
    'of the importer',
    ({ importer }) =>
      outcomeOf(importer.load([{ resourceType: 'Patient', id: 'ben', name: [{ family: 'Okoro' }] }])),
  ],
])(
  'a write %s with an unknown outcome is a StoreFailure that says so, and is not repeated',
  async (_, write) => {
    const { records, lost, landed } = await openLossyClinic();
    expect(await write(records)).toMatchObject({
      left: { _tag: 'StoreFailure', issues: [{ rule: 'outcome-unknown' }], cause: { message: lost.message } },
    });
    const names = (await landed()).map(({ type, id }) => `${type}/${id}`);
    expect(names.length).toBeGreaterThan(0);
    expect(names).toEqual([...new Set(names)]);
  },
);
