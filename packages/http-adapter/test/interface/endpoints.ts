import { type Place, routesOf } from '../../src/routes.ts';
import { recordsOn } from '../clinic.ts';

const ends = { type: '', instance: '/amy', search: '/_search' } as const satisfies Record<Place, string>;

/** Every endpoint of the interface. */
export const endpoints = routesOf(recordsOn()).map(
  ({ method, type, place }) => [method, `/${type}${ends[place]}`] as const,
);
