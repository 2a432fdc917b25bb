import * as E from 'fp-ts/lib/Either.js';
import type { AccessOptions } from '../access/access.ts';
import type { Environment } from '../environment.ts';
import {
  type ClinicalError,
  invalidRequest,
  type Outcome,
  otherChartError,
  outOfReachError,
  toClinicalError,
} from '../errors.ts';
import type { BundleUrls } from '../fhir/bundle.ts';
import type { ResourceLabels } from '../fhir/common-elements.ts';
import type { PreferredHandling } from '../fhir/parse-body.ts';
import { type AuthorReference, isId } from '../fhir/reference.ts';
import {
  laterVersion,
  type MatchingFacts,
  meetsConditions,
  parseMatching,
  type RecordVersion,
} from '../search/matching.ts';
import { mergeConditions } from '../search/merge-conditions.ts';
import type { ParsedSearch } from '../search/parse-search.ts';
import type { SearchPairs } from '../search/search-input.ts';
import type { ClinicalStore, StoredRecord } from '../store/port.ts';
import type { SearchCondition } from '../store/query.ts';
import { labelsOf, type ResourceVersion } from './page.ts';
import { isErasedVersion } from './transact.ts';

/** Limits an operation to the charts of some patients. */
export type ChartLimit = {
  /**
   * The id of one patient, or the ids of several. If it is left out, there is no limit. An empty list reaches no chart. If it is
   * undefined, or an id is not valid, every request is refused.
   */
  readonly within?: string | readonly string[];
  /**
   * Limits it to the resources that one of these searches finds, too, such as `[[['category', '108252007']]]`. Without one, it reaches
   * nothing. The searches have no modifiers, and differ in one parameter only. Functions that know only charts refuse this limit.
   */
  readonly matching?: readonly SearchPairs[];
  /** Is asked once it is known which charts an operation is about. */
  readonly authorize?: AuthorizeCharts | undefined;
};

/** The resource and the charts that an operation is about. */
export type ReachedCharts = {
  /** The id of the resource; null for a search, or for a resource that is to be created. */
  readonly id: string | null;
  /** The patients to whose charts it belongs, or whom a search names. Empty if a search names none: it is about all charts. */
  readonly patientIds: readonly string[];
  /** The security labels and tags of the resource: as it is now, or as a create sends it. Empty for a search. */
  readonly labels: ResourceLabels;
};

/**
 * Returns the charts that the caller may reach. A resource in another chart is reported as not found, and a search does not find
 * it. A write to another chart is refused. If it rejects, so does the operation, and nothing was written.
 */
export type AuthorizeCharts = (reached: ReachedCharts) => Promise<Pick<ChartLimit, 'within'>>;

/** The options of reads and searches. */
export type ReadOptions = ChartLimit &
  AccessOptions &
  BundleUrls & {
    /** A search refuses unknown parameters unless this is lenient and another condition is left. */
    readonly handling?: PreferredHandling | undefined;
    /**
     * The chart limit under which the caller may read resources of another type that the result shows or is about; null if it
     * may not. Default: the limit of this read or search.
     */
    readonly reach?: ((type: string) => ChartLimit | null) | undefined;
    /**
     * Reads a resource to which a match refers as JSON text, if a search includes it; null if its type is not served. Default:
     * what the directory knows.
     */
    readonly readReferenced?:
      | ((type: string, id: string, limit: ChartLimit) => Outcome<string | null>)
      | undefined;
  };

/** The reach of a caller into each type: that of its options, or their own limit. */
export const reachOf = ({ reach, ...limit }: ReadOptions): NonNullable<ReadOptions['reach']> =>
  reach ?? (() => limit);

/** The options of every function that writes a resource. */
export type WriteOptions = ChartLimit & {
  /** A reference to the author of the change, for the history, such as `Practitioner/12`. */
  readonly by?: AuthorReference | undefined;
  /** A write drops elements that it does not store unless this is strict. */
  readonly handling?: PreferredHandling | undefined;
};

