import * as E from 'fp-ts/lib/Either.js';
import type { ChartLimit, LimitByType } from '../access/chart-limit.ts';
import type { Outcome } from '../errors.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { parseReference, referencesIn } from '../fhir/reference.ts';
import { ClinicalRecordsError, orThrow } from '../outcome.ts';
import { type IncludedResource, type OpenReferenced, readTargets } from '../records/include.ts';
import type { CountedReads } from '../records/json-reads.ts';
import { openReach } from '../records/reach.ts';
import type { SearchPair } from '../search/search-input.ts';
import { createPace, createTurns } from '../store/turns.ts';

/** The resources of one type in a chart. */
export type ChartPart = {
  readonly patientId: string;
  /** Only resources that were written then or later, in milliseconds since 1970; null for all. */
  readonly since: number | null;
};

/** Reads the resources of one type in a chart. A caller who may not read them gets `Forbidden`. */
export type ChartReader = {
  /** Yields the resources after so many as JSON text, always in the same order. Throws a `ClinicalRecordsError`. */
  readonly all: (part: ChartPart, offset: number, limit: ChartLimit) => AsyncIterable<string>;
  /** The number of these resources. */
  readonly count: (part: ChartPart, limit: ChartLimit) => Outcome<number>;
};

/** The reads of the charts, by the types of their resources. */
export type ChartReads = ReadonlyMap<string, ChartReader>;

const conditionsOf = ({ patientId, since }: ChartPart): readonly SearchPair[] => [
  ['patient', patientId],
  ...(since === null ? [] : [['_lastUpdated', `ge${formatInstant(since)}`] as const]),
];

/** Reads a chart by the searches of a type. */
export const createChartReader = ({ all, count }: Pick<CountedReads, 'all' | 'count'>): ChartReader => ({
  all: (part, offset, limit) => all([...conditionsOf(part), ['_offset', `${offset}`]], limit),
  count: (part, limit) => count(conditionsOf(part), limit),
});

/** A chart, as far as its caller reaches it and asks for it. */
export type ReachedChart = {
  readonly patient: IncludedResource;
  /** The types of resources; null for all. */
  readonly types: ReadonlySet<string> | null;
  readonly since: ChartPart['since'];
  readonly limitOf: LimitByType;
  readonly reads: ChartReads;
  readonly openReferenced: OpenReferenced;
};

/** A resource of the chart: its text, and what that says. */
type ChartResource = IncludedResource & { readonly resource: { readonly id: string } };

/** A resource that is yielded. One of the chart has been parsed. */
export type WalkedResource = IncludedResource & Partial<Pick<ChartResource, 'resource'>>;

/** The reads of one type, and the chart limit under which the caller may read it. */
type ReachedType = ChartReader & { readonly type: string; readonly limit: ChartLimit };

/** The parts of all charts take turns. */
const takeTurn = createTurns();

const includesType = ({ types }: Pick<ReachedChart, 'types'>, type: string): boolean =>
  types === null || types.has(type);

const reachedTypes = (chart: ReachedChart): readonly ReachedType[] =>
  [...chart.reads].flatMap(([type, { all, count }]) => {
    const limit = includesType(chart, type) ? chart.limitOf(type) : null;
    return limit === null ? [] : [{ type, limit, all, count }];
  });

const partOf = ({ patient, since }: ReachedChart): ChartPart => ({ patientId: patient.id, since });

/** The number of resources of a type. A type that the caller may not read has none. */
const countType = async (chart: ReachedChart, { limit, count }: ReachedType): Promise<number> => {
  const counted = await count(partOf(chart), limit);
  if (E.isRight(counted)) return counted.right;
  if (counted.left._tag === 'Forbidden') return 0;
  throw new ClinicalRecordsError(counted.left);
};

/** The resources of a type after some of them, oldest first. A type that the caller may not read has none. */
async function* readType(
  chart: ReachedChart,
  { type, limit, all }: ReachedType,
  offset: number,
): AsyncGenerator<ChartResource, void> {
  try {
    for await (const json of all(partOf(chart), offset, limit)) {
      const resource = JSON.parse(json);
      yield { type, id: resource.id, json, resource };
    }
  } catch (thrown) {
    if (!(thrown instanceof ClinicalRecordsError && thrown.tag === 'Forbidden')) throw thrown;
  }
}

/** Collects the resources to which others refer, each once, without these and without other patients. */
const createTargets = () => {
  const names = new Set<string>();
  const references = new Set<string>();
  return {
    add: ({ type, id, resource }: ChartResource): void => {
      names.add(`${type}/${id}`);
      for (const reference of referencesIn(resource)) references.add(reference);
    },
    all: () =>
      [...references]
        .filter((reference) => !names.has(reference))
        .flatMap((reference) => parseReference(reference) ?? [])
        .filter(({ type }) => type !== 'Patient'),
  };
};

/** The limits of a caller within one chart. A resource without a patient is within every chart. */
const limitWithin =
  (limitOf: LimitByType, patientId: string): LimitByType =>
  (type) => {
    const limit = limitOf(type);
    const reach = limit && openReach(limit);
    const isWithin = reach !== null && E.isRight(reach) && reach.right.admits(patientId);
    return isWithin ? { ...limit, within: patientId } : null;
  };

/** How many targets are read at once. */
const targetsAtOnce = 10;

/**
 * Yields the patient, the chart type by type, and the resources to which these refer, all after a number of them. It reads only
 * what it yields, and about a page ahead. To know to what a chart refers, it reads the whole chart, but keeps only references.
 * Throws a `ClinicalRecordsError`.
 */
export async function* walkChart(chart: ReachedChart, offset: number): AsyncGenerator<WalkedResource, void> {
  const { patient, limitOf, openReferenced } = chart;
  const types = reachedTypes(chart);
  const targets = createTargets();
  const keepPace = createPace(takeTurn);
  await takeTurn();

  targets.add({ ...patient, resource: JSON.parse(patient.json) });
  const own = includesType(chart, patient.type) ? [patient] : [];
  yield* own.slice(offset);
  let toSkip = Math.max(0, offset - own.length);

  const readsWholeChart = toSkip === 0;
  for (const reached of types) {
    if (toSkip > 0) {
      const total = await countType(chart, reached);
      if (total <= toSkip) {
        toSkip -= total;
        continue;
      }
    }
    for await (const resource of readType(chart, reached, toSkip)) {
      if (readsWholeChart) targets.add(resource);
      yield resource;
      await keepPace(resource.json);
    }
    toSkip = 0;
  }

  for (const reached of readsWholeChart ? [] : types) {
    for await (const resource of readType(chart, reached, 0)) {
      targets.add(resource);
      await keepPace(resource.json);
    }
  }
  // A reference is stored as it was sent, so its target can be of another patient.
  const within = limitWithin(limitOf, patient.id);
  const requested = targets.all().filter(({ type }) => includesType(chart, type));
  for (let index = 0; index < requested.length; index += targetsAtOnce) {
    const found = await orThrow(
      readTargets(requested.slice(index, index + targetsAtOnce), within, openReferenced),
    );
    for (const resource of found) {
      if (toSkip === 0) yield resource;
      else toSkip -= 1;
      await keepPace(resource.json);
    }
  }
}
