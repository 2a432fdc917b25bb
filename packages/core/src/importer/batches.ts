/** How many resources are decided and committed at a time, at most. */
const largestBatch = 256;

/** Cuts resources into batches of one type each: what follows may refer to what came before. */
export async function* batches<Resource extends { readonly type: string }>(
  resources: AsyncIterable<Resource> | Iterable<Resource>,
): AsyncIterable<readonly Resource[]> {
  let batch: Resource[] = [];
  for await (const resource of resources) {
    const first = batch[0];
    if (first !== undefined && (first.type !== resource.type || batch.length === largestBatch)) {
      yield batch;
      batch = [];
    }
    batch.push(resource);
  }
  if (batch.length > 0) yield batch;
}
