import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { ada, immunizationOf } from './bodies.ts';
import { type Clinic, goalCount, smartConfiguration, token } from './clinic.ts';

type Resource = { readonly id: string; readonly total: number; readonly entry: readonly unknown[] };
type Request = string | { readonly url: string; readonly [option: string]: unknown };
type Paging = { readonly pageLimit?: number; readonly flat?: boolean };
type WithResponse = { readonly body: Resource; readonly response: Response };

/** The functions of fhirclient that are used here. */
type Client = {
  request(request: Request & { includeResponse: true }): Promise<WithResponse>;
  request(request: Request, paging: Paging & { flat: true }): Promise<readonly Resource[]>;
  request(request: Request, options: { resolveReferences: readonly string[] }): Promise<Resource>;
  request(request: Request): Promise<Resource>;
  create(resource: object, options: { includeResponse: true }): Promise<WithResponse>;
  create(resource: object): Promise<Resource>;
  update(resource: object, options?: object): Promise<Resource>;
  pages(url: string): AsyncIterable<Resource>;
  resources(url: string): AsyncIterable<Resource>;
  getFhirVersion(): Promise<string>;
  getFhirRelease(): Promise<number>;
  readonly patient: { request(url: string): Promise<Resource>; read(): Promise<Resource> };
};

type Smart = (
  request: object,
  response: object,
) => { client(state: object): Client; authorize(params: object): Promise<string> };

const require = createRequire(import.meta.url);
// Its own types would bring those of a browser into every file of the project.
const smart: Smart = require('fhirclient');

/** The API of SMART for a request to an app with sessions. */
const createSmart = () => smart({ url: '/', headers: { host: 'app.example' }, socket: {}, session: {} }, {});

/** The steps of its README and its documentation, as it comes. */
export const describeFhirclient = (clinic: () => Clinic): void => {
  const connect = (serverUrl = clinic().baseUrl, patient = 'amy') =>
    createSmart().client({ serverUrl, tokenResponse: { access_token: token, patient } });
  const create = (serverUrl?: string) => connect(serverUrl).create(immunizationOf('smart'));

  describe('fhirclient', () => {
    test('reads the version of FHIR from the capability statement', async () => {
      expect(await connect().getFhirVersion()).toBe('4.0.1');
      expect(await connect().getFhirRelease()).toBe(4);
    });
    test('finds the authorization server, and begins to log in', async () => {
      const { baseUrl: iss } = clinic();
      const params = { iss, clientId: 'app', scope: 'patient/*.rs', redirectUri: '/app', noRedirect: true };
      const { origin, pathname, searchParams } = new URL(await createSmart().authorize(params));
      expect(origin + pathname).toBe(smartConfiguration.authorization_endpoint);
      expect(searchParams.get('aud')).toBe(iss);
      expect(searchParams.get('code_challenge_method')).toBe('S256');
    });
    test('reads a resource, and a version', async () => {
      expect(await connect().request('Goal/goal-0')).toMatchObject({ lifecycleStatus: 'completed' });
      expect(await connect().request('Goal/goal-0/_history/1')).toMatchObject({ lifecycleStatus: 'active' });
    });
    test('reads a history, newest first', async () => {
      const versions = await connect().request('Goal/goal-0/_history', { flat: true });
      expect(versions).toMatchObject([{ lifecycleStatus: 'completed' }, { lifecycleStatus: 'active' }]);
    });
    test.each([
      ['by GET', 'Goal?patient=amy&_count=100'],
      [
        'with a form',
        {
          url: 'Goal/_search',
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'patient=amy&_count=100',
        },
      ],
    ])('follows the pages of a search %s', async (_, search) => {
      const goals = await connect().request(search, { pageLimit: 0, flat: true });
      expect(new Set(goals.map(({ id }) => id)).size).toBe(goalCount);
      expect(goals).toHaveLength(goalCount);
    });
    test('iterates over the pages and the resources of a search', async () => {
      const sizes: number[] = [];
      for await (const page of connect().pages('Goal?patient=amy&_count=100')) sizes.push(page.entry.length);
      expect(sizes).toEqual([100, 100, 50]);
      const ids = new Set<string>();
      for await (const goal of connect().resources('Goal?patient=amy&_count=100')) ids.add(goal.id);
      expect(ids.size).toBe(goalCount);
    });
    test('searches in the chart of the patient who was chosen at the login', async () => {
      const { total } = await connect().patient.request('Goal');
      expect(total).toBe(goalCount);
    });
    test('creates a resource, and reads it at its Location', async () => {
      const { body, response } = await connect().create(immunizationOf('smart'), { includeResponse: true });
      expect(body).toMatchObject(immunizationOf('smart'));
      const location = response.headers.get('location') ?? '';
      expect(location).toBe(`${clinic().baseUrl}/Immunization/${body.id}`);
      expect(await connect().request(location)).toEqual(body);
    });
    test('updates a resource that it has read, if nobody else has changed it', async () => {
      const { body: team, response } = await connect().request({
        url: 'CareTeam/smart',
        includeResponse: true,
      });
      const headers = { 'If-Match': response.headers.get('etag') };
      const update = () => connect().update({ ...team, participant: [ada] }, { headers });
      expect(await update()).toMatchObject({ id: 'smart', participant: [ada] });
      await expect(update()).rejects.toMatchObject({
        status: 412,
        message: expect.stringContaining('Resource updated since If-Unmodified-Since date'),
      });
    });
    test('marks an immunization as entered in error', async () => {
      const read = await create();
      const marked = await connect().update({ ...read, status: 'entered-in-error' });
      expect(marked).toMatchObject({ id: read.id, status: 'entered-in-error', meta: { versionId: '2' } });
    });
    test('reads the patient who was chosen at the login', async () => {
      expect(await connect().patient.read()).toMatchObject({ resourceType: 'Patient', id: 'amy' });
    });
    test('resolves the references of a resource', async () => {
      const resolveReferences = ['subject', 'expressedBy'];
      const goal = await connect().request('Goal/goal-0', { resolveReferences });
      expect(goal).toMatchObject({
        subject: { resourceType: 'Patient', id: 'amy' },
        expressedBy: { resourceType: 'Practitioner', id: 'ada' },
      });
    });
    test('rejects with 304 if it names the version that it has', async () => {
      const headers = { 'If-None-Match': 'W/"2"' };
      await expect(connect().request({ url: 'Goal/goal-0', headers })).rejects.toMatchObject({ status: 304 });
    });
    test('rejects with the OperationOutcome of an error', async () => {
      const wrong = connect().create({ ...immunizationOf('smart'), primarySource: 'no' });
      await expect(wrong).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('Immunization.primarySource'),
      });
      await expect(connect().request('Goal/none')).rejects.toMatchObject({
        status: 404,
        message: expect.stringContaining("Unknown Goal resource 'none'"),
      });
    });
    test('writes to the interface with its defaults: it follows the Location, and an update is null', async () => {
      const created = await create(clinic().nullUrl);
      expect(created).toMatchObject(immunizationOf('smart'));
      const marked = await connect(clinic().nullUrl).update({ ...created, status: 'entered-in-error' });
      expect(marked).toBeNull();
    });
  });
};
