import { CapabilityTool, Client, type FhirResource } from 'fhir-kit-client';
import { describe, expect, test } from 'vitest';
import { ada, immunizationOf } from './bodies.ts';
import { type Clinic, goalCount, smartConfiguration, token } from './clinic.ts';

type Bundle = FhirResource & {
  readonly total: number;
  readonly entry: readonly { readonly fullUrl: string; readonly resource: FhirResource }[];
};

const idsOf = ({ entry }: Bundle) => entry.map(({ resource }) => resource.id);

const headersOf = (resource: FhirResource) => Client.httpFor(resource).response?.headers;

/** The steps of its README, as it comes. */
export const describeFhirKitClient = (clinic: () => Clinic): void => {
  const connect = (baseUrl = clinic().baseUrl) => new Client({ baseUrl, bearerToken: token });
  const create = () =>
    connect().create({ resourceType: 'Immunization', body: immunizationOf('kit') }) as Promise<FhirResource>;
  const readAllPages = async (client: Client, first: Bundle) => {
    const pages = [first];
    for (let page: Bundle | undefined = first; page !== undefined; ) {
      page = (await client.nextPage({ bundle: page as never })) as Bundle | undefined;
      if (page !== undefined) pages.push(page);
    }
    return pages;
  };

  describe('fhir-kit-client', () => {
    test('reads the capability statement', async () => {
      const capabilities = new CapabilityTool(await connect().capabilityStatement());
      expect(capabilities.interactionsFor({ resourceType: 'Immunization' })).toContain('create');
      expect(capabilities.resourceCan('Goal', 'create')).toBe(false);
      expect(capabilities.resourceSearch('Goal', 'patient')).toBe(true);
    });
    test('finds the authorization server', async () => {
      const { authorizeUrl, tokenUrl } = await connect().smartAuthMetadata();
      expect(authorizeUrl?.href).toBe(smartConfiguration.authorization_endpoint);
      expect(tokenUrl?.href).toBe(smartConfiguration.token_endpoint);
    });
    test('reads a resource, and a version', async () => {
      const goal = { resourceType: 'Goal', id: 'goal-0' };
      expect(await connect().read(goal)).toMatchObject({ ...goal, lifecycleStatus: 'completed' });
      expect(await connect().vread({ ...goal, version: '1' })).toMatchObject({ lifecycleStatus: 'active' });
    });
    test('reads a history, newest first', async () => {
      const history = (await connect().history({ resourceType: 'Goal', id: 'goal-0' })) as Bundle;
      expect(history.entry.map(({ resource }) => resource.lifecycleStatus)).toEqual(['completed', 'active']);
    });
    test.each([false, true])('follows the pages of a search; with a form: %s', async (postSearch) => {
      const client = connect();
      const searchParams = { patient: 'Patient/amy', _count: 100 };
      const first = (await client.search({
        ...{ resourceType: 'Goal', searchParams, options: { postSearch } },
      })) as Bundle;
      const pages = await readAllPages(client, first);
      expect([first.total, pages.length]).toEqual([goalCount, 3]);
      expect(new Set(pages.flatMap(idsOf)).size).toBe(goalCount);
      expect(await client.prevPage({ bundle: first as never })).toBeUndefined();
    });
    test('creates a resource, and reads it at its Location', async () => {
      const created = await create();
      const location = headersOf(created)?.get('location') ?? '';
      expect(location).toBe(`${clinic().baseUrl}/Immunization/${created.id}`);
      expect(await connect().request(location)).toEqual(created);
    });
    test('creates a resource without getting it back', async () => {
      const created = await connect().create({
        ...{ resourceType: 'Immunization', body: immunizationOf('kit') },
        options: { headers: { Prefer: 'return=minimal' } },
      });
      expect(created).toEqual({});
      expect(Client.httpFor(created).response?.status).toBe(201);
      expect(headersOf(created)?.get('Location')).toMatch(/\/Immunization\/./);
    });
    test('updates a resource that it has read, if nobody else has changed it', async () => {
      const team = { resourceType: 'CareTeam', id: 'kit' };
      const read = await connect().read(team);
      const update = () =>
        connect().update({
          ...{ ...team, body: { ...read, participant: [ada] } },
          options: { headers: { 'If-Match': headersOf(read)?.get('etag') ?? '' } },
        });
      expect(await update()).toMatchObject({ ...team, participant: [ada] });
      await expect(update()).rejects.toMatchObject({
        response: {
          status: 412,
          data: {
            issue: [
              { code: 'conflict', details: { text: 'Resource updated since If-Unmodified-Since date' } },
            ],
          },
        },
      });
    });
    test('marks an immunization as entered in error', async () => {
      const { id = '', ...body } = (await create()) as FhirResource & { id: string };
      const marked = await connect().update({
        ...{ resourceType: 'Immunization', id, body: { ...body, id, status: 'entered-in-error' } },
        options: { headers: { 'If-Match': 'W/"1"' } },
      });
      expect(marked).toMatchObject({ id, status: 'entered-in-error', meta: { versionId: '2' } });
    });
    test('resolves a reference, a URL, and an entry of a bundle', async () => {
      const client = connect();
      const bundle = (await client.search({
        ...{ resourceType: 'Goal', searchParams: { patient: 'amy', _count: 1 } },
      })) as Bundle;
      const [{ fullUrl, resource } = { fullUrl: '', resource: undefined }] = bundle.entry;
      const reference = `Goal/${resource?.id}`;
      expect(await client.resolve({ reference })).toEqual(resource);
      expect(await client.resolve({ reference: fullUrl })).toEqual(resource);
      expect(await client.resolve({ reference, context: bundle as never })).toBe(resource);
    });
    test('resolves the references to people', async () => {
      const client = connect();
      const goal = (await client.read({ resourceType: 'Goal', id: 'goal-0' })) as FhirResource & {
        readonly subject: { readonly reference: string };
        readonly expressedBy: { readonly reference: string };
      };
      expect(await client.resolve(goal.subject)).toMatchObject({ resourceType: 'Patient', id: 'amy' });
      expect(await client.resolve(goal.expressedBy)).toMatchObject({
        ...{ resourceType: 'Practitioner', name: [{ family: 'Byron', given: ['Ada'] }] },
      });
    });
    test('rejects with 304 if it names the version that it has', async () => {
      const options = { headers: { 'If-None-Match': 'W/"2"' } };
      const goal = { resourceType: 'Goal', id: 'goal-0' };
      await expect(connect().read({ ...goal, options })).rejects.toMatchObject({ response: { status: 304 } });
    });
    test('rejects with the OperationOutcome of an error', async () => {
      const body = { ...immunizationOf('kit'), primarySource: 'no' };
      await expect(connect().create({ resourceType: 'Immunization', body })).rejects.toMatchObject({
        response: {
          status: 400,
          data: {
            resourceType: 'OperationOutcome',
            issue: [{ expression: ['Immunization.primarySource'] }],
          },
        },
      });
      await expect(connect().read({ resourceType: 'Goal', id: 'none' })).rejects.toMatchObject({
        response: { status: 404, data: { issue: [{ details: { text: "Unknown Goal resource 'none'" } }] } },
      });
    });
    test('writes to the interface with its defaults if it prefers the resource', async () => {
      const client = new Client({
        ...{ baseUrl: clinic().nullUrl, bearerToken: token },
        customHeaders: { Prefer: 'return=representation' },
      });
      const created = await client.create({ resourceType: 'Immunization', body: immunizationOf('kit') });
      expect(created).toMatchObject(immunizationOf('kit'));
    });
  });
};
