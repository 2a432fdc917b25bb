import { toEithers } from '@clinical-records/core/fp-ts';
import { createReferencedResources } from '../../src/host/references.ts';
import { createRoutes, type PathLevel } from '../../src/routes.ts';
import { createRecords } from '../clinic.ts';

const pathSuffixes = {
  type: '',
  instance: '/amy',
  search: '/_search',
  history: '/amy/_history',
  version: '/amy/_history/1',
  everything: '/amy/$everything',
} as const satisfies Record<PathLevel, string>;

const records = createRecords();

/** Every endpoint of the interface. */
const served = toEithers(records);

export const endpoints = createRoutes(served, createReferencedResources(served)).map(
  ({ method, type, level }) => [method, `/${type}${pathSuffixes[level]}`] as const,
);
