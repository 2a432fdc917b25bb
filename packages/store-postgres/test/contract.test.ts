import { describeClinicalStore } from '@clinical-records/store-contract';
import { createClinics } from './clinics.ts';
import { newPool } from './databases.ts';

describeClinicalStore({
  name: 'PostgreSQL, a pool of ten clients with pipelines',
  ...createClinics(await newPool({ pipeline: true, max: 10 })),
});
