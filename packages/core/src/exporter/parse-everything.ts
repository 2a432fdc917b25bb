import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, invalidRequest } from '../errors.ts';
import type { PreferredHandling } from '../fhir/parse-body.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import { parseSentInterval } from '../search/date-criterion.ts';
import { parseHostSearch } from '../search/host-search.ts';
import { parameterIssue } from '../search/issues.ts';
import type { Paging } from '../search/paging.ts';
import type { SearchPair, SearchPairs } from '../search/search-input.ts';

/** The requested part of everything. */
export type EverythingRequest = {
  /** The types of resources; null for all. */
  readonly types: ReadonlySet<string> | null;
  /** Only resources of the chart that were written then or later, in milliseconds since 1970 in UTC. */
  readonly since: number;
  /** The requested page; null for everything at once. */
  readonly paging: Pick<Paging, 'count' | 'offset'> | null;
  readonly used: readonly SearchPair[];
};

const names = ['_type', '_since'];

const typePattern = /^[A-Z][A-Za-z]{0,63}$/;

/** Parses the parameters of the operation, or returns all of their issues. Source: FHIR R4, Patient, "$everything". */
export const parseEverything = (
  parameters: SearchPairs,
  { zone, handling }: { readonly zone: TimeZone; readonly handling: PreferredHandling | undefined },
): E.Either<ClinicalError, EverythingRequest> => {
  const pairs = [...parameters];
  const parsed = parseHostSearch(pairs, names, handling);
  if (E.isLeft(parsed)) return parsed;
  const { used, paging } = parsed.right;
  const valuesOf = (sent: string) => used.flatMap(([name, value]) => (name === sent ? [value] : []));
  const types = valuesOf('_type').flatMap((value) => value.split(','));
  const [since, ...more] = valuesOf('_since');
  const from = since === undefined ? Number.NEGATIVE_INFINITY : parseSentInterval(since, zone)?.from;
  const issues = [
    ...(types.every((type) => typePattern.test(type)) ? [] : [parameterIssue('search-value', '_type')]),
    ...(from === undefined ? [parameterIssue('search-since', '_since')] : []),
    ...(more.length > 0 ? [parameterIssue('repeated-parameter', '_since')] : []),
  ];
  if (from === undefined || issues.length > 0) return E.left(invalidRequest(issues));
  const isPaged = pairs.some(([name]) => name === '_count' || name === '_offset');
  return E.right({
    types: types.length === 0 ? null : new Set(types),
    since: from,
    paging: isPaged ? paging : null,
    used,
  });
};
