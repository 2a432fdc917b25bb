import { isIP } from 'node:net';
import type { PreferredReturn } from '@clinical-records/http-adapter';
import type { LogFormat } from '../serve/log.ts';
import { CommandError } from './command-error.ts';

// The values of the flags that say how the records are served. Each throws a `CommandError` for a value that is not valid.

export const parseHost = (text: string): string => {
  if (isIP(text) !== 0 || /^[a-z\d]([a-z\d.-]*[a-z\d])?$/i.test(text)) return text;
  throw new CommandError(`--host is an address such as 0.0.0.0, or a name, not '${text}'`);
};

export const parsePort = (text: string): number => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new CommandError(`--port is a whole number from 0 to 65535, not '${text}'`);
  }
  return Number(text);
};

export const parseBasePath = (text: string): string => {
  if (!/^\/$|^(\/[\w.~-]+)+\/?$/.test(text)) {
    throw new CommandError(`--base-path is a path such as /fhir, not '${text}'`);
  }
  return text.replace(/\/$/, '');
};

export const parseBaseUrl = (text: string): string => {
  if (/^https?:\/\/[^?#]*[^/?#]$/.test(text) && URL.canParse(text)) return text;
  throw new CommandError(
    `--base-url is a URL such as https://clinic.example/fhir, without a slash at its end, not '${text}'`,
  );
};

export const parseCorsOrigins = (text: string): '*' | readonly string[] => {
  if (text === '*') return text;
  const origins = text.split(',');
  const wrong = origins.find((origin) => URL.parse(origin)?.origin !== origin);
  if (wrong === undefined) return origins;
  throw new CommandError(`--cors-origins is * or origins such as http://localhost:8080, not '${wrong}'`);
};

export const parseDefaultReturn = (text: string): PreferredReturn => {
  if (text === 'minimal' || text === 'representation') return text;
  throw new CommandError(`--default-return is minimal or representation, not '${text}'`);
};

/** The id of an organization, from the id or a reference. */
export const parseOrganization = (text: string): string => {
  const id = text.replace(/^Organization\//, '');
  if (/^[A-Za-z0-9.-]{1,64}$/.test(id)) return id;
  throw new CommandError(
    `--organization is the id of an organization in the data, such as 31, not '${text}'`,
  );
};

export const parseLog = (text: string): LogFormat => {
  if (text === 'text' || text === 'json') return text;
  throw new CommandError(`--log is text or json, not '${text}'`);
};

/** At most an hour, because a stop of the process waits for it. */
export const parseDrain = (text: string): number => {
  if (/^\d{1,4}$/.test(text) && Number(text) <= 3600) return Number(text);
  throw new CommandError(`--drain is a whole number of seconds from 0 to 3600, not '${text}'`);
};
