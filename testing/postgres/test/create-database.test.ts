import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { createDatabase } from '../index.ts';
import { untilEnded } from './until-ended.ts';

const connect = async (url: string) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
};

test('each database has its own tables, and is gone when it is dropped, even while it is used', async () => {
  const [one, other] = await Promise.all([
    createDatabase(inject('postgresUrl')),
    createDatabase(inject('postgresUrl')),
  ]);
  const [oneClient, otherClient] = await Promise.all([connect(one.url), connect(other.url)]);
  const ended = untilEnded(oneClient);
  await oneClient.query('create table t as select 1 as n');
  await otherClient.query('create table t as select 2 as n');
  expect((await oneClient.query('select n from t')).rows).toEqual([{ n: 1 }]);

  await Promise.all([one.drop(), ended]);
  await expect(connect(one.url)).rejects.toMatchObject({ code: '3D000' });
  expect((await otherClient.query('select n from t')).rows).toEqual([{ n: 2 }]);
  await otherClient.end();
  await other.drop();
});

test('a database that is dropped unused waits for the connections that are closing', async () => {
  const database = await createDatabase(inject('postgresUrl'));
  const client = await connect(database.url);
  const errors: Error[] = [];
  client.on('error', (error) => errors.push(error));
  const dropped = database.dropUnused();
  await client.query('select 1');
  await client.end();
  await dropped;
  expect(errors).toEqual([]);
  await expect(connect(database.url)).rejects.toMatchObject({ code: '3D000' });
});
