import {
  type AnyResource,
  evaluatePath,
  findFhirIssues,
  findMissingElements,
  findProfileIssues,
} from '@clinical-records/testing-profiles';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, newFolder, startServer } from './running-server.ts';

afterAll(endAll);

let resources: readonly AnyResource[];

beforeAll(async () => {
  const { address, token } = await startServer([], await newFolder());
  const search = async (type: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${address}/${type}?_count=100`, { headers });
    const { entry } = (await response.json()) as { readonly entry: readonly { resource: AnyResource }[] };
    return entry.map(({ resource }) => resource);
  };
  const found = await Promise.all(['CareTeam', 'Goal', 'Immunization', 'ServiceRequest'].map(search));
  resources = found.flat();
});

test('each resource of the demo clinic is valid FHIR', () => {
  expect(resources.flatMap(findFhirIssues)).toEqual([]);
});

test('the demo clinic has every element that US Core demands of a server', () => {
  const missing = findMissingElements(resources).filter((path) => !path.startsWith('Provenance.'));
  expect(missing).toEqual([]);
});

test.each([
  ...['Goal.expressedBy', 'Immunization.encounter', 'Immunization.location', 'Immunization.lotNumber'],
  ...['Immunization.performer.actor', 'ServiceRequest.encounter'],
])('it has %s, which US Core 7.0.0 or 8.0.0 adds', (path) => {
  expect(resources.flatMap((resource) => evaluatePath(resource, path))).not.toEqual([]);
});

test('the demo clinic conforms to US Core, except for what the interface says otherwise', () => {
  const others = resources.filter((resource) => findProfileIssues(resource).length > 0);
  expect(others.map(({ id }) => id)).toEqual(['demo-immunization-2', 'demo-immunization-6']);
  const unnamed = resources.filter(({ meta }) => meta?.profile === undefined);
  expect(unnamed).toEqual(others);
});
