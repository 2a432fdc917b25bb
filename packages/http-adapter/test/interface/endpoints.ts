import { createRoutes, type PathLevel } from '../../src/routes.ts';
import { createRecords } from '../clinic.ts';

const pathSuffixes = { type: '', instance: '/amy', search: '/_search' } as const satisfies Record<
  PathLevel,
  string
>;

/** Every endpoint of the interface. */
export const endpoints = createRoutes(createRecords()).map(
  ({ method, type, level }) => [method, `/${type}${pathSuffixes[level]}`] as const,
);
