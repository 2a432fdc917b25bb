import { describeAuditStore } from '@clinical-records/store-contract';
import { createMemoryAuditStore } from '../src/index.ts';

describeAuditStore({ name: 'memory', open: createMemoryAuditStore });
