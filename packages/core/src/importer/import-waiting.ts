import * as E from 'fp-ts/lib/Either.js';
import type { ClinicalError } from '../errors.ts';
import { sortByImportOrder } from './import-order.ts';
import type { LoadBatches } from './load-batches.ts';
import type { ImportDefinitions } from './resource-importer.ts';

/**
 * The later passes of a load: imports the waiting resources again, as long as that helps. The last pass imports the
 * rest without references that are unknown.
 */
export const importWaiting = async (
  imports: ImportDefinitions,
  { add, importRest, waiting }: LoadBatches,
): Promise<E.Either<ClinicalError, void>> => {
  for (let before = Number.POSITIVE_INFINITY; waiting.size > 0; ) {
    const pass = { isLastPass: waiting.size >= before };
    before = waiting.size;
    for (const resource of sortByImportOrder(imports, [...waiting])) {
      const added = await add(resource, pass);
      if (E.isLeft(added)) return added;
    }
    const imported = await importRest(pass);
    if (E.isLeft(imported)) return imported;
  }
  return E.right(undefined);
};
