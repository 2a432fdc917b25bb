import * as E from 'fp-ts/lib/Either.js';
import type { AccessHooks, AnswerContent } from '../access/access.ts';
import type {
  AuthorizeCharts,
  ChartLimit,
  LimitByType,
  ReachedCharts,
  ReadOptions,
} from '../access/chart-limit.ts';
import type { Environment } from '../environment.ts';
import {
  type ClinicalError,
  invalidRequest,
  misuse,
  type Outcome,
  otherChartError,
  outOfReachError,
  storeFailure,
  toClinicalError,
} from '../errors.ts';
import type { ResourceLabels } from '../fhir/common-elements.ts';
import { isId } from '../fhir/reference.ts';
import { isObject } from '../fhir/schema.ts';
import { ClinicalRecordsError } from '../outcome.ts';
import {
  type MatchingFacts,
  meetsConditions,
  parseMatching,
  type RecordVersion,
} from '../search/matching.ts';
import { mergeConditions } from '../search/merge-conditions.ts';
import type { ClinicalStore, RecordRef, StoredRecord } from '../store/port.ts';
import type { SearchCondition } from '../store/query.ts';
import { LateAnswer, waitAtMost } from '../store/wait-at-most.ts';
import { type ResourceVersion, resourceLabels } from './page.ts';
import { isErasedVersion } from './transact.ts';

/** Whether there is a limit. An undefined `within` is a limit, too, such as from a session that has lost its patient. */
export const hasLimit = (limit: ChartLimit): boolean => 'within' in limit || 'matching' in limit;

/** The patients of the limit; null if there is none, or if one of them is not a valid id. */
export const limitedTo = ({ within }: ChartLimit): ReadonlySet<string> | null => {
  const patientIds: readonly unknown[] = Array.isArray(within) ? within : [within];
  return patientIds.every(isId) ? new Set(patientIds) : null;
};

/**
 * Whether a resource is within a limit to charts: every chart to which it belongs is. Without a known chart, it is within no
 * limit, and none is within a limit to resources.
 */
export const isWithinLimit = (
  limit: Pick<ChartLimit, 'within' | 'matching'>,
  patientIds: readonly string[],
): boolean => {
  if (!hasLimit(limit)) return true;
  if ('matching' in limit) return false;
  const reached = limitedTo(limit);
  return reached !== null && patientIds.length > 0 && patientIds.every((id) => reached.has(id));
};

/** The limit in the options of a read. One that is left out is none, and an undefined one is one. */
export const limitIn = ({ authorize, ...options }: ChartLimit): ChartLimit => ({
  ...('within' in options && { within: options.within }),
  ...('matching' in options && { matching: options.matching }),
  authorize,
});

/** The limits of a caller: those of its options, or their own limit for every type. */
export const limitOf = (options: ReadOptions): LimitByType => {
  const { reach } = options;
  if (reach !== undefined) return reach;
  const limit = limitIn(options);
  return () => limit;
};

/** Whether `authorize` returned `{}`, or a valid `within` and nothing else: another name is a misspelt limit. */
const isAuthorization = (answer: unknown): answer is Pick<ChartLimit, 'within'> =>
  isObject(answer) &&
  Object.prototype.toString.call(answer) === '[object Object]' &&
  Object.keys(answer).every((name) => name === 'within') &&
  (!('within' in answer) || limitedTo(answer) !== null);

/**
 * Asks `authorize` which charts are reached. Throws a `Misuse` if it returns anything else than a limit, and a `StoreFailure` if it
 * takes too long.
 */
export const askAuthorize = async (
  authorize: AuthorizeCharts,
  reached: ReachedCharts,
): Promise<Pick<ChartLimit, 'within'>> => {
  const answer: unknown = await waitAtMost('authorize', authorize(reached)).catch((cause) => {
    throw cause instanceof LateAnswer
      ? new ClinicalRecordsError(storeFailure('authorize-timeout', cause))
      : cause;
  });
  if (isAuthorization(answer)) return answer;
  throw new ClinicalRecordsError(
    misuse('`authorize` must return {}, or { within } with the id of a patient or an array of ids.'),
  );
};

/** Whether the caller reaches the chart of a patient. */
type ChartPredicate = (patientId: string | null) => boolean;

