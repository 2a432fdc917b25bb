import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { ReportedCall } from '../access/report-call.ts';
import type { ChartResourceType } from '../chart/command.ts';
import { type Outcome, toClinicalError } from '../errors.ts';
import { createBodyParser } from '../fhir/parse-body.ts';
import { anything } from '../forms.ts';
import type { FunctionTable } from '../open-service.ts';
import type { EithersOf } from '../outcome.ts';
import { type Correction, correctedParameter } from '../records/correction.ts';
import {
  type CorrectionEnvironment,
  correctedPatients,
  createCorrectedSchema,
  createErasureBodySchema,
  createMoveBodySchema,
  mergeBodySchema,
  type PatientMerge,
  type RecordErasure,
  type RecordMove,
} from './correction.ts';
import { type CorrectionsJson, correctionsJsonFunctions, createCorrectionsJson } from './corrections-json.ts';
import { createErase } from './erase.ts';
import { createMergePatients } from './merge-patients.ts';
import { createMoveToPatient } from './move-to-patient.ts';

/**
 * Corrections of charts by a person with the right to make them. Each is one commit, and kept with its author and its reason. If
 * others write into a chart while it is merged or erased, a second commit has what they have added. A limit to charts is refused as an
 * unknown element.
 */
export type Corrections<Type extends string = ChartResourceType> = {
  /**
   * Moves a record that was put into the wrong chart to the chart of another patient, where it has a new version. The old
   * chart has it no longer. A reader of only one of the charts sees none of the versions of the other.
   * Errors: `InvalidRequest`, `NotFound`, `RuleViolation`, `StoreFailure`. Source: docs/corrections.md.
   */
  readonly moveToPatient: (move: RecordMove<Type>) => Promise<Correction>;
  /**
   * Merges a patient who is in the directory twice into the other one, who has the orders, goals, immunizations, encounters,
   * notes and care team members of both from then on. The patient who is replaced has no chart, and writes that name this
   * patient are refused. It takes a walk through all records of the store.
   * Errors: `InvalidRequest`, `RuleViolation`, `StoreFailure`. Source: docs/corrections.md.
   */
  readonly mergePatients: (merge: PatientMerge) => Promise<Correction>;
  /**
   * Erases all versions of a resource or, with the type `Patient`, of all records of a patient and of the patient. The
   * history then only says when there were versions, by whom, and that they were erased. The ids cannot be used again. It
   * takes a walk through all records of the store.
   * Errors: `InvalidRequest`, `NotFound`, `StoreFailure`. Source: docs/corrections.md.
   */
  readonly erase: (erasure: RecordErasure<Type>) => Promise<Correction>;
  /** The corrections of a resource or of a patient, oldest first. Errors: `InvalidRequest`, `StoreFailure`. */
  readonly of: (corrected: {
    readonly resourceType: Type | 'Patient';
    readonly resourceId: string;
  }) => Promise<readonly Correction[]>;
  /** The same for the requests of a server, but for `erase`. */
  readonly asJson: CorrectionsJson;
};

/** A move and a merge are reported as an update, and an erasure as a delete. */
const reportedAs =
  (interaction: 'update' | 'delete') =>
  (user: RecordMove<string> | RecordErasure<string>): ReportedCall<Correction> => ({
    interaction,
    type: user?.resourceType,
    id: user?.resourceId,
    user,
    written: correctedPatients,
  });

/** Each parses what it takes. */
export const correctionFunctions: FunctionTable<Corrections<string>> = {
  moveToPatient: { kind: 'write', takes: [anything], access: reportedAs('update') },
  mergePatients: {
    kind: 'write',
    takes: [anything],
    access: (user) => ({
      interaction: 'update',
      type: 'Patient',
      id: user?.patientId,
      user,
      written: correctedPatients,
    }),
  },
  erase: { kind: 'write', takes: [anything], access: reportedAs('delete') },
  of: { kind: 'read', takes: [anything] },
  asJson: correctionsJsonFunctions,
};

/** The most corrections that are returned. No record has so many. */
const maxCorrections = 1000;

export const createCorrections = (environment: CorrectionEnvironment): EithersOf<Corrections<string>> => {
  const { store, resources } = environment;
  const types = Array.from(resources).flatMap(([type, { move }]) => (move === null ? [] : [type]));
  const parseMove = createBodyParser(createMoveBodySchema(types), 'Correction');
  const parseErasure = createBodyParser(createErasureBodySchema(types), 'Correction');
  const parseCorrected = createBodyParser(createCorrectedSchema(types), 'Correction');
  const erase = createErase(environment);
  const parseMerge = createBodyParser(mergeBodySchema, 'Correction');
  const moveToPatient = createMoveToPatient(environment);
  const mergePatients = createMergePatients(environment);
  const calls: Omit<EithersOf<Corrections<string>>, 'asJson'> = {
    erase: async (erasure) => {
      const parsed = parseErasure(erasure, 'strict');
      return E.isLeft(parsed) ? parsed : erase(parsed.right);
    },
    mergePatients: async (merge) => {
      const parsed = parseMerge(merge, 'strict');
      return E.isLeft(parsed) ? parsed : mergePatients(parsed.right);
    },
    moveToPatient: async (move) => {
      const parsed = parseMove(move, 'strict');
      return E.isLeft(parsed) ? parsed : moveToPatient(parsed.right);
    },
    of: async (corrected): Outcome<readonly Correction[]> => {
      const parsed = parseCorrected(corrected, 'strict');
      if (E.isLeft(parsed)) return parsed;
      const { resourceType, resourceId } = parsed.right;
      return pipe(
        await store.search({
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
        E.bimap(toClinicalError, ({ matches }) =>
          matches.map(({ resource }) => JSON.parse(resource) as Correction),
        ),
      );
    },
  };
  return { ...calls, asJson: createCorrectionsJson(environment, { types, of: calls.of }) };
};
