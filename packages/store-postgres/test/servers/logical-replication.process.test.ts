import { createClinicalRecords } from '@clinical-records/core';
import { erasedState, exactVersion } from '@clinical-records/core/store';
import { createDatabase, startPostgres } from '@clinical-records/testing-postgres';
import { afterAll, expect, test } from 'vitest';
import { inTransaction, migrationSql, openPostgresStore } from '../../src/index.ts';
import { change, resultOf, write } from '../store-helpers.ts';
import { openPool } from '../tenants/databases.ts';

const server = await startPostgres({ settings: { fsync: 'off', wal_level: 'logical' } });
afterAll(server.stop);

const index = [{ kind: 'token', parameter: 'description', system: '', code: 'secret' }] as const;
const secret = change({ state: '{"secret":1}', resource: '{"secret":1}', index });

test('a subscriber has what is written, no longer has what is erased, and can take over', async () => {
  const [publisher, subscriber] = [await createDatabase(server.url), await createDatabase(server.url)];
  const source = openPool(publisher.url, { pipeline: true });
  const target = openPool(subscriber.url);
  const store = openPostgresStore({ pool: source });
  await write(store, secret);
  await source.query('create publication everything for all tables');
  // Both databases are of one server, where a subscription that creates its slot would wait for itself.
  await source.query(`select pg_create_logical_replication_slot('copy', 'pgoutput')`);
  await target.query(migrationSql());
  await target.query('truncate clinical_records.tenants, clinical_records.head, clinical_records.migrations');
  await target.query(`create subscription copy connection '${publisher.url}' publication everything
    with (create_slot = false, slot_name = copy)`);
  // Each table has a first copy of its own. Then all of them change together.
  const uncopied = async () =>
    (await target.query(`select srrelid::regclass::text from pg_subscription_rel where srsubstate <> 'r'`))
      .rows;
  await expect.poll(uncopied).toEqual([]);
  const copiedTerms = async () =>
    (await target.query('select code from clinical_records.terms')).rows.map(({ code }) => code);
  expect(await copiedTerms()).toEqual(['secret']);

  await write(store, {
    ...{ ...secret, state: '{"isErased":true}', resource: null, index: [] },
    ...{ expects: exactVersion(1), priorStates: [erasedState('0'.repeat(64))] },
  });
  const client = await source.connect();
  await inTransaction(client, (tx) => write(tx.join(store), change({ id: 'b' })));
  client.release();
  const copied = async () => (await target.query('select position::integer from clinical_records.head')).rows;
  await expect.poll(copied).toEqual([{ position: 3 }]);
  const copy = openPostgresStore({ pool: target });
  expect(await resultOf(copy.changesSince({ limit: 10 }))).toEqual(
    await resultOf(store.changesSince({ limit: 10 })),
  );
  expect(await copiedTerms()).toEqual([]);
  const { verify } = createClinicalRecords({
    store: copy,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
  });
  expect((await verify()).miscounted).toEqual([]);

  // The subscriber takes over. It has the rows of the publisher, but no sequence is where that of the publisher is.
  await target.query('drop subscription copy');
  const newCode = { ...secret, id: 'c', index: [{ ...index[0], code: 'new' }] };
  expect(await write(copy, newCode)).toEqual([1]);
  const heir = await target.connect();
  await inTransaction(heir, (tx) => write(tx.join(copy), change({ id: 'c' }), change({ id: 'd' })));
  heir.release();
  expect((await resultOf(copy.changesSince({ limit: 10 }))).slice(3)).toMatchObject([
    { id: 'c', version: 1, position: '4' },
    { id: 'c', version: 2, position: '5' },
    { id: 'd', version: 1, position: '6' },
  ]);
});
