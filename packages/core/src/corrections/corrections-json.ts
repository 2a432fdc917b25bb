import * as E from 'fp-ts/lib/Either.js';
import type { AccessOptions, AnswerContent } from '../access/access.ts';
import { type ChartLimit, viewForms, type WriteOptions } from '../access/chart-limit.ts';
import { warningForms } from '../access/warnings.ts';
import { forbidden, type Outcome, otherChartError } from '../errors.ts';
import { type BodyParser, createBodyParser } from '../fhir/parse-body.ts';
import { anything, namedValues, type OptionForms } from '../forms.ts';
import type { FunctionTable } from '../open-service.ts';
import type { EithersOf } from '../outcome.ts';
import { type Correction, correctionFacts } from '../records/correction.ts';
import { type IdempotencyOptions, idempotencyForms, openKey } from '../records/idempotency.ts';
import { type ResourceVersion, resourceLabels } from '../records/page.ts';
import { openReach, type Reach } from '../records/reach.ts';
import { type SearchPairs, searchPairs } from '../search/search-input.ts';
import type { StoredRecord } from '../store/port.ts';
import {
  authorSchema,
  type CorrectionEnvironment,
  correctedPatients,
  correctionIssue,
  createMovePreviewSchema,
  createMoveRequestSchema,
  mergePreviewSchema,
  mergeRequestSchema,
} from './correction.ts';
import type { Corrections } from './corrections.ts';
import type { MadeCorrection } from './decide-once.ts';
import { createMergePatients } from './merge-patients.ts';
import { createMoveToPatient } from './move-to-patient.ts';
import { createPreviewMerge, createPreviewMove } from './preview.ts';

/** The options of a request that corrects charts. */
type RequestOptions = Omit<WriteOptions, 'handling'> & IdempotencyOptions;

/** The options of a request that reads about corrections. */
type RequestReadOptions = ChartLimit & AccessOptions;

/**
 * Corrections as a server serves them. Each request names both patients, and `authorize` is asked about both charts before anything
 * is looked up. A write names the versions that a preview has shown. Source: docs/corrections.md#over-http.
 */
export type CorrectionsJson = {
  /**
   * Moves a record. Errors: `InvalidRequest`, `Forbidden`, `NotFound`, `PreconditionFailed`, `RuleViolation`, `StoreFailure`.
   */
  readonly move: (body: unknown, options?: RequestOptions) => Promise<ResourceVersion>;
  /** Merges a patient into another one. Errors: `InvalidRequest`, `Forbidden`, `PreconditionFailed`, `RuleViolation`, `StoreFailure`. */
  readonly merge: (body: unknown, options?: RequestOptions) => Promise<ResourceVersion>;
  /** Shows what a move would leave out. Errors: `InvalidRequest`, `Forbidden`, `NotFound`, `RuleViolation`, `StoreFailure`. */
  readonly previewMove: (parameters: SearchPairs, options?: RequestReadOptions) => Promise<string>;
  /** Counts what a merge would move. Errors: `InvalidRequest`, `Forbidden`, `RuleViolation`, `StoreFailure`. */
  readonly previewMerge: (parameters: SearchPairs, options?: RequestReadOptions) => Promise<string>;
  /**
   * The corrections of a resource or of a patient, oldest first: those all of whose charts the caller reaches.
   * Errors: `InvalidRequest`, `Forbidden`, `StoreFailure`.
   */
  readonly of: (
    corrected: { readonly resourceType: string; readonly resourceId: string },
    options?: RequestReadOptions,
  ) => Promise<string>;
};

const requestForms: OptionForms<RequestOptions> = { ...viewForms, ...warningForms, ...idempotencyForms };

const write = {
  kind: 'write',
  takes: [anything],
  options: requestForms,
  access: { interaction: 'update', type: null },
} as const satisfies FunctionTable<CorrectionsJson>['move'];