/** Whether there is a limit. An undefined `within` is a limit, too, such as from a session that has lost its patient. */
export const hasLimit = (limit: ChartLimit): boolean => 'within' in limit || 'matching' in limit;

/** The patients of the limit; null if there is none, or if one of them is not a valid id. */
export const limitedTo = ({ within }: ChartLimit): ReadonlySet<string> | null => {
  const patientIds: readonly unknown[] = Array.isArray(within) ? within : [within];
  return patientIds.every(isId) ? new Set(patientIds) : null;
};

/** Whether the caller reaches the chart of a patient. */
export type ChartPredicate = (patientId: string | null) => boolean;

/** Determines which charts the caller reaches, whatever limit to resources there is beside that to charts. */
export const parseCharts = (limit: ChartLimit): E.Either<ClinicalError, ChartPredicate> => {
  if (!('within' in limit)) return E.right(() => true);
  const patientIds = limitedTo(limit);
  return patientIds === null
    ? E.left(otherChartError)
    : E.right((patientId) => patientId !== null && patientIds.has(patientId));
};

/**
 * Determines which charts the caller reaches. A record in another chart is reported as not found, so that its existence stays
 * hidden. A limit without a valid patient id is refused for every request, and so is one of resources, which `parseLimit` parses.
 */
export const parseChartLimit = (limit: ChartLimit): E.Either<ClinicalError, ChartPredicate> =>
  'matching' in limit ? E.left(otherChartError) : parseCharts(limit);

/** The time zone of dates without an offset, and the clock, which is only read for a limit to resources. */
type LimitEnvironment = Pick<Environment, 'zone' | 'now'>;

/** Whether the caller reaches a version of a record. */
export type RecordPredicate = (version: RecordVersion) => boolean;

/** Determines which resources of a type the caller reaches. One that is out of reach is reported as not found. */
export const parseLimit = (
  limit: ChartLimit,
  facts: MatchingFacts,
  { zone, now }: LimitEnvironment,
): E.Either<ClinicalError, RecordPredicate> => {
  const charts = parseCharts(limit);
  if (E.isLeft(charts)) return charts;
  const isWithin = charts.right;
  if (!('matching' in limit)) return E.right(({ patientId }) => isWithin(patientId));
  const matching = parseMatching(facts, limit.matching ?? [], { zone, now: now() });
  if (E.isLeft(matching)) return E.left(invalidRequest(matching.left));
  const isMatch = meetsConditions(facts, matching.right.conditions, zone);
  return E.right((version) => isWithin(version.patientId) && isMatch(version));
};

/** Refuses a created resource that is out of reach of its sender. */
export const requireReached =
  (isReached: RecordPredicate) =>
  (created: ResourceVersion): E.Either<ClinicalError, ResourceVersion> =>
    isReached({ ...created, resource: created.json }) ? E.right(created) : E.left(outOfReachError);

const requireWithin =
  (charts: E.Either<ClinicalError, ChartPredicate>) =>
  (patientId: string): E.Either<ClinicalError, void> =>
    E.isRight(charts) && charts.right(patientId) ? E.right(undefined) : E.left(otherChartError);

/** Refuses a request that names another patient than those to whose charts the caller is limited. */
export const requireWithinLimit = (limit: ChartLimit) => requireWithin(parseChartLimit(limit));

/** The same, whatever limit to resources there is beside that to charts. */
export const requireWithinCharts = (limit: ChartLimit) => requireWithin(parseCharts(limit));

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

/** Whether `authorize` allows a resource: every chart to which it belongs. */
export const isAuthorized = async (authorize: AuthorizeCharts, reached: ReachedCharts): Promise<boolean> =>
  isWithinLimit(await authorize(reached), reached.patientIds);

/**
 * Determines the charts to which a caller may write by an update of a record: those of the limit, or only that of the record, if it
 * depends on the record whether it is within reach. `textOf` is its resource.
 */
