import { describeClinicalStore } from '@clinical-records/store-contract';
import { createClinics } from './clinics.ts';
import { newPool } from './databases.ts';

describeClinicalStore({
  name: 'PostgreSQL, a pool of ten clients with pipelines',
  ...createClinics(await newPool({ pipeline: true, max: 10 })),
});

describeClinicalStore({
  name: 'PostgreSQL, a pool of one client without pipelines',
  ...createClinics(await newPool({ max: 1 })),
});

describeClinicalStore({
  name: 'PostgreSQL, tables partitioned by patient',
  ...createClinics(await newPool({ pipeline: true, max: 4 }), { partitions: 4 }),
});
