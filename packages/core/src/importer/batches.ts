/** How many resources are decided and committed at a time, at most. */
const mostResources = 256;

/** How long the texts of a batch are together, in characters, before it ends: until then, all of them are held. */
const mostText = 4_000_000;

/** Cuts resources into batches of one type each: what follows may refer to what came before. */
export async function* batches<Resource extends { readonly type: string; readonly length: number }>(
  resources: AsyncIterable<Resource> | Iterable<Resource>,
): AsyncIterable<readonly Resource[]> {
  let batch: Resource[] = [];
  let length = 0;
  for await (const resource of resources) {
    const first = batch[0];
    const isFull = batch.length === mostResources || length >= mostText;
    if (first !== undefined && (first.type !== resource.type || isFull)) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(resource);
    length += resource.length;
  }
  if (batch.length > 0) yield batch;
}
