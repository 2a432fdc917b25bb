import { expect, onTestFinished, test } from 'vitest';
import { startPostgres, startStandby } from '../index.ts';
import { query } from './query.ts';

/** A kill leaves the files of the system as they are, synced or not. */
const settings = { fsync: 'off' };

const startPair = async () => {
  const primary = await startPostgres({ settings });
  onTestFinished(primary.stop);
  await query(primary.url, 'create table t as select 1 as n');
  const standby = await startStandby(primary, { settings });
  onTestFinished(standby.stop);
  return { primary, standby };
};

test('a standby has what was committed before it started and after, and refuses writes', async () => {
  const { primary, standby } = await startPair();
  // With remote_apply, a commit returns once the standby shows it.
  await query(primary.url, 'set synchronous_commit = remote_apply; insert into t values (2)');
  expect(await query(standby.url, 'select n from t')).toEqual([{ n: 1 }, { n: 2 }]);
  await expect(query(standby.url, 'insert into t values (3)')).rejects.toMatchObject({ code: '25006' });
});

test('a promoted standby has each commit that the killed primary server reported, and accepts writes', async () => {
  const { primary, standby } = await startPair();
  await query(primary.url, 'insert into t values (2)');
  await primary.kill();
  await standby.promote();
  await query(standby.url, 'insert into t values (3)');
  await standby.restart();
  expect(await query(standby.url, 'select n from t')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test('a promoted standby can have a standby', async () => {
  const { primary, standby } = await startPair();
  await primary.kill();
  await standby.promote();
  const next = await startStandby(standby, { settings });
  onTestFinished(next.stop);
  await query(standby.url, 'set synchronous_commit = remote_apply; insert into t values (2)');
  expect(await query(next.url, 'select n from t')).toEqual([{ n: 1 }, { n: 2 }]);
});
