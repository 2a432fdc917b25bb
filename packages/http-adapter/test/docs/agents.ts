import type { AnyClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, type HttpHandlerOptions, type Principal } from '../../src/index.ts';
import { principalOfClaims, type TokenClaims } from '../../src/jwt.ts';
import { createMcpHandler } from '../../src/mcp.ts';

export const principalOf = (claims: TokenClaims, baseUrls: readonly string[]): Principal | null => {
  // #region principal
  const principal = principalOfClaims(claims, baseUrls);
  const { act } = claims as { readonly act?: { readonly sub: string } };
  if (principal === null || act === undefined) return principal;
  return { ...principal, agent: { reference: `Device/${act.sub}`, display: 'Scribe' } };
  // #endregion
};

export const openForAgents = (
  records: AnyClinicalRecords,
  authenticate: HttpHandlerOptions['authenticate'],
) => {
  // #region mcp
  const handler = createHttpHandler(records, { basePath: '/fhir', authenticate, chartCommands: true });
  const withAgents = createMcpHandler(handler, {
    url: 'https://clinic.example/mcp',
    basePath: '/fhir',
    agent: { reference: 'Device/assistant', display: 'Assistant' },
    authorizationServers: ['https://login.clinic.example'],
    scopes: ['user/*.rs', 'user/Command.crs'],
  });
  // createServer(toNodeListener(withAgents)).listen(3000, '127.0.0.1');
  // #endregion
  return withAgents;
};
