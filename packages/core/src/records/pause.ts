/** Yields to other work, because a store may answer without ever yielding. */
export const pause = (milliseconds?: number) =>
  new Promise<void>((resume) => setTimeout(resume, milliseconds));