/** The resource about which `authorize` is asked. */
type LabelledResource = { readonly id: string | null; readonly labels?: ResourceLabels | undefined };

/**
 * The charts and resources that a caller may see and write. Its functions answer yes or no. The place that asks refuses what the
 * request names, and reports what it has looked up as not found, so that its existence stays hidden.
 */
export type Reach = {
  /** Whether anything is out of reach, or may be. */
  readonly isLimited: boolean;
  /** Whether `authorize` is asked. */
  readonly asks: boolean;
  /** Whether it depends on a resource, and not only on its chart, if it is covered. */
  readonly limitsResources: boolean;
  /** The patients to whose charts the caller is limited; null if there is no such limit. */
  readonly patientIds: ReadonlySet<string> | null;
  /** Whether the chart of a patient is within the limit. */
  readonly admits: ChartPredicate;
  /** Whether a version of a record is within the limit, by its chart and its resource. */
  readonly covers: (version: RecordVersion) => boolean;
  /** Whether the chart of a patient is within the limit, and `authorize` allows it. */
  readonly allows: (patientId: string | null, resource: LabelledResource) => Promise<boolean>;
  /** Whether a version of a record is within the limit, and `authorize` allows it. It is asked about `id`. */
  readonly shows: (version: RecordVersion, id?: string | null) => Promise<boolean>;
  /** Determines the charts to which an update of a record may write: only that of the record, if it depends on the record. */
  readonly forUpdate: (store: ClinicalStore, record: RecordRef) => Outcome<ChartPredicate>;
  /** Refuses a created resource that is out of reach of its sender. */
  readonly created: (version: ResourceVersion) => E.Either<ClinicalError, ResourceVersion>;
  /** Limits a search. One for another chart is refused, because an empty bundle would say that the chart is empty. */
  readonly limit: (
    conditions: readonly SearchCondition[],
  ) => E.Either<ClinicalError, readonly SearchCondition[]>;
  /** Limits merged conditions to the charts for which a search is authorized, whose patients are those of the conditions. */
  readonly authorized: (conditions: readonly SearchCondition[]) => Promise<readonly SearchCondition[]>;
  /** Reports to the caller what is shown, if it asks for that. */
  readonly report: (returned: () => AnswerContent) => void;
};

/** The type whose resources a limit is about, and the time zone and the clock of its dates. */
type LimitedType = Pick<Environment, 'zone' | 'now'> & { readonly facts: MatchingFacts };

/** The resources of a limit: the conditions that find them, and whether a version meets these. */
type LimitedResources = {
  readonly conditions: readonly SearchCondition[];
  readonly isMatch: (version: RecordVersion) => boolean;
};

/** Parses the searches of `matching`; null if there are none. Without a type, only charts are known, and such a limit is refused. */
const parseResources = (
  limit: ChartLimit,
  type: LimitedType | undefined,
): E.Either<ClinicalError, LimitedResources | null> => {
  if (!('matching' in limit)) return E.right(null);
  if (type === undefined) return E.left(otherChartError);
  const { facts, zone, now } = type;
  const parsed = parseMatching(facts, limit.matching ?? [], { zone, now: now() });
  if (E.isLeft(parsed)) return E.left(invalidRequest(parsed.left));
  const conditions = parsed.right;
  return E.right({ conditions, isMatch: meetsConditions(facts, conditions, zone) });
};

const labelsIn = (type: string, { id, resource }: Pick<RecordVersion, 'id' | 'resource'>): ResourceLabels =>
  resource === null ? {} : resourceLabels(type, { id, resource });

const onPatients = (patientIds: Iterable<string>): SearchCondition => ({
  on: 'patient',
  anyOf: [...patientIds],
});

/** Limits merged conditions to the charts that `authorize` allows. A search that can find nobody is not asked about. */
const authorizeConditions = async (
  conditions: readonly SearchCondition[],
  authorize: AuthorizeCharts,
): Promise<readonly SearchCondition[]> => {
  const named = conditions.find((condition) => condition.on === 'patient');
  if (named?.anyOf.length === 0) return conditions;
  const answer = await authorize({ id: null, patientIds: named?.anyOf ?? [], labels: {} });
  if (!hasLimit(answer)) return conditions;
  return mergeConditions([...conditions, onPatients(limitedTo(answer) ?? [])]);
};

