import { parametersOf } from './pages.ts';
import { type CallOptions, readAt, type Send } from './send.ts';
import { type KeyOptions, pathOf, write } from './writes.ts';

/** The patient in whose chart records are, and the one to whose chart they belong. */
export type CorrectedPatients = { readonly patientId: string; readonly toPatientId: string };

/** The patients with their versions, which a preview has shown. */
type SeenPatients = CorrectedPatients & {
  readonly patientVersion: number;
  readonly toPatientVersion: number;
};

/** A record in the chart of `patientId`, which belongs to the chart of `toPatientId`. */
export type MisplacedRecord = CorrectedPatients & {
  readonly resourceType: string;
  readonly resourceId: string;
};

/** The elements that a move would leave behind, and the versions that the move names. */
export type MovePreview = MisplacedRecord &
  SeenPatients & {
    readonly version: number;
    /** The elements of which the record loses all or a part. */
    readonly leaves: readonly string[];
  };

/** The content of a chart that a merge would move, and the versions that the merge names. */
export type MergePreview = SeenPatients & {
  /** How many resources of each type are moved. */
  readonly counts: Readonly<Record<string, number>>;
  /** How many commands wait to be committed. */
  readonly staged: number;
  /** How many members of the care team join the other one. */
  readonly participants: number;
};

/** A correction as it is read. */
export type ReadCorrection = Pick<MergePreview, 'counts'> & {
  readonly id: string;
  readonly kind: 'move' | 'merge' | 'erasure';
  /** ISO 8601, with fractional seconds and UTC offset. */
  readonly at: string;
  /** The reference to the author, such as `Practitioner/12`. */
  readonly by: string;
  readonly reason: string;
  /** The patient in whose chart the resources were. */
  readonly patientId: string;
  /** The patient to whose chart they belong now; null after an erasure. */
  readonly toPatientId: string | null;
  /** The record of a move, with its new version. */
  readonly records?: readonly { readonly type: string; readonly id: string; readonly version: number }[];
};

/** Corrections of charts. Source: docs/corrections.md#over-http. */
export type Corrections = {
  /** Reads what a move would leave behind. */
  readonly previewMove: (record: MisplacedRecord, options?: CallOptions) => Promise<MovePreview>;
  /** Moves a record to the chart of another patient, as it was previewed. */
  readonly move: (
    move: Omit<MovePreview, 'leaves'> & { readonly reason: string },
    options?: KeyOptions,
  ) => Promise<ReadCorrection>;
  /** Counts what a merge would move. */
  readonly previewMerge: (patients: CorrectedPatients, options?: CallOptions) => Promise<MergePreview>;
  /** Merges the patient `patientId` into `toPatientId`, as it was previewed. It cannot be undone. */
  readonly merge: (
    merge: SeenPatients & { readonly reason: string },
    options?: KeyOptions,
  ) => Promise<ReadCorrection>;
  /** The corrections of a resource or, with the type `Patient`, of a patient, oldest first. */
  readonly of: (
    resourceType: string,
    id: string,
    options?: CallOptions,
  ) => Promise<readonly ReadCorrection[]>;
};

export const createCorrections = (send: Send): Corrections => {
  const preview = <Preview>(kind: string, named: object, options?: CallOptions) =>
    readAt<Preview>(send, `corrections/${kind}?${parametersOf(named)}`, options);
  const correct = (kind: string, body: object, options: KeyOptions = {}) =>
    write<ReadCorrection>(send, { method: 'POST', path: `corrections/${kind}`, body }, options);
  return {
    previewMove: ({ resourceType, resourceId, patientId, toPatientId }, options) =>
      preview('move', { resourceType, resourceId, patientId, toPatientId }, options),
    move: (move, options) => correct('move', move, options),
    previewMerge: ({ patientId, toPatientId }, options) =>
      preview('merge', { patientId, toPatientId }, options),
    merge: (merge, options) => correct('merge', merge, options),
    of: async (resourceType, id, options) => {
      const path = `corrections/${pathOf(resourceType, id)}`;
      const read = await readAt<{ readonly corrections: readonly ReadCorrection[] }>(send, path, options);
      return read.corrections;
    },
  };
};
