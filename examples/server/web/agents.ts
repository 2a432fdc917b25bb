import type { HttpHandler } from '@clinical-records/http-adapter';
import { createMcpHandler } from '@clinical-records/http-adapter/mcp';
import type { Site } from '../serve/site.ts';

/** The software of a token that names none. */
const agent = { reference: 'Device/assistant', display: 'Assistant' } as const;

/** Serves AI agents at `/mcp` with the tokens of the site. Source: docs/agents.md. */
export const withAgents = (
  handler: HttpHandler,
  { access, basePath, baseUrl, corsOrigins }: Pick<Site, 'access' | 'basePath' | 'baseUrl' | 'corsOrigins'>,
  { origin, onError }: { readonly origin: string; readonly onError: (cause: Error) => void },
): HttpHandler =>
  createMcpHandler(handler, {
    url: `${baseUrl === null ? origin : new URL(baseUrl).origin}/mcp`,
    ...{ basePath, agent, onError },
    ...(access._tag === 'AuthorizationServer' &&
      /^https?:/.test(access.issuer) && { authorizationServers: [access.issuer] }),
    ...(Array.isArray(corsOrigins) && { origins: corsOrigins }),
  });
