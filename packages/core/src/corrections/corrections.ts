import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ChartResourceType } from '../chart/command.ts';
import { type ClinicalTask, toClinicalError } from '../errors.ts';
import { createBodyParser } from '../fhir/parse-body.ts';
import { type Correction, correctedParameter } from '../records/correction.ts';
import type { Result, TasksOf } from '../result.ts';
import type { CorrectionEnvironment } from './environment.ts';
import { createErase } from './erase.ts';
import { createMergePatients } from './merge-patients.ts';
import { createMoveToPatient } from './move-to-patient.ts';
import {
  erasureBody,
  mergeBody,
  moveBody,
  type PatientMerge,
  type RecordErasure,
  type RecordMove,
} from './request-bodies.ts';

/** Corrections of charts by a person with the right to make them. Each is one commit, and kept with its author and its reason. */
export type Corrections = {
  /**
   * Moves a record that was put into the wrong chart to the chart of another patient, where it has a new version. The old
   * chart has it no longer. A reader of only one of the charts sees none of the versions of the other.
   * Errors: `InvalidRequest`, `NotFound`, `RuleViolation`, `StoreFailure`. Source: docs/corrections.md.
   */
  readonly moveToPatient: (move: RecordMove) => Result<Correction>;
  /**
   * Merges a patient who is in the directory twice into the other one, who has the orders, goals, immunizations, encounters,
   * notes and care team members of both from then on. The patient who is replaced has no chart, and writes that name this
   * patient are refused. It takes a walk through all records of the store.
   * Errors: `InvalidRequest`, `RuleViolation`, `StoreFailure`. Source: docs/corrections.md.
   */
  readonly mergePatients: (merge: PatientMerge) => Result<Correction>;
  /**
   * Erases all versions of a resource or, with the type `Patient`, of all records of a patient and of the patient. The
   * history then only says when there were versions, by whom, and that they were erased. The ids cannot be used again. It
   * takes a walk through all records of the store.
   * Errors: `InvalidRequest`, `NotFound`, `StoreFailure`. Source: docs/corrections.md.
   */
  readonly erase: (erasure: RecordErasure) => Result<Correction>;
  /** The corrections of a resource or of a patient, oldest first. Errors: `StoreFailure`. */
  readonly of: (corrected: {
    readonly resourceType: ChartResourceType | 'Patient';
    readonly resourceId: string;
  }) => Result<readonly Correction[]>;
};

/** The most corrections that are returned. No record has so many. */
const maxCorrections = 1000;

export const createCorrections = (environment: CorrectionEnvironment): TasksOf<Corrections> => {
  const { store } = environment;
  const parseMove = createBodyParser(moveBody, 'Correction');
  const parseErasure = createBodyParser(erasureBody, 'Correction');
  const erase = createErase(environment);
  const parseMerge = createBodyParser(mergeBody, 'Correction');
  const moveToPatient = createMoveToPatient(environment);
  const mergePatients = createMergePatients(environment);
  return {
    erase: (erasure) => {
      const parsed = parseErasure(erasure, 'strict');
      return E.isLeft(parsed) ? TE.left(parsed.left) : erase(parsed.right);
    },
    mergePatients: (merge) => {
      const parsed = parseMerge(merge, 'strict');
      return E.isLeft(parsed) ? TE.left(parsed.left) : mergePatients(parsed.right);
    },
    moveToPatient: (move) => {
      const parsed = parseMove(move, 'strict');
      return E.isLeft(parsed) ? TE.left(parsed.left) : moveToPatient(parsed.right);
    },
    of: ({ resourceType, resourceId }): ClinicalTask<readonly Correction[]> =>
      pipe(
        store.search({
          type: 'Correction',
          conditions: [
            {
              on: 'reference',
              parameter: correctedParameter,
              anyOf: [{ type: resourceType, id: resourceId }],
            },
          ],
          start: { offset: 0 },
          count: maxCorrections,
          withTotal: false,
        }),
        TE.bimap(toClinicalError, ({ matches }) =>
          matches.map(({ resource }) => JSON.parse(resource) as Correction),
        ),
      ),
  };
};
