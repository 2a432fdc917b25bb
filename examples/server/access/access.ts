import { jwtAuthentication } from '@clinical-records/http-adapter/jwt';
import { CommandError } from '../command/command-error.ts';
import type { Grant } from './grants.ts';

/** How requests are authenticated. It can be sent to another process. */
export type Access =
  | {
      /** By one token, which was created for this run and printed. */
      readonly _tag: 'PrintedToken';
      readonly grant: Grant;
    }
  | {
      /** By the tokens of a file. */
      readonly _tag: 'TokensFile';
      readonly file: string;
    }
  | {
      /** By the tokens of an authorization server. */
      readonly _tag: 'AuthorizationServer';
      readonly jwks: string;
      readonly issuer: string;
      readonly audience: string;
    };

/** The flags that say how requests are authenticated. */
type AccessFlags = Readonly<Record<'tokens' | 'jwks' | 'issuer' | 'audience', string | undefined>>;

/** The access that flags ask for; null if they ask for none. Throws a `CommandError` for a wrong combination or value. */
export const parseAccess = ({ tokens, jwks, issuer, audience }: AccessFlags): Access | null => {
  if (jwks === undefined) {
    if (issuer !== undefined || audience !== undefined) {
      throw new CommandError('--issuer and --audience go with --jwks');
    }
    if (tokens === '') throw new CommandError('--tokens names nothing');
    return tokens === undefined ? null : { _tag: 'TokensFile', file: tokens };
  }
  if (tokens !== undefined) {
    throw new CommandError('--tokens and --jwks cannot be combined: name one of them');
  }
  if (!issuer || !audience) {
    throw new CommandError('--jwks needs --issuer and --audience, as the tokens name them in iss and aud');
  }
  try {
    jwtAuthentication({ jwks, issuer, audience });
  } catch (cause) {
    throw new CommandError(`--${(cause as Error).message.replace(/\.$/, '')}`);
  }
  return { _tag: 'AuthorizationServer', jwks, issuer, audience };
};
