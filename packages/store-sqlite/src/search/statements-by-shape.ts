import { type BoundedCache, createBoundedCache } from '../statement.ts';
import type { ResolvedCondition } from './plan-search.ts';

/** The shape of a condition. Conditions of equal shape have the same SQL. */
export const shapeOf = (condition: ResolvedCondition): string => {
  if (condition.on === 'date' || condition.on === 'at') {
    const prefixes = condition.anyOf.map(({ prefix, anyOf }) => (anyOf.length === 1 ? prefix : `${prefix}s`));
    return `${condition.on === 'at' ? '@' : ''}${prefixes.join()}`;
  }
  return condition.anyOf.length === 1 && condition.on !== 'token' ? condition.on : `${condition.on}s`;
};

export const shapesOf = (conditions: readonly ResolvedCondition[]): string =>
  conditions.map(shapeOf).join(' ');

const distinctShapes = 128;

/** The longest shape whose statements are kept. Longer shapes seldom repeat, and each of their statements is large. */
const longestShape = 64;

/** Keeps statements by the shape of their conditions. */
export const statementsByShape = <S>(): BoundedCache<S>['get'] => {
  const kept = createBoundedCache<S>(distinctShapes);
  return (shape, make) => (shape.length > longestShape ? make() : kept.get(shape, make));
};