/**
 * Opens the reach of a caller, into the resources of a type or, without one, only into charts. The options count as they are at
 * the call. A limit without a valid patient is refused for every request.
 */
export const openReach = (
  options: ChartLimit & AccessHooks,
  limitedType?: LimitedType,
): E.Either<ClinicalError, Reach> => {
  const { authorize: ask, onReturn, onDeny } = options;
  const authorize: AuthorizeCharts | undefined = ask && ((reached) => askAuthorize(ask, reached));
  const patientIds = 'within' in options ? limitedTo(options) : null;
  if ('within' in options && patientIds === null) return E.left(otherChartError);
  const parsed = parseResources(options, limitedType);
  if (E.isLeft(parsed)) return parsed;
  const resources = parsed.right;

  const deny = (patientId: string | null): false => {
    if (patientId !== null) onDeny?.(patientId);
    return false;
  };

  const admits: Reach['admits'] = (patientId) =>
    patientIds === null || (patientId !== null && patientIds.has(patientId)) || deny(patientId);

  const covers: Reach['covers'] = (version) =>
    admits(version.patientId) &&
    (resources === null || resources.isMatch(version) || deny(version.patientId));

  const allows: Reach['allows'] = async (patientId, { id, labels = {} }) => {
    if (!admits(patientId)) return false;
    if (authorize === undefined) return true;
    const charts = patientId === null ? [] : [patientId];
    return isWithinLimit(await authorize({ id, patientIds: charts, labels }), charts) || deny(patientId);
  };

  const shows: Reach['shows'] = async (version, id = version.id) =>
    covers(version) &&
    (authorize === undefined ||
      allows(version.patientId, { id, labels: labelsIn(limitedType?.facts.type ?? '', version) }));

  return E.right({
    isLimited: patientIds !== null || resources !== null || authorize !== undefined,
    asks: authorize !== undefined,
    limitsResources: resources !== null,
    patientIds,
    admits,
    covers,
    allows,
    shows,

    forUpdate: async (store, record) => {
      if (authorize === undefined && resources === null) return E.right(admits);
      const read = await store.read(record);
      if (E.isLeft(read)) return E.left(toClinicalError(read.left));
      const stored: StoredRecord | null = read.right;
      if (stored === null || stored.patientId === null || isErasedVersion(stored))
        return E.right(() => false);
      const isShown = await shows(stored);
      return E.right((patientId) => isShown && patientId === stored.patientId);
    },

    created: (version) =>
      covers({ ...version, resource: version.json }) ? E.right(version) : E.left(outOfReachError),

    limit: (conditions) => {
      const isOther = (condition: SearchCondition): boolean =>
        condition.on === 'patient' && condition.anyOf.filter((id) => !admits(id)).length > 0;
      if (conditions.some(isOther)) return E.left(otherChartError);
      const within = patientIds === null ? conditions : [...conditions, onPatients(patientIds)];
      return E.right(resources === null ? within : [...within, ...resources.conditions]);
    },

    authorized: async (conditions) =>
      authorize === undefined ? conditions : authorizeConditions(conditions, authorize),

    report: (returned) => onReturn?.(returned()),
  });
};

/** The reach of a caller, and the id of the resource about which `authorize` is asked; null for a search. */
export type AskedReach = { readonly reach: Reach; readonly id: string | null };

/** Whether the versions of a record in a chart are within the charts of all reaches, by the labels that the record has now. */
export const openVersions = async (
  store: ClinicalStore,
  { record, patientId }: { readonly record: RecordRef; readonly patientId: string | null },
  reaches: readonly AskedReach[],
): Outcome<boolean> => {
  if (!reaches.every(({ reach }) => reach.admits(patientId))) return E.right(false);
  if (!reaches.some(({ reach }) => reach.asks)) return E.right(true);
  const current = await store.readResource(record);
  if (E.isLeft(current)) return E.left(toClinicalError(current.left));
  const labels = current.right === null ? {} : labelsIn(record.type, { ...current.right, id: record.id });
  for (const { reach, id } of reaches) {
    if (!(await reach.allows(patientId, { id, labels }))) return E.right(false);
  }
  return E.right(true);
};
