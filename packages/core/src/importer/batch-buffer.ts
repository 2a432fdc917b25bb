/** How many resources are decided and committed at a time, at most. */
const maxResources = 512;

/** The total length of the texts at which a batch ends, in characters. Until then, all of them are in memory. */
const maxLength = 4_000_000;

/** Gathers resources until they are a batch. */
export type BatchBuffer<Resource> = {
  /** Returns whether the batch is full. */
  readonly add: (resource: Resource) => boolean;
  /** Removes and returns the resources that were added since the last batch. */
  readonly take: () => readonly Resource[];
};

export const createBatchBuffer = <Resource extends { readonly length: number }>(): BatchBuffer<Resource> => {
  let batch: Resource[] = [];
  let length = 0;
  return {
    add: (resource) => {
      batch.push(resource);
      length += resource.length;
      return batch.length >= maxResources || length >= maxLength;
    },
    take: () => {
      const full = batch;
      batch = [];
      length = 0;
      return full;
    },
  };
};
