import type { Agent } from '@clinical-records/core/adapter';
import { checkOptionNames, type OptionNames, requireNumbers } from '@clinical-records/core/store';
import { isNamedAgent } from '../access/scopes.ts';
import { checkCors } from '../cors.ts';

/** Where agents find the interface, and how they get a token. */
export type McpOptions = {
  /** The URL of the endpoint for agents, such as `https://clinic.example/mcp`. Its path is served here. */
  readonly url: string;
  /** The software that acts if the principal of a token names no `agent`. So each call is that of an agent. */
  readonly agent: Agent;
  /** The `basePath` of the handler. Default: the root. */
  readonly basePath?: string;
  /**
   * The authorization servers that issue tokens for this URL: a 401 refers to the document that names them. Source: RFC 9728. Default:
   * agents get their tokens in another way.
   */
  readonly authorizationServers?: readonly string[];
  /** The scopes for which an agent asks the authorization server, such as `user/*.rs` and `user/Command.c`. Default: it decides. */
  readonly scopes?: readonly string[];
  /** The origins whose pages may call it, such as `https://app.example`. Default: none. Any other request with an `Origin` is a 403. */
  readonly origins?: readonly string[];
  /** The most bytes of chart data in one answer. Default: 64 KiB. */
  readonly answerLimit?: number;
  /** Is called with the cause of each 500 that the handler itself did not return. */
  readonly onError?: (cause: Error) => void;
};

const optionNames: OptionNames<McpOptions> = {
  url: true,
  agent: true,
  basePath: true,
  authorizationServers: true,
  scopes: true,
  origins: true,
  answerLimit: true,
  onError: true,
};

const isUrl = (text: unknown): boolean =>
  typeof text === 'string' && URL.canParse(text) && /^https?:\/\/[^?#]*$/.test(text);

/** Throws if an option is missing, not valid, or unknown. */
export const checkMcpOptions = (options: McpOptions): void => {
  checkOptionNames('createMcpHandler', options, optionNames);
  const { url, agent, authorizationServers = [], origins = [], answerLimit = 1024 } = options;
  if (!isUrl(url) || new URL(url).pathname === '/')
    throw new TypeError('url must be a URL with a path, such as https://clinic.example/mcp.');
  if (!isNamedAgent(agent)) throw new TypeError('agent must have a reference, such as Device/assistant.');
  if (!Array.isArray(authorizationServers) || !authorizationServers.every(isUrl))
    throw new TypeError('authorizationServers must be a list of URLs such as https://login.clinic.example.');
  checkCors({ origins });
  requireNumbers({ answerLimit }, 1024);
};
