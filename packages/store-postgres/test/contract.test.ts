import { describeClinicalStore } from '@clinical-records/store-contract';
import { test } from 'vitest';
import { createClinics } from './clinics.ts';
import { newPgBouncer, newPool, noPgBouncer, openPool } from './databases.ts';

const pgBouncerName = 'PostgreSQL behind PgBouncer, with three connections for ten clients with pipelines';

// `npm run test:partitioned` and `npm run test:pgbouncer` run the others, so that `npm test` is not slower by them.
switch (process.env.CONTRACT) {
  case undefined:
    describeClinicalStore({
      name: 'PostgreSQL, a pool of ten clients with pipelines',
      ...createClinics(await newPool({ pipeline: true, max: 10 })),
    });
    break;
  case 'partitioned':
    describeClinicalStore({
      name: 'PostgreSQL, tables partitioned by patient, and a pool of one client without pipelines',
      ...createClinics(await newPool({ max: 1 }), { partitions: 4 }),
    });
    break;
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
