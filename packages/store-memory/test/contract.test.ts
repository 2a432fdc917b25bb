import { describeClinicalStore } from '@clinical-records/store-contract';
import { createMemoryStore } from '../src/index.ts';

describeClinicalStore({ name: 'memory', open: createMemoryStore });
