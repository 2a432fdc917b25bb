import { createReferencedResources } from '../../src/host/references.ts';
import { pathTemplateOf } from '../../src/request/request.ts';
import { createRoutes, toServedRecords } from '../../src/routes/routes.ts';
import { createRecords } from '../clinic.ts';

const records = createRecords();

/** Every endpoint of the interface. */
const served = toServedRecords(records);

export const endpoints = createRoutes(served, createReferencedResources(served)).map(
  (route) => [route.method, pathTemplateOf(route).replace('{id}', 'amy').replace('{version}', '1')] as const,
);
