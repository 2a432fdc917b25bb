import { createPerPool } from '../use-client.ts';

/** The most shapes of which statements are prepared. Each connection of PostgreSQL keeps them until it ends. */
const maxPrepared = 128;

/** The longest shape of which statements are prepared. Longer shapes seldom repeat, and their plans are large. */
const longestShape = 128;

/** The most shapes that are counted. Beyond that, counting begins again. */
const maxCounted = 1000;

/** Whether the statements for all searches of a shape are prepared. */
export type IsPreparedShape = (shape: string) => boolean;

/** How often a shape must be asked for before it is prepared. */
const neededUses = (prepared: number): number => Math.floor(2 ** (prepared / 8));

/**
 * Chooses the shapes that are often asked for, unless they are long. The more are prepared, the more often a further one must
 * be asked for: once, then 256 times after 64, and 32,768 times after 120. So odd shapes at the start keep no others out.
 */
export const createPreparedShapes = (): IsPreparedShape => {
  const prepared = new Set<string>();
  const uses = new Map<string, number>();
  return (shape) => {
    if (prepared.has(shape)) return true;
    if (prepared.size >= maxPrepared || shape.length > longestShape) return false;
    const count = (uses.get(shape) ?? 0) + 1;
    if (uses.size >= maxCounted) uses.clear();
    uses.set(shape, count);
    if (count < neededUses(prepared.size)) return false;
    prepared.add(shape);
    return true;
  };
};

/** The shapes that are prepared on the connections of a pool. */
export const preparedShapesOf = createPerPool(createPreparedShapes);
