import { createRequire } from 'node:module';
import { introspectionAuthentication, jwtAuthentication } from '@clinical-records/http-adapter/jwt';
import { expect, test } from 'vitest';
import { launch, startAuthorizationServer } from './authorization-server.ts';
import { createBrowser } from './browser.ts';
import { openClinic } from './clinic.ts';

/** The functions of fhirclient, the JavaScript client of SMART, that are used here. */
type Smart = (
  request: object,
  response: object,
) => {
  authorize(params: object): Promise<string>;
  ready(): Promise<{
    readonly patient: { readonly id: string; read(): Promise<object> };
    readonly user: { readonly fhirUser: string };
    readonly state: { readonly tokenResponse: { readonly access_token: string; readonly id_token: string } };
    request(url: string): Promise<{ readonly total: number }>;
  }>;
};

const require = createRequire(import.meta.url);
// Its own types would bring those of a browser into every file of the project.
const smart: Smart = require('fhirclient');

const app = {
  redirectUri: 'https://app.example/callback',
  clientId: 'growth-chart',
  scope: 'openid fhirUser launch patient/*.rs',
};

const clients = [
  {
    client_id: app.clientId,
    backchannel_logout_uri: 'https://app.example/logout',
    token_endpoint_auth_method: 'none' as const,
    redirect_uris: [app.redirectUri],
    scope: app.scope,
  },
  {
    client_id: 'records',
    client_secret: 'secret-of-records',
    grant_types: [],
    response_types: [],
    redirect_uris: [],
  },
];

/** A clinic whose tokens are issued by an authorization server, and verified in one of two ways. */
const startClinic = async (format: 'jwt' | 'opaque') => {
  const clinic = await openClinic();
  const server = await startAuthorizationServer(clinic.fhirUrl, { clients, format });
  const { issuer, jwks, introspection: endpoint } = server;
  const names = { issuer, audience: clinic.fhirUrl };
  clinic.serve({
    authenticate:
      format === 'jwt'
        ? jwtAuthentication({ ...names, jwks })
        : introspectionAuthentication({
            ...names,
            endpoint,
            clientId: 'records',
            clientSecret: 'secret-of-records',
          }),
    smartConfiguration: {
      ...{ issuer, jwks_uri: jwks, introspection_endpoint: endpoint },
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: server.token,
      capabilities: [
        'launch-ehr',
        'client-public',
        'context-ehr-patient',
        'sso-openid-connect',
        'permission-v2',
      ],
      code_challenge_methods_supported: ['S256'],
    },
  });
  return { ...clinic, server };
};

/** An EHR opens the app for the patient on its screen. The app gets a token in the browser of the user. */
const launchApp = async (iss: string, handle: string, changed = (url: string) => url) => {
  const session = {};
  const at = (url: string) =>
    smart({ url, headers: { host: 'app.example', 'x-forwarded-proto': 'https' }, socket: {}, session }, {});
  const begin = await at('/launch').authorize({
    ...app,
    iss,
    launch: handle,
    scope: app.scope,
    noRedirect: true,
  });
  const { pathname, search } = await createBrowser().open(changed(begin), app.redirectUri);
  return at(`${pathname}${search}`).ready();
};

test.each(['jwt', 'opaque'] as const)(
  'an app that an EHR launches sees the chart that is open there, and no other: by %s tokens',
  async (format) => {
    const clinic = await startClinic(format);
    const client = await launchApp(clinic.fhirUrl, launch.handle);
    expect(client.patient.id).toBe('amy');
    expect(client.user.fhirUser).toBe('Practitioner/ada');
    expect(await client.patient.read()).toMatchObject({ resourceType: 'Patient', id: 'amy' });
    expect(await client.request('Goal')).toMatchObject({
      total: 1,
      entry: [{ resource: { id: 'goal-amy' } }],
    });
    await expect(client.request('Goal/goal-ben')).rejects.toMatchObject({ status: 404 });

    const { access_token: token } = client.state.tokenResponse;
    expect(token.split('.')).toHaveLength(format === 'jwt' ? 3 : 1);
    const team = JSON.stringify({ id: 'amy', participant: [] });
    expect(await clinic.request('/CareTeam/amy', token, { method: 'PUT', body: team })).toMatchObject({
      status: 403,
    });
    expect((await clinic.request('/Goal', `${token}x`)).status).toBe(401);
  },
);

test('an app gets no token for a launch that did not happen, or for another server', async () => {
  const clinic = await startClinic('jwt');
  await expect(launchApp(clinic.fhirUrl, 'launch-2')).rejects.toThrow('The launch is not known.');
  const forAnother = (url: string) => {
    const sent = new URL(url);
    sent.searchParams.set('aud', 'https://other.example/fhir');
    return sent.href;
  };
  await expect(launchApp(clinic.fhirUrl, launch.handle, forAnother)).rejects.toThrow('resource indicator');
});

test('a logout token of the app is refused, and an ID token if only at+jwt is accepted: even where the app is an audience', async () => {
  const clinic = await startClinic('jwt');
  const { issuer, jwks } = clinic.server;
  const { access_token, id_token } = (await launchApp(clinic.fhirUrl, launch.handle)).state.tokenResponse;
  const tokens = [access_token, await clinic.server.logoutToken(app.clientId), id_token];
  const answers = async (typ: { readonly typ?: 'at+jwt' }) => {
    const refusals: string[] = [];
    const authenticate = jwtAuthentication({
      ...{ issuer, jwks, audience: [clinic.fhirUrl, app.clientId], ...typ },
      onRefusal: (reason) => refusals.push(reason),
    });
    const principals = [];
    for (const token of tokens) {
      principals.push(await authenticate(token, {} as never));
    }
    return { subjects: principals.map((principal) => principal?.subject), refusals };
  };
  const notOfAccess = 'The type of the token is not that of an access token.';
  // An ID token of this server has no sign of its kind. It has no scopes, so it grants nothing.
  expect(await answers({})).toEqual({
    subjects: ['Practitioner/ada', undefined, 'Practitioner/ada'],
    refusals: [notOfAccess],
  });
  const notDemanded = 'The token does not have the type at+jwt.';
  expect(await answers({ typ: 'at+jwt' })).toEqual({
    subjects: ['Practitioner/ada', undefined, undefined],
    refusals: [notDemanded, notDemanded],
  });
});
