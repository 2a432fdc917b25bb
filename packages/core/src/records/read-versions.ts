import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type ClinicalTask, notFound, toClinicalError } from '../errors.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import type { ClinicalStore, StoredRecord } from '../store/port.ts';
import { type ChartLimit, parseChartLimit } from './chart-limit.ts';

/** A version of a resource, without the state. */
export type PastVersion = Omit<StoredRecord, 'state' | 'type'>;

/** Reads all versions that the caller may see, newest first; at least one. */
export type ReadVersions = (id: string, limit: ChartLimit) => ClinicalTask<readonly PastVersion[]>;

/**
 * Reads the versions of a stored record. They are not found if the record is out of the caller's reach now. If it was in
 * another chart before, the versions of that time are left out.
 */
export const createReadVersions =
  (store: ClinicalStore, type: ResourceType): ReadVersions =>
  (id, limit) => {
    const parsedLimit = parseChartLimit(limit);
    if (E.isLeft(parsedLimit)) return TE.left(parsedLimit.left);
    const isWithinLimit = parsedLimit.right;
    return async () => {
      const versions = await store.history({ type, id })();
      if (E.isLeft(versions)) return E.left(toClinicalError(versions.left));
      const [newest] = versions.right;
      return newest === undefined || !isWithinLimit(newest.patientId)
        ? E.left(notFound(type, id))
        : E.right(versions.right.filter(({ patientId }) => isWithinLimit(patientId)));
    };
  };