export const reachForUpdate = async (
  store: ClinicalStore,
  {
    facts,
    id,
    textOf = ({ resource }) => resource,
  }: {
    readonly facts: MatchingFacts;
    readonly id: string;
    readonly textOf?: (stored: StoredRecord) => string | null;
  },
  limit: ChartLimit,
  { zone, now }: LimitEnvironment,
): Outcome<ChartPredicate> => {
  const { authorize } = limit;
  if (authorize === undefined && !('matching' in limit)) return parseChartLimit(limit);
  const isReached = parseLimit(limit, facts, { zone, now });
  if (E.isLeft(isReached)) return isReached;
  const { type } = facts;
  const stored = await store.read({ type, id });
  if (E.isLeft(stored)) return E.left(toClinicalError(stored.left));
  if (stored.right === null || isErasedVersion(stored.right)) return E.right(() => false);
  const { patientId: chart, resource } = stored.right;
  const isAllowed =
    chart !== null &&
    isReached.right({ id, patientId: chart, resource: textOf(stored.right) }) &&
    (authorize === undefined ||
      (await isAuthorized(authorize, {
        id,
        patientIds: [chart],
        labels: resource === null ? {} : labelsOf(type, { id, resource }),
      })));
  return E.right((patientId) => isAllowed && patientId === chart);
};

/** The conditions of a search, and the index version that they need. */
type SearchedConditions = Pick<ParsedSearch, 'conditions' | 'indexVersion'>;

/** Limits the conditions of a search to the charts of its caller. */
const limitToCharts = (
  conditions: readonly SearchCondition[],
  limit: ChartLimit,
): E.Either<ClinicalError, readonly SearchCondition[]> => {
  if (!('within' in limit)) return E.right(conditions);
  const patientIds = limitedTo(limit);
  if (patientIds === null) return E.left(otherChartError);
  const asksForOtherChart = conditions.some(
    (condition) => condition.on === 'patient' && condition.anyOf.some((id) => !patientIds.has(id)),
  );
  return asksForOtherChart
    ? E.left(otherChartError)
    : E.right([...conditions, { on: 'patient', anyOf: [...patientIds] }]);
};

/**
 * Limits a search to the reach of its caller. A search for another chart is refused. A `within` that is not valid is refused, too,
 * because an empty bundle would say that a chart is empty.
 */
export const limitSearch = (
  { conditions, indexVersion }: SearchedConditions,
  limit: ChartLimit,
  facts: MatchingFacts,
  { zone, now }: LimitEnvironment,
): E.Either<ClinicalError, SearchedConditions> => {
  const limited = limitToCharts(conditions, limit);
  if (E.isLeft(limited)) return limited;
  if (!('matching' in limit)) return E.right({ conditions: limited.right, indexVersion });
  const matching = parseMatching(facts, limit.matching ?? [], { zone, now: now() });
  if (E.isLeft(matching)) return E.left(invalidRequest(matching.left));
  return E.right({
    conditions: [...limited.right, ...matching.right.conditions],
    indexVersion: laterVersion(indexVersion, matching.right.indexVersion),
  });
};

/**
 * Limits merged conditions to the charts for which a search is authorized. Its patients are those whom it names and to whom it
 * is limited. A search that can find nobody is not asked about.
 */
export const authorizeConditions = async (
  conditions: readonly SearchCondition[],
  authorize: AuthorizeCharts,
): Promise<readonly SearchCondition[]> => {
  const named = conditions.find((condition) => condition.on === 'patient');
  if (named?.anyOf.length === 0) return conditions;
  const answer = await authorize({ id: null, patientIds: named?.anyOf ?? [], labels: {} });
  if (!hasLimit(answer)) return conditions;
  return mergeConditions([...conditions, { on: 'patient', anyOf: [...(limitedTo(answer) ?? [])] }]);
};
