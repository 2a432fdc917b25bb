import { randomUUID } from 'node:crypto';
import type { Duties } from '../floors/floor-listener.ts';
import { token } from '../token.ts';

/** A version in our tables. PostgreSQL returns its time as a text. */
export type VersionRow = {
  readonly id: string;
  readonly version: number;
  readonly at: number | string;
  readonly resource: string;
};

const dayLength = 86_400_000;

/** The day that was formatted last, in both formats: most times that are formatted one after the other share one. */
let lastDay = { day: Number.NaN, iso: '', http: '' };

const twoDigits = (number: number): string => (number < 10 ? `0${number}` : `${number}`);

const formatTime = (milliseconds: number): { readonly iso: string; readonly http: string } => {
  const day = Math.floor(milliseconds / dayLength);
  if (day !== lastDay.day) {
    const date = new Date(milliseconds);
    lastDay = { day, iso: date.toISOString().slice(0, 11), http: date.toUTCString().slice(0, 17) };
  }
  const seconds = Math.floor((milliseconds - day * dayLength) / 1000);
  const minutes = Math.floor(seconds / 60);
  const time = `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}`;
  const fraction = String(1000 + (milliseconds % 1000)).slice(1);
  return { iso: `${lastDay.iso}${time}.${fraction}+00:00`, http: `${lastDay.http}${time} GMT` };
};

/** The beginning of the `meta` of a stored resource that conforms to its profile. */
const storedMeta = ',"meta":{';

/**
 * The duties of each of our responses, written by hand in the fewest steps: to check the token, to send the headers, and to
 * add `meta`. They are for immunizations only, without errors, scopes or limits.
 */
export const duties: Duties<VersionRow> = {
  admits: ({ headers }) => headers.authorization === `Bearer ${token}`,
  headersOf: ({ headers }, row) => ({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'x-request-id': headers['x-request-id'] ?? randomUUID(),
    ...(row !== null && { etag: `W/"${row.version}"`, 'last-modified': formatTime(Number(row.at)).http }),
  }),
  textOf: (type, { id, version, at, resource }) => {
    const afterId = '{"resourceType":"","id":""'.length + type.length + id.length;
    const meta = `,"meta":{"versionId":"${version}","lastUpdated":"${formatTime(Number(at)).iso}"`;
    return resource.startsWith(storedMeta, afterId)
      ? `${resource.slice(0, afterId)}${meta},${resource.slice(afterId + storedMeta.length)}`
      : `${resource.slice(0, afterId)}${meta}}${resource.slice(afterId)}`;
  },
};
