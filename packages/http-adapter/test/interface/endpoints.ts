import { createRoutes, type PathLevel } from '../../src/routes.ts';
import { createRecords } from '../clinic.ts';

const pathSuffixes = {
  type: '',
  instance: '/amy',
  search: '/_search',
  history: '/amy/_history',
  version: '/amy/_history/1',
} as const satisfies Record<PathLevel, string>;

/** Every endpoint of the interface. */
export const endpoints = createRoutes(createRecords()).map(
  ({ method, type, level }) => [method, `/${type}${pathSuffixes[level]}`] as const,
);
