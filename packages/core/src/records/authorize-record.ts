import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, toClinicalError } from '../errors.ts';
import type { ClinicalStore, RecordRef } from '../store/port.ts';
import type { AuthorizeCharts, ChartPredicate } from './chart-limit.ts';
import { isAuthorized } from './is-authorized.ts';

/** Returns the chart of a record as the only one within reach, or no chart if the caller may not write to it. */
export const authorizeRecord = async (
  store: ClinicalStore,
  ref: RecordRef,
  { isWithin, authorize }: { readonly isWithin: ChartPredicate; readonly authorize: AuthorizeCharts },
): Promise<E.Either<ClinicalError, ChartPredicate>> => {
  const found = await store.read(ref);
  if (E.isLeft(found)) return E.left(toClinicalError(found.left));
  const chart = found.right?.patientId ?? null;
  const isAllowed =
    chart !== null && isWithin(chart) && (await isAuthorized(authorize, { id: ref.id, patientIds: [chart] }));
  return E.right((patientId) => isAllowed && patientId === chart);
};
