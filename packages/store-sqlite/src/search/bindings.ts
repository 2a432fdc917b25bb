import { endOfWords, type MergedDate, type TokenCriterion } from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import { type BoundedCache, createBoundedCache, type Placeholders } from '../statement.ts';
import { alternativesOf, type Criteria, positiveOf, type ResolvedCondition } from './plan-search.ts';
import type { DateBounds } from './select-candidates.ts';

/**
 * The placeholders for the values of a search in its SQL; `index` is the index of a condition. If it must not hold, they are
 * those of the condition within.
 */
export type Bindings = {
  readonly type: RawBuilder<string>;
  /** Compares with the single id, patient or term of a condition, or with its list. Both need only one placeholder. */
  readonly equalsAny: (index: number) => RawBuilder<unknown>;
  readonly token: (index: number) => {
    readonly parameter: RawBuilder<string>;
    /** The criteria as JSON: those for any code, those for any system, and `[system, code]`. */
    readonly systems: RawBuilder<string>;
    readonly codes: RawBuilder<string>;
    readonly pairs: RawBuilder<string>;
    /** Whether a criterion leaves out both the system and the code: 1 or 0. */
    readonly isAny: RawBuilder<number>;
  };
  readonly entry: (index: number) => RawBuilder<string>;
  readonly words: (index: number) => {
    readonly parameter: RawBuilder<string>;
    /** The ranges of words as JSON: `[from, until]`. */
    readonly ranges: RawBuilder<string>;
  };
  /** The term of the date parameter of a condition. */
  readonly term: (index: number) => RawBuilder<number>;
  readonly dates: (index: number) => {
    /** The single date of the prefix with this index in the condition. */
    readonly date: (prefix: number) => DateBounds;
    /** All dates of the prefix: a list of `[from, until]`. */
    readonly list: (prefix: number) => RawBuilder<string>;
    /** How the same time must end, too; null if it can end at any time. */
    readonly end: { readonly prefix: MergedDate['prefix']; readonly bounds: DateBounds } | null;
  };
};

/** The dates of the prefix with an index in a condition. */
const datesOf = ({ conditions }: Criteria, index: number, prefix: number) => {
  const condition = positiveOf(conditions[index]);
  return condition?.on === 'date' || condition?.on === 'at' ? (condition.anyOf[prefix]?.anyOf ?? []) : [];
};

const endOf = ({ conditions }: Pick<Criteria, 'conditions'>, index: number) => {
  const condition = positiveOf(conditions[index]);
  return condition?.on === 'date' || condition?.on === 'at' ? condition.end : undefined;
};

const conditionOn = <On extends ResolvedCondition['on']>(on: On, { conditions }: Criteria, index: number) => {
  const condition = positiveOf(conditions[index]);
  if (condition?.on !== on) throw new Error('The search does not have the shape of its statement.');
  return condition as Extract<ResolvedCondition, { readonly on: On }>;
};

export const createBindings = <Args extends Criteria>(
  placeholder: Placeholders<Args>,
  conditions: readonly ResolvedCondition[],
): Bindings => ({
  type: placeholder.of('type'),
  equalsAny: (index) => {
    const valuesOf = (search: Pick<Criteria, 'conditions'>) =>
      alternativesOf(positiveOf(search.conditions[index]));
    return valuesOf({ conditions }).length === 1
      ? sql`= ${placeholder.from((search) => valuesOf(search)[0])}`
      : sql`in (select value from json_each(${placeholder.from((search) => JSON.stringify(valuesOf(search)))}))`;
  },
  token: (index) => {
    const list = (partOf: (criterion: TokenCriterion) => unknown) =>
      placeholder.from((search) =>
        JSON.stringify(
          conditionOn('token', search, index).anyOf.flatMap((criterion) => partOf(criterion) ?? []),
        ),
      );
    return {
      parameter: placeholder.from((search) => conditionOn('token', search, index).parameter),
      systems: list(({ system, code }) => (code === null ? system : null)),
      codes: list(({ system, code }) => (system === null ? code : null)),
      pairs: list(({ system, code }) => (system === null || code === null ? null : [[system, code]])),
      isAny: placeholder.from((search) => {
        const { anyOf } = conditionOn('token', search, index);
        return Number(anyOf.some(({ system, code }) => system === null && code === null));
      }),
    };
  },
  entry: (index) => placeholder.from((search) => conditionOn('entry', search, index).parameter),
  words: (index) => ({
    parameter: placeholder.from((search) => conditionOn('string', search, index).parameter),
    ranges: placeholder.from((search) =>
      JSON.stringify(conditionOn('string', search, index).anyOf.map((from) => [from, endOfWords(from)])),
    ),
  }),
  term: (index) => placeholder.from((search) => conditionOn('date', search, index).term),
  dates: (index) => {
    const end = endOf({ conditions }, index);
    return {
      date: (prefix) => ({
        from: placeholder.from((search) => datesOf(search, index, prefix)[0]?.from ?? 0),
        until: placeholder.from((search) => datesOf(search, index, prefix)[0]?.until ?? 0),
      }),
      list: (prefix) =>
        placeholder.from((search) =>
          JSON.stringify(datesOf(search, index, prefix).map(({ from, until }) => [from, until])),
        ),
      end:
        end === undefined
          ? null
          : {
              prefix: end.prefix,
              bounds: {
                from: placeholder.from((search) => endOf(search, index)?.from ?? 0),
                until: placeholder.from((search) => endOf(search, index)?.until ?? 0),
              },
            },
    };
  },
});

/** The shape of a condition. Conditions of equal shape have the same SQL. */
export const shapeOf = (condition: ResolvedCondition): string => {
  if (condition.on === 'not') return `!${shapeOf(condition.condition)}`;
  if (condition.on === 'entry') return `any-${condition.kind}`;
  if (condition.on === 'date' || condition.on === 'at') {
    const prefixes = condition.anyOf.map(({ prefix, anyOf }) => (anyOf.length === 1 ? prefix : `${prefix}s`));
    const end = condition.end === undefined ? '' : `-${condition.end.prefix}`;
    return `${condition.on === 'at' ? '@' : ''}${prefixes.join()}${end}`;
  }
  const isList = condition.anyOf.length > 1 || condition.on === 'token' || condition.on === 'string';
  return isList ? `${condition.on}s` : condition.on;
};

export const shapesOf = (conditions: readonly ResolvedCondition[]): string =>
  conditions.map(shapeOf).join(' ');

const distinctShapes = 128;

/** The longest shape whose statements are kept. Longer shapes seldom repeat, and each of their statements is large. */
const longestShape = 64;

/** Keeps statements by the shape of their conditions. */
export const createStatementsByShape = <S>(): BoundedCache<S>['get'] => {
  const cache = createBoundedCache<S>(distinctShapes);
  return (shape, make) => (shape.length > longestShape ? make() : cache.get(shape, make));
};
