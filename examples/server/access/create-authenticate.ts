import type { HttpHandlerOptions } from '@clinical-records/http-adapter';
import { jwtAuthentication } from '@clinical-records/http-adapter/jwt';
import type { Log } from '../serve/log.ts';
import type { Access } from './access.ts';
import { createFindPrincipal } from './grants.ts';
import { watchTokens } from './watch-tokens.ts';

/** Creates the authentication of a process, until the signal comes. Throws a `CommandError` for a wrong file of tokens. */
export const createAuthenticate = (
  access: Access,
  {
    signal,
    log,
    baseUrl,
  }: {
    readonly signal: AbortSignal;
    readonly log: Log['sentence'];
    /** The URL of the interface for clients; null if it is not known. */
    readonly baseUrl: string | null;
  },
): HttpHandlerOptions['authenticate'] => {
  switch (access._tag) {
    case 'PrintedToken':
      return createFindPrincipal([access.grant]);
    case 'TokensFile':
      return watchTokens(access.file, { signal, log });
    case 'AuthorizationServer': {
      const { _tag, ...options } = access;
      return jwtAuthentication({
        ...options,
        baseUrl: [access.audience, ...(baseUrl === null ? [] : [baseUrl])],
        onRefusal: (reason) => log(`a token is refused: ${reason}`, 'warn'),
      });
    }
  }
};
