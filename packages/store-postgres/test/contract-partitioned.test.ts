import { describeClinicalStore } from '@clinical-records/store-contract';
import { createClinics } from './clinics.ts';
import { newPool } from './databases.ts';

describeClinicalStore({
  name: 'PostgreSQL, tables partitioned by patient, and a pool of one client without pipelines',
  ...createClinics(await newPool({ max: 1 }), { partitions: 4 }),
});
