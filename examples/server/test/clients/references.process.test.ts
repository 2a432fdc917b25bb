import { findFhirIssues, findProfileIssues } from '@clinical-records/testing-profiles';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { usCoreMeta, usCoreTypes } from '../../serve/us-core.ts';
import { endAll, newFolder, startServer } from '../running-server.ts';

type Resource = {
  readonly resourceType: string;
  readonly id: string;
  readonly meta?: { readonly profile?: readonly string[] };
  readonly [element: string]: unknown;
};

let server: Awaited<ReturnType<typeof startServer>>;

beforeAll(async () => {
  server = await startServer(['--us-core'], await newFolder());
});

afterAll(endAll);

/** Every text under the name `reference`, at any depth. */
const referencesIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, part]) =>
        name === 'reference' && typeof part === 'string' ? [part] : referencesIn(part),
      )
    : [];

/** Reads what resources refer to, and what that refers to in its turn. */
const followAll = async (from: readonly Resource[]): Promise<ReadonlyMap<string, Resource>> => {
  const read = new Map<string, Resource>();
  const toRead = new Set(referencesIn(from));
  for (const reference of toRead) {
    const { status, body } = await server.get(`/${reference}`);
    expect([reference, status]).toEqual([reference, 200]);
    expect(`${body.resourceType}/${body.id}`).toBe(reference);
    read.set(reference, body);
    for (const next of referencesIn(body)) toRead.add(next);
  }
  return read;
};

test('a condition of an order belongs to the patient of the order', async () => {
  const { body } = await server.get('/ServiceRequest?category=108252007');
  for (const { resource } of body.entry) {
    const { body: condition } = await server.get(`/${resource.reasonReference[0].reference}`);
    expect(condition.subject.reference).toBe(resource.subject.reference);
  }
});

test('the capability statement names the servers of US Core and of bulk data, and the profiles of these resources', async () => {
  const { body } = await server.get('/metadata');
  expect(body.instantiates).toEqual([
    'http://hl7.org/fhir/us/core/CapabilityStatement/us-core-server',
    'http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data',
  ]);
  const supported = body.rest[0].resource.map(
    ({ type, supportedProfile }: { readonly type: string; readonly supportedProfile: readonly string[] }) => [
      type,
      supportedProfile,
    ],
  );
  for (const type of usCoreTypes) expect(supported).toContainEqual([type, usCoreMeta(type).profile]);
});

// It is the last one: it works for seconds, in which the server closes idle connections.
test('every reference of the demo clinic is read at the same server, as US Core has it', async () => {
  const charts: Resource[] = [];
  for (const type of ['CareTeam', 'Goal', 'ServiceRequest', 'Immunization']) {
    const { body } = await server.get(`/${type}?_count=100`);
    charts.push(...body.entry.map(({ resource }: { readonly resource: Resource }) => resource));
  }
  const read = await followAll(charts);
  expect(new Set([...read.values()].map(({ resourceType }) => resourceType))).toEqual(new Set(usCoreTypes));
  for (const resource of read.values()) {
    expect(resource.meta).toEqual(usCoreMeta(resource.resourceType as (typeof usCoreTypes)[number]));
    expect({ resource, issues: [...findFhirIssues(resource), ...findProfileIssues(resource)] }).toEqual({
      ...{ resource, issues: [] },
    });
  }
});
