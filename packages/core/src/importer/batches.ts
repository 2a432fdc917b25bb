/** How many resources are decided and committed at a time, at most. */
const mostResources = 256;

/** How long the texts of a batch are together, in characters, before it ends: until then, all of them are held. */
const mostText = 4_000_000;

/** Gathers resources until they are a batch. */
export type Gathering<Resource> = {
  /** Returns whether the batch is full. */
  readonly add: (resource: Resource) => boolean;
  /** What was gathered since the last batch. */
  readonly take: () => readonly Resource[];
};

export const createGathering = <Resource extends { readonly length: number }>(): Gathering<Resource> => {
  let batch: Resource[] = [];
  let length = 0;
  return {
    add: (resource) => {
      batch.push(resource);
      length += resource.length;
      return batch.length >= mostResources || length >= mostText;
    },
    take: () => {
      const taken = batch;
      batch = [];
      length = 0;
      return taken;
    },
  };
};
