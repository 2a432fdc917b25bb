import * as E from 'fp-ts/lib/Either.js';
import type { ChartLimit, ReadOptions } from '../access/chart-limit.ts';
import { describeParameters, type ParameterDescription } from '../description/describe-parameters.ts';
import { type ClinicalError, invalidRequest } from '../errors.ts';
import { type BundleLink, type BundleUrls, linkTo } from '../fhir/bundle.ts';
import { createTimeZone } from '../fhir/date-time.ts';
import { askAuthorize, hasLimit, limitedTo } from '../records/reach.ts';
import { parameterIssue, unknownParameterIssue } from '../search/issues.ts';
import { formatCursor, unknownCursorIssue } from '../search/paging.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import { type ParsedSearch, parseSearch } from '../search/parse-search.ts';
import type { SearchInput, SearchPairs } from '../search/search-input.ts';
import type { DateCriterion, SearchCondition } from '../store/query.ts';
import type { AuditQuery } from './port.ts';

/** The types of users. A host may also name a user by the reference of a `Person`. */
const userTypes = [
  'Practitioner',
  'PractitionerRole',
  'Patient',
  'RelatedPerson',
  'Person',
  'Device',
  'Organization',
] as const;

/** Source: FHIR R4, AuditEvent, 6.4.6. */
const auditParameters = {
  patient: { kind: 'patient' },
  /** The user. */
  agent: { kind: 'reference', types: userTypes },
  /** When the answer was ready. */
  date: { kind: 'date' },
} as const satisfies SearchParameterTable;

/** The search parameters of an audit log. Source: docs/audit.md. */
export interface AuditSearch extends SearchInput<typeof auditParameters> {}

/** The description of these parameters. A page begins after another one, and not at a number. */
export const describeAuditSearch = (): readonly ParameterDescription[] =>
  describeParameters({ declared: auditParameters }).filter(({ name }) => name !== '_offset');

/** The times that a criterion allows. An event has a time of one millisecond. */
const rangeOf = ({ prefix, from, until }: DateCriterion): Pick<AuditQuery, 'from' | 'until'> | null => {
  switch (prefix) {
    case 'eq':
    case 'ap':
      return { from, until };
    case 'ge':
      return { from };
    case 'gt':
    case 'sa':
      return { from: until };
    case 'le':
      return { until };
    case 'lt':
    case 'eb':
      return { until: from };
    case 'ne':
      return null;
  }
};

const intersect = (ids: readonly string[] | undefined, allowed: readonly string[]): readonly string[] =>
  ids === undefined ? allowed : ids.filter((value) => allowed.includes(value));

/** Narrows a query by a condition; null if the log cannot be searched by it. */
const narrow = (query: AuditQuery, condition: SearchCondition): AuditQuery | null => {
  switch (condition.on) {
    case 'patient':
      return { ...query, patientIds: intersect(query.patientIds, condition.anyOf) };
    case 'reference': {
      const users = condition.anyOf.map(({ type, id }) => `${type}/${id}`);
      return { ...query, users: intersect(query.users, users) };
    }
    case 'date': {
      const [criterion, ...rest] = condition.anyOf;
      const range = criterion === undefined || rest.length > 0 ? null : rangeOf(criterion);
      if (range === null) return null;
      const { from = query.from, until = query.until } = range;
      return {
        ...query,
        ...(from !== undefined && { from: Math.max(from, query.from ?? from) }),
        ...(until !== undefined && { until: Math.min(until, query.until ?? until) }),
      };
    }
    default:
      return null;
  }
};

/** Limits a query to the charts that the caller reaches. Events without a patient are then out of reach, too. */
export const limitQuery = async (query: AuditQuery, limit: ChartLimit): Promise<AuditQuery> => {
  let { patientIds } = query;
  const asked = { id: null, patientIds: patientIds ?? [], labels: {} };
  const authorized = limit.authorize && (await askAuthorize(limit.authorize, asked));
  for (const chartLimit of [limit, authorized ?? {}].filter(hasLimit)) {
    // Without a valid patient, a limit reaches no chart. An event is not one of the resources of a limit.
    const reached = 'matching' in chartLimit ? null : limitedTo(chartLimit);
    patientIds = intersect(patientIds, [...(reached ?? [])]);
  }
  return { ...query, patientIds };
};

export type ParsedAuditSearch = { readonly search: ParsedSearch; readonly query: AuditQuery };

/** Parses a search in an audit log. Dates without an offset are in UTC. */
export const parseAuditSearch = (
  parameters: SearchPairs | object,
  { handling = 'strict' }: ReadOptions,
): E.Either<ClinicalError, ParsedAuditSearch> => {
  const time = { zone: createTimeZone('UTC'), now: Date.now() };
  const parsed = parseSearch(parameters, { declared: auditParameters, handling, time });
  if (E.isLeft(parsed)) return parsed;
  const { conditions, paging } = parsed.right;
  if (paging.offset > 0) {
    return E.left(invalidRequest(unknownParameterIssue('_offset', Object.keys(auditParameters))));
  }
  const before = paging.cursor === null ? undefined : Number(paging.cursor.after);
  if (before !== undefined && !Number.isSafeInteger(before))
    return E.left(invalidRequest(unknownCursorIssue));
  let query: AuditQuery = { before, count: paging.count };
  for (const condition of conditions) {
    const narrowed = narrow(query, condition);
    if (narrowed === null) return E.left(invalidRequest(parameterIssue('search-value', 'date')));
    query = narrowed;
  }
  return E.right({ search: parsed.right, query });
};

/** The links of a page: this one, and the next one if there is more. */
export const auditLinks = (
  { used, paging: { count, cursor } }: ParsedSearch,
  next: number | null,
  urls: BundleUrls,
): BundleLink[] => {
  const path = linkTo(urls, 'AuditEvent');
  const link = (relation: BundleLink['relation'], after: string | null): BundleLink => {
    const query = new URLSearchParams(used.map(([name, value]): [string, string] => [name, value]));
    query.append('_count', `${count}`);
    if (after !== null) query.append('_after', after);
    return { relation, url: `${path}?${query}` };
  };
  return [
    link('self', cursor === null ? null : formatCursor(cursor)),
    ...(next === null ? [] : [link('next', formatCursor({ after: `${next}` }))]),
  ];
};
