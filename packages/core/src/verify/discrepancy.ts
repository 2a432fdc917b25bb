import type { RecordRef } from '../store/port.ts';

/**
 * The reasons why a version of a record is not as it was written.
 *
 * - `digest`: the version is not what was written, or it has moved in the feed, or versions before it are missing.
 * - `erasure`: its content was erased, and no correction says so.
 * - `position`: its position is also that of an earlier version or record.
 * - `order`: the records are not in the order in which the feed says that they were created.
 * - `type`: the type is not one of this library's.
 * - `state`: nothing can be derived from its state.
 * - `id`, `patientId`, `resource`, `index`: it is not what derives from the state.
 * - `lookup`: a read by its id does not return it as it is in the scan: an index of the database is damaged.
 * - `reference`: a record that the state refers to does not exist.
 * - `team`: a member occurs twice in the care team of a patient.
 */
export type DiscrepancyReason =
  | 'digest'
  | 'erasure'
  | 'position'
  | 'order'
  | 'type'
  | 'state'
  | 'id'
  | 'patientId'
  | 'resource'
  | 'index'
  | 'lookup'
  | 'reference'
  | 'team';

/** A version of a record that is not as it was written, and the reason. */
export type Discrepancy = RecordRef & {
  /** The version, which counts from 1. */
  readonly version: number;
  /** The part of it that differs. */
  readonly what: DiscrepancyReason;
};

export const createDiscrepancy = (
  { type, id, version }: RecordRef & { readonly version: number },
  what: DiscrepancyReason,
): Discrepancy => ({ type, id, version, what });