const preview = {
  kind: 'read',
  takes: [searchPairs],
  options: viewForms,
  access: { interaction: 'read', type: null },
} as const satisfies FunctionTable<CorrectionsJson>['previewMove'];

export const correctionsJsonFunctions: FunctionTable<CorrectionsJson> = {
  move: write,
  merge: write,
  previewMove: preview,
  previewMerge: preview,
  of: { kind: 'read', takes: [namedValues], options: viewForms, access: { interaction: 'read', type: null } },
};

/** The patients whom a request names. */
type NamedPatients = { readonly patientId: string; readonly toPatientId: string };

/** The parameters as an object; a repeated one has its values in an array, which no schema takes. */
const toValues = (parameters: SearchPairs): object =>
  Object.fromEntries(
    Array.from(
      Map.groupBy(parameters as Iterable<readonly [string, string]>, ([name]) => name),
      ([name, pairs]) => [name, pairs.length === 1 ? pairs[0]?.[1] : pairs.map(([, value]) => value)],
    ),
  );

export const createCorrectionsJson = (
  environment: CorrectionEnvironment,
  { types, of }: { readonly types: readonly string[] } & Pick<EithersOf<Corrections<string>>, 'of'>,
): EithersOf<CorrectionsJson> => {
  const parsers = {
    move: createBodyParser(createMoveRequestSchema(types), 'Correction'),
    merge: createBodyParser(mergeRequestSchema, 'Correction'),
    previewMove: createBodyParser(createMovePreviewSchema(types), 'Correction'),
    previewMerge: createBodyParser(mergePreviewSchema, 'Correction'),
  };
  const moveToPatient = createMoveToPatient(environment);
  const mergePatients = createMergePatients(environment);
  const previewMove = createPreviewMove(environment);
  const previewMerge = createPreviewMerge(environment, types);

  /** A correction as it is read: what it has changed is counted, and only a move names its record. */
  const toVersion = ({ isUnwritten, warnings, records, ...correction }: MadeCorrection): ResourceVersion => {
    const counts: Record<string, number> = {};
    for (const { type } of records) if (types.includes(type)) counts[type] = (counts[type] ?? 0) + 1;
    const json = { ...correction, counts, ...(correction.kind === 'move' && { records }) };
    return {
      ...{ id: correction.id, patientId: null, version: 1, lastModified: Date.parse(correction.at) },
      json: JSON.stringify(json),
      ...(isUnwritten && { isUnwritten }),
      ...(warnings && { warnings }),
    };
  };

  /** Opens both charts of a request to its sender. A refusal is reported as denied in both. */
  const inCharts = async <Named extends NamedPatients, A>(
    { parse, sent, options }: { parse: BodyParser<Named>; sent: unknown; options: RequestReadOptions },
    work: (named: Named, reach: Reach) => Outcome<A>,
  ): Outcome<A> => {
    const parsed = parse(sent, 'strict');
    if (E.isLeft(parsed)) return parsed;
    const { patientId, toPatientId } = parsed.right;
    const patientIds = [patientId, toPatientId];
    const reach = openReach(options);
    const begin = async (): Outcome<A> => {
      if (E.isLeft(reach)) return reach;
      for (const chart of patientIds)
        if (!(await reach.right.allows(chart, { id: null }))) return E.left(otherChartError);
      return work(parsed.right, reach.right);
    };
    const done = await begin();
    if (E.isLeft(done)) for (const chart of patientIds) options.onDeny?.(chart);
    return done;
  };

  const isReachedBy =
    (reach: Reach) =>
    ({ type, id, patientId, resource }: StoredRecord) =>
      reach.allows(patientId, {
        id: `${type}/${id}`,
        labels: resourceLabels(type, { id, resource: resource ?? '' }),
      });

  const createWrite =
    <Named extends NamedPatients & { readonly patientVersion: number; readonly toPatientVersion: number }>(
      kind: 'move' | 'merge',
      parse: BodyParser<Named>,
      make: (
        named: Named & { readonly by: Correction['by'] },
        request: Parameters<typeof mergePatients>[1] & object,
      ) => Outcome<MadeCorrection>,
    ): EithersOf<CorrectionsJson>['move'] =>
    async (body, options = {}) => {
      const by = authorSchema.safeParse(options.by).data;
      if (by === undefined) return E.left(forbidden(correctionIssue('correction-author', 'by')));
      const key = openKey(options, {
        ...{ by, type: correctionFacts.type, body: [kind, body] },
        readStored: ({ id, version, at, resource }) =>
          resource === null ? null : { id, patientId: null, version, lastModified: at, json: resource },
      });
      if (E.isLeft(key)) return key;
      const made = await inCharts({ parse, sent: body, options }, (named, reach) =>
        make({ ...named, by }, { seen: named, key: key.right, isReached: isReachedBy(reach) }),
      );
      if (E.isLeft(made)) return made;
      const { isUnwritten, warnings } = made.right;
      if (warnings !== undefined) options.onWarnings?.(warnings);
      options.onReturn?.({ ...correctedPatients(made.right), ...(isUnwritten && { isUnwritten }) });
      return E.right(toVersion(made.right));
    };

  /** Whether a caller reaches all charts that a correction names. */
  const isReached = async (reach: Reach, { patientId, toPatientId }: Correction): Promise<boolean> => {
    for (const chart of [patientId, ...(toPatientId === null ? [] : [toPatientId])])
      if (!(await reach.allows(chart, { id: null }))) return false;
    return true;
  };

  const report = ({ onReturn }: AccessOptions, searchedPatientIds: readonly string[]) =>
    onReturn?.({
      resources: [],
      searchedPatientIds: [...new Set(searchedPatientIds)],
    } satisfies AnswerContent);

  return {
    move: createWrite(
      'move',
      parsers.move,
      ({ resourceType, resourceId, toPatientId, by, reason }, request) =>
        moveToPatient({ resourceType, resourceId, toPatientId, by, reason }, request),
    ),
    merge: createWrite('merge', parsers.merge, ({ patientId, toPatientId, by, reason }, request) =>
      mergePatients({ patientId, toPatientId, by, reason }, request),
    ),
    previewMove: async (parameters, options = {}) => {
      const asked = { parse: parsers.previewMove, sent: toValues(parameters), options };
      const read = await inCharts(asked, (seen, reach) =>
        previewMove(seen, { seen, isReached: isReachedBy(reach) }),
      );
      if (E.isRight(read)) report(options, [read.right.patientId, read.right.toPatientId]);
      return E.map(JSON.stringify)(read);
    },
    previewMerge: async (parameters, options = {}) => {
      const asked = { parse: parsers.previewMerge, sent: toValues(parameters), options };
      const read = await inCharts(asked, previewMerge);
      if (E.isRight(read)) report(options, [read.right.patientId, read.right.toPatientId]);
      return E.map(JSON.stringify)(read);
    },
    of: async (corrected, options = {}) => {
      const reach = openReach(options);
      if (E.isLeft(reach)) return reach;
      const { resourceType, resourceId } = corrected;
      const named = resourceType === 'Patient' ? [resourceId] : [];
      for (const chart of named)
        if (!(await reach.right.allows(chart, { id: null }))) return E.left(otherChartError);
      const found = await of(corrected);
      if (E.isLeft(found)) return found;
      const shown: Correction[] = [];
      for (const correction of found.right)
        if (await isReached(reach.right, correction)) shown.push(correction);
      report(options, [
        ...named,
        ...shown.flatMap(({ patientId, toPatientId }) =>
          toPatientId === null ? [patientId] : [patientId, toPatientId],
        ),
      ]);
      const corrections = shown.map((correction) => JSON.parse(toVersion(correction).json));
      return E.right(JSON.stringify({ corrections }));
    },
  };
};
