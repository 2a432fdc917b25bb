/** The most shapes of which statements are prepared. Each connection of PostgreSQL keeps them until it ends. */
const maxShapes = 128;

/** The longest shape of which statements are prepared. Longer shapes seldom repeat, and their plans are large. */
const longestShape = 128;

/** Whether the statements for all searches of a shape are prepared. */
export type IsPreparedShape = (shape: string) => boolean;

/** Chooses the first shapes that are asked for, unless they are long. */
export const createPreparedShapes = (): IsPreparedShape => {
  const shapes = new Set<string>();
  return (shape) => {
    if (shapes.size < maxShapes && shape.length <= longestShape) shapes.add(shape);
    return shapes.has(shape);
  };
};
