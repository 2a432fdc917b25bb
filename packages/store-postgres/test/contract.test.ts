import { describeClinicalStore } from '@clinical-records/store-contract';
import { afterAll, expect, test } from 'vitest';
import { migrationSql } from '../src/index.ts';
import { joinEach } from './host/join-each.ts';
import { noteStatements, refusalsOf } from './tenants/citus-forms.ts';
import { createClinics } from './tenants/clinics.ts';
import { newPgBouncer, newPool, newUser, noPgBouncer, openPool } from './tenants/databases.ts';

const pgBouncerName = 'PostgreSQL behind PgBouncer, with three connections for ten clients with pipelines';

// `npm run test:partitioned`, `test:guarded`, `test:joined` and `test:pgbouncer` run the others, so that `npm test` is not slower by them.
switch (process.env.CONTRACT) {
  case undefined: {
    const pool = await newPool({ pipeline: true, max: 10 });
    const statements = noteStatements(pool);
    describeClinicalStore({
      name: 'PostgreSQL, a pool of ten clients with pipelines',
      ...createClinics(pool),
    });
    test('Citus refuses none of these statements', () => {
      // Of distributed tables, none is a transaction by itself.
      const sent = [...statements].filter((text) => !text.includes("and set_config('lock_timeout'"));
      expect(sent.length).toBeGreaterThan(0);
      for (const text of sent) expect([text, refusalsOf(text)]).toEqual([text, []]);
    });
    break;
  }
  case 'partitioned':
    describeClinicalStore({
      name: 'PostgreSQL, tables partitioned by tenant, and a pool of one client without pipelines',
      ...createClinics(await newPool({ max: 1 }), { partitions: 4 }),
    });
    break;
  case 'guarded': {
    const owners = await newPool();
    const grants = (user: string) => migrationSql({ user, rowSecurity: true });
    const guarded = await newUser(owners, 'guarded', grants, { pipeline: true, max: 10 });
    describeClinicalStore({
      name: 'PostgreSQL, a user without other rights, with row level security',
      ...createClinics(guarded, {}, owners),
    });
    break;
  }
  case 'joined': {
    const pool = await newPool({ max: 10 });
    const { open, remove } = createClinics(pool);
    describeClinicalStore({
      name: 'PostgreSQL, each call in a transaction of a tool',
      open: async () => {
        return joinEach(await open(), pool);
      },
      remove,
      skip: [
        {
          test: 'close finishes what was begun',
          reason: 'a call begins when the tool has begun its transaction',
        },
      ],
    });
    break;
  }
  case 'citus': {
    const url = process.env.CITUS_URL;
    if (url === undefined) {
      test.skip('Citus: skipped, because CITUS_URL does not name its coordinator');
      break;
    }
    const owners = openPool(url, { options: '-c citus.shard_count=4' });
    // A statement that is not for one tenant fails.
    const options = '-c citus.multi_task_query_log_level=error';
    const schema = `contract_${process.pid}`;
    afterAll(() => owners.query(`drop schema ${schema} cascade`));
    describeClinicalStore({
      name: 'Citus, tables distributed by tenant',
      ...createClinics(
        openPool(url, { pipeline: true, max: 10, options }),
        { schema, distributed: true },
        owners,
      ),
    });
    break;
  }
  case 'pgbouncer':
    if (noPgBouncer !== null) {
      test.skip(`${pgBouncerName}: skipped, because ${noPgBouncer}`);
      break;
    }
    describeClinicalStore({
      name: pgBouncerName,
      ...createClinics(openPool((await newPgBouncer(3)).url, { pipeline: true, max: 10 }), {
        preparedStatements: false,
      }),
    });
}
