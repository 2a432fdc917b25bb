import { erasedState, exactVersion, type RecordChange } from '@clinical-records/core/store';
import { expect, test } from 'vitest';
import { openPostgresStore } from '../../src/index.ts';
import { createQueryBuilder } from '../../src/statement.ts';
import { createExclusiveClient } from '../../src/use-client.ts';
import { createGroupWriter } from '../../src/write/group-writer.ts';
import { prepareCommit } from '../../src/write/prepared-commit.ts';
import { wrapPool } from '../host/wrap-pool.ts';
import { change, write } from '../store-helpers.ts';
import { newPool } from '../tenants/databases.ts';

const pool = await newPool({ pipeline: true, max: 4 });

const index = [{ kind: 'token', parameter: 'description', system: '', code: 'walk' }] as const;

test('a term that another store has erased is written again, although the response that it was written came late', async () => {
  const schema = 'late_response';
  const other = openPostgresStore({ pool, schema });
  await write(other, change({ id: 'first' }));

  const isHeld = { value: false };
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const holding = wrapPool(pool, async (client, query) => {
    const mustWait = isHeld.value && query.text === 'commit';
    const result = await client.query(query);
    if (mustWait) await released;
    return result;
  });
  const writer = createGroupWriter(
    createQueryBuilder(schema, {
      tenant: { name: 'default', number: 0, isGuarded: false, isDistributed: false },
    }),
    createExclusiveClient(holding),
  );
  const tryWrite = (one: RecordChange, waitsForLocks: boolean) => {
    const pending = { ...prepareCommit({ changes: [one], versionChecks: [] }), since: 0, resolve: () => {} };
    return writer.tryWrite([pending], { end: performance.now() + 5000, waitsForLocks });
  };

  await tryWrite(change({ id: 'second' }), false);
  isHeld.value = true;
  const late = tryWrite(change({ id: 'erased', index }), false);
  await expect
    .poll(() => other.read({ type: 'Goal', id: 'erased' }))
    .toMatchObject({ right: { version: 1 } });
  isHeld.value = false;
  const erasure = { state: '{}', resource: null, expects: exactVersion(1) };
  await write(other, change({ id: 'erased', ...erasure, priorStates: [erasedState('0'.repeat(64))] }));
  await tryWrite(change({ id: 'third' }), true);
  release();
  await late;

  await tryWrite(change({ id: 'fourth', index }), false);
  expect((await pool.query(`select code from ${schema}.terms`)).rows).toEqual([{ code: 'walk' }]);
});
