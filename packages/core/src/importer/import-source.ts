import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, storeFailure } from '../errors.ts';
import { pause } from '../records/pause.ts';
import type { ImportCallbacks } from './import-callbacks.ts';
import type { ReportBuilder } from './import-report.ts';
import type { LoadBatches } from './load-batches.ts';
import { createUnpacker, type UnpackedResource } from './unpacker.ts';

/** The source of the resources of a load. */
export type ImportSource = AsyncIterable<unknown> | Iterable<unknown>;

/** Treats a text, or bytes, as one item, because they iterate over characters and numbers. */
const toItems = (source: ImportSource): ImportSource =>
  typeof source === 'string' || ArrayBuffer.isView(source) ? [source] : source;

/** Yields the resources of a source. If the source fails, its error is the last. */
async function* readResources(
  source: ImportSource,
): AsyncGenerator<E.Either<ClinicalError, UnpackedResource>, void> {
  const unpack = createUnpacker();
  let number = 0;
  try {
    for await (const item of toItems(source)) {
      number += 1;
      for (const resource of unpack(item, number)) yield E.right(resource);
    }
  } catch (cause) {
    yield E.left(storeFailure('source-failed', cause));
  }
}

/** The load yields after this many resources. A store may never yield, and resources that are not imported do not call it. */
const resourcesPerTurn = 1_000;

/**
 * The first pass of a load: reads the source, and imports all resources that need not wait for others. If the source
 * fails, the resources before it are imported.
 */
export const importSource = async (
  source: ImportSource,
  {
    types,
    batches,
    report,
    callbacks,
  }: {
    readonly types: ReadonlySet<string>;
    readonly batches: LoadBatches;
    readonly report: ReportBuilder;
    readonly callbacks: ImportCallbacks;
  },
): Promise<E.Either<ClinicalError, void>> => {
  const pass = { isLastPass: false };
  for await (const read of readResources(source)) {
    if (E.isLeft(read)) {
      const imported = await batches.importRest(pass);
      return E.isLeft(imported) ? imported : read;
    }
    if (report.countRead() % resourcesPerTurn === 0) await pause();
    const { right: resource } = read;
    const { type, issue } = resource;
    const isSupported = types.has(type);
    if (issue !== null && (isSupported || type === '' || type === 'Bundle')) {
      report.addIssues(resource, 'rejected', [issue]);
      const reported = callbacks.checkFailure();
      if (E.isLeft(reported)) return reported;
    } else if (isSupported) {
      const added = await batches.add(resource, pass);
      if (E.isLeft(added)) return added;
    } else report.count('unsupported', type);
  }
  return batches.importRest(pass);
};
