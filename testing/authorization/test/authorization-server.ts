import type { IncomingMessage, ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { type ClientMetadata, type Configuration, errors, Provider } from 'oidc-provider';
import { vi } from 'vitest';
import { listen } from './listen.ts';

/** Who is logged in to the EHR, and the patient whose chart is open there when it launches an app. */
export const launch = {
  handle: 'launch-1',
  user: 'ada',
  fhirUser: 'Practitioner/ada',
  patient: 'amy',
} as const;

/** The scopes of resources that clients can have. */
const resourceScopes = 'patient/*.rs user/*.cruds system/*.rs system/Immunization.cruds system/AuditEvent.rs';

export const createKey = async (alg: string) => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const kid = `${alg}-${crypto.randomUUID()}`;
  const publicJwk: JWK = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
  return { kid, alg, privateKey, publicJwk, privateJwk: { ...publicJwk, ...(await exportJWK(privateKey)) } };
};

/** What an authorization server for the records at `fhirUrl` has to be told. Its tokens are JWTs or opaque. */
const configurationFor = (
  fhirUrl: string,
  { clients, signingKey, format }: { clients: ClientMetadata[]; signingKey: JWK; format: 'jwt' | 'opaque' },
): Configuration => ({
  clients,
  jwks: { keys: [signingKey] },
  cookies: { keys: [crypto.randomUUID()] },
  scopes: ['openid', 'fhirUser', 'launch', ...resourceScopes.split(' ')],
  claims: { openid: ['sub'], fhirUser: ['fhirUser'] },
  // The parameters that SMART adds to a request for authorization.
  extraParams: ['aud', 'launch'],
  pkce: { required: () => true },
  findAccount: async (_, sub) => ({
    accountId: sub,
    claims: async () => ({ sub, fhirUser: launch.fhirUser }),
  }),
  // A user's token says who the user is, and whose chart is open.
  extraTokenClaims: async (_, token) =>
    'accountId' in token && token.accountId !== undefined
      ? { fhirUser: launch.fhirUser, patient: launch.patient }
      : undefined,
  features: {
    devInteractions: { enabled: false },
    clientCredentials: { enabled: true },
    backchannelLogout: { enabled: true },
    introspection: { enabled: true, allowedPolicy: (_, client) => client.clientId === 'records' },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => fhirUrl,
      useGrantedResource: () => true,
      getResourceServerInfo: (ctx, resource) => {
        const { aud = fhirUrl } = ctx.oidc.params ?? {};
        if (resource !== fhirUrl || aud !== fhirUrl) throw new errors.InvalidTarget();
        return {
          scope: resourceScopes,
          audience: fhirUrl,
          accessTokenFormat: format,
          accessTokenTTL: 300,
          ...(format === 'jwt' && { jwt: { sign: { alg: 'ES384' as const } } }),
        };
      },
    },
  },
});

/** Starts an authorization server for the records at a URL. It logs in the user of a launch, who agrees to all scopes. */
export const startAuthorizationServer = async (
  fhirUrl: string,
  { clients, format = 'jwt' }: { clients: ClientMetadata[]; format?: 'jwt' | 'opaque' },
) => {
  // It warns that its settings are for development, and that it forgets everything at its end.
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(console, 'info').mockReturnValue();
  const { origin: issuer, serve } = await listen();
  const { privateJwk } = await createKey('ES384');
  const configuration = configurationFor(fhirUrl, { clients, format, signingKey: privateJwk });
  const posted: URLSearchParams[] = [];
  const provider = new Provider(issuer, {
    ...configuration,
    // The server posts nothing but logout tokens.
    fetch: async (_, { body } = {}) => {
      posted.push(body as URLSearchParams);
      return new Response();
    },
    clientDefaults: { id_token_signed_response_alg: 'ES384' },
    enabledJWA: {
      ...{ idTokenSigningAlgValues: ['ES384'], clientAuthSigningAlgValues: ['ES384', 'RS384'] },
    },
  });

  // The response with the token says the launch context, too. Source: SMART App Launch 2.2, "Launch context arrives with your access_token".
  provider.use(async (ctx, next) => {
    await next();
    if (ctx.oidc?.route === 'token' && ctx.oidc.entities.Account !== undefined && ctx.status === 200) {
      ctx.body = { ...(ctx.body as object), patient: launch.patient };
    }
  });

  const logIn = async (request: IncomingMessage, response: ServerResponse) => {
    const { params } = await provider.interactionDetails(request, response);
    if (params.launch !== launch.handle) {
      const error = { error: 'access_denied', error_description: 'The launch is not known.' };
      return provider.interactionFinished(request, response, error);
    }
    const grant = new provider.Grant({ accountId: launch.user, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    grant.addResourceScope(fhirUrl, String(params.scope));
    return provider.interactionFinished(request, response, {
      login: { accountId: launch.user },
      consent: { grantId: await grant.save() },
    });
  };

  const handle = provider.callback();
  serve((request, response) =>
    request.url?.startsWith('/interaction/') ? logIn(request, response) : handle(request, response),
  );
  return {
    issuer,
    jwks: `${issuer}/jwks`,
    token: `${issuer}/token`,
    introspection: `${issuer}/token/introspection`,
    /** The token that the server posts to a client when the user of a launch logs out. */
    logoutToken: async (clientId: string): Promise<string> => {
      // Its types leave the method out.
      const client = (await provider.Client.find(clientId)) as unknown as {
        backchannelLogout(user: string, session: string): Promise<void>;
      };
      await client.backchannelLogout(launch.user, 'session-1');
      return posted.pop()?.get('logout_token') ?? '';
    },
  };
};
