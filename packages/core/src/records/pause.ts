/** Lets others do something in between: a store may answer without ever giving way. */
export const pause = () => new Promise<void>((resume) => setTimeout(resume));
