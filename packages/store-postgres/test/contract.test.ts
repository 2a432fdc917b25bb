import { describeClinicalStore } from '@clinical-records/store-contract';
import { createClinics } from './clinics.ts';
import { newPool } from './databases.ts';

// `npm run test:partitioned` runs the second, so that `npm test` is not slower by it.
if (process.env.PARTITIONED === undefined) {
  describeClinicalStore({
    name: 'PostgreSQL, a pool of ten clients with pipelines',
    ...createClinics(await newPool({ pipeline: true, max: 10 })),
  });
} else {
  describeClinicalStore({
    name: 'PostgreSQL, tables partitioned by patient, and a pool of one client without pipelines',
    ...createClinics(await newPool({ max: 1 }), { partitions: 4 }),
  });
}
