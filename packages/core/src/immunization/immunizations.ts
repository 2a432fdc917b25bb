import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { createChartRecords, type Kept } from '../chart/chart-records.ts';
import type { DirectoryRecords } from '../directory/directory.ts';
import type { Environment } from '../environment.ts';
import {
  type ClinicalError,
  type Fault,
  invalidRequest,
  notFound,
  notSupported,
  type Result,
  ruleViolation,
} from '../errors.ts';
import { parseBody } from '../fhir/body.ts';
import { idIn } from '../fhir/reference.ts';
import { type Access, isLimited, reachOf, type WriteOptions, withinChart } from '../records/access.ts';
import { type Idempotency, onceForKey } from '../records/idempotency.ts';
import { inOneCommit } from '../records/in-one-commit.ts';
import { createJsonReads, type JsonReads } from '../records/json-reads.ts';
import { absent, isPresent, type Loaded, type Present } from '../records/load.ts';
import { meets, type Precondition } from '../records/precondition.ts';
import { type ResourceReads, resourceOf, resourceReads } from '../records/resource-reads.ts';
import type { ResourceVersion } from '../records/resource-version.ts';
import type { ClinicalStore } from '../store/port.ts';
import { immunizationChart, placingInNote } from './chart.ts';
import { atElements, toldTo } from './elements.ts';
import { immunizationFault } from './faults.ts';
import type { Immunization, ImmunizationBody, ImmunizationCommand, ImmunizationRecord } from './model.ts';
import { type CreateBody, createBody, statementOf, type UpdateBody, updateBody } from './request.ts';
import { immunizationParameters } from './search-index.ts';

/** How immunizations are written: `A` is what a write answers. Source: interface, "Immunization". */
export type ImmunizationWrites<A> = {
  /**
   * Records an immunization that was administered elsewhere, as an Immunization Statement command. With an `idempotencyKey`,
   * it is recorded once, however often it is sent.
   * Errors: `InvalidRequest`, `NotSupported`, `RuleViolation`, `Forbidden`, `StoreFailure`.
   */
  readonly create: (body: unknown, options?: WriteOptions & Idempotency) => Result<A>;
  /**
   * Marks a statement as entered in error, and processes nothing else. A patient, a note or an encounter that is sent must
   * be the statement's own. One in the chart of another patient is as unknown as one that does not exist.
   * Errors: `InvalidRequest`, `NotSupported`, `PreconditionFailed`, `RuleViolation`, `Forbidden`, `StoreFailure`.
   */
  readonly update: (id: string, body: unknown, options?: WriteOptions & Precondition) => Result<A>;
};

/** Immunizations: read, and written through the interface; `asJson` hands on texts. */
export type Immunizations = ResourceReads<Immunization> &
  ImmunizationWrites<Immunization> & { readonly asJson: JsonReads & ImmunizationWrites<ResourceVersion> };

/** Refuses what the interface does not do, and what lies in another chart. Source: interface, "POST body". */
const creatable = ({ primarySource, patient }: CreateBody, access: Access): E.Either<ClinicalError, void> =>
  primarySource
    ? E.left(notSupported(immunizationFault('create-statement-only', 'Immunization.primarySource')))
    : withinChart(access)(idIn(patient));

/** What a rule forbids, whatever is in the chart. Source: interface, "POST body". */
const violations = ({ status, statusReason }: CreateBody): readonly Fault[] => [
  ...(status === 'completed' ? [] : [immunizationFault('create-completed-only', 'Immunization.status')]),
  ...(statusReason === undefined
    ? []
    : [immunizationFault('reason-of-not-done', 'Immunization.statusReason')]),
];

/** The record, if it is one that can be marked as entered in error through the interface. */
const statementIn = (
  loaded: Loaded<ImmunizationRecord>,
): E.Either<ClinicalError, Present<ImmunizationRecord>> => {
  const command = loaded.state?.commands[0];
  if (!isPresent(loaded) || command?.committed == null) {
    return E.left(notSupported(immunizationFault('unknown-immunization', 'Immunization.id')));
  }
  return command.body.kind === 'immunizationStatement'
    ? E.right(loaded)
    : E.left(notSupported(immunizationFault('statement-only', 'Immunization.primarySource')));
};

/** What the body of a PUT says against the statement that it marks. What else differs is not processed. */
const contradictions = (
  { patient, extension: [note] = [], encounter }: UpdateBody,
  { patientId, commands: [command] }: ImmunizationRecord,
): E.Either<ClinicalError, void> => {
  const faults = [
    ...(idIn(patient) === patientId ? [] : [immunizationFault('patient-differs', 'patientId')]),
    ...(note === undefined || note.valueId === command?.body.noteId
      ? []
      : [immunizationFault('note-differs', 'noteId')]),
    ...(encounter === undefined || idIn(encounter) === command?.body.encounterId
      ? []
      : [immunizationFault('encounter-differs', 'encounterId')]),
  ];
  return faults.length === 0 ? E.right(undefined) : E.left(atElements(ruleViolation(faults)));
};

/** Who records a statement, in which chart alone if in any, and what speaks against it from the beginning. */
type Attempt = {
  readonly violated: readonly Fault[];
  readonly by: string | null;
  readonly access: Access;
};

const resourceKept = ({
  record,
  resource,
}: Kept<ImmunizationBody>): E.Either<ClinicalError, ResourceVersion> =>
  resource === null ? E.left(notFound('Immunization', record.id)) : E.right(resource);

const recordBy =
  (
    { record }: ReturnType<typeof createChartRecords<ImmunizationCommand, ImmunizationBody>>,
    statement: ImmunizationCommand,
    by: string | null,
  ): Result<ResourceVersion> =>
  async () => {
    const kept = await record(statement, by)();
    return E.isLeft(kept) ? kept : resourceKept(kept.right);
  };

export const createImmunizations = (environment: Environment, directory: DirectoryRecords): Immunizations => {
  const chart = createChartRecords(environment, immunizationChart(environment, directory));
  const parseCreate = parseBody(createBody(environment.extensionBase), 'Immunization');
  const parseUpdate = parseBody(updateBody(environment.extensionBase), 'Immunization');

  // A create is written plainly: each step of a TaskEither costs two promises.
  /** Records a statement in a draft; one that a rule forbids is refused, with what the chart finds in it besides. */
  const recordIn =
    (
      draft: ClinicalStore,
      statement: ImmunizationCommand,
      { violated, by, access }: Attempt,
    ): Result<ResourceVersion> =>
    async () => {
      const on = { ...environment, store: draft };
      const directoryOn = directory.on(draft, access);
      if (violated.length === 0) {
        return recordBy(createChartRecords(on, immunizationChart(on, directoryOn)), statement, by)();
      }
      const placed = await placingInNote(on, directoryOn)(statement, environment.now())();
      if (E.isRight(placed)) return E.left(ruleViolation(violated));
      return E.left(
        placed.left._tag === 'RuleViolation'
          ? ruleViolation([...violated, ...placed.left.faults])
          : placed.left,
      );
    };

  const create: ImmunizationWrites<ResourceVersion>['create'] = (body, options = {}) => {
    const { by = null, handling = 'lenient' } = options;
    const sent = parseCreate(body, handling);
    if (E.isLeft(sent)) return TE.left(sent.left);
    const once = onceForKey(options, { by, type: 'Immunization', body });
    if (E.isLeft(once)) return TE.left(once.left);
    const allowed = creatable(sent.right, options);
    if (E.isLeft(allowed)) return TE.left(allowed.left);
    const statement = statementOf(sent.right);
    const attempt: Attempt = { violated: violations(sent.right), by, access: { ...options } };
    // Without a host to ask, a limit or a key, the statement is all that can be written: nothing has to be kept back.
    const isAlone = !directory.asksHost && !isLimited(options) && options.idempotencyKey === undefined;
    const record =
      isAlone && attempt.violated.length === 0
        ? recordBy(chart, statement, by)
        : inOneCommit(environment.store, (draft) => once.right(draft, recordIn(draft, statement, attempt)));
    return async () => {
      const recorded = await record();
      return E.isLeft(recorded) ? E.left(toldTo(attempt.access)(recorded.left)) : recorded;
    };
  };

  const update: ImmunizationWrites<ResourceVersion>['update'] = (id, body, options = {}) => {
    const { by = null, handling = 'lenient' } = options;
    const sent = parseUpdate(body, handling);
    if (E.isLeft(sent)) return TE.left(sent.left);
    if (sent.right.id !== id)
      return TE.left(invalidRequest(immunizationFault('id-differs', 'Immunization.id')));
    if (sent.right.status !== 'entered-in-error')
      return TE.left(notSupported(immunizationFault('entered-in-error-only', 'Immunization.status')));
    const reach = reachOf(options);
    if (E.isLeft(reach)) return TE.left(reach.left);
    const isMet = meets(options);
    const demand = (loaded: Loaded<ImmunizationRecord>) =>
      pipe(
        statementIn(reach.right(loaded.stored?.patientId ?? null) ? loaded : absent(id)),
        E.tap(({ stored: { version, at } }) => isMet({ version, lastModified: at })),
        E.flatMap(({ state }) => contradictions(sent.right, state)),
      );
    const step = chart.step({ type: 'Immunization', id, index: 0 }, { step: 'enterInError', by, demand });
    return pipe(step, TE.flatMapEither(resourceKept));
  };

  const json = createJsonReads(environment, { type: 'Immunization', parameters: immunizationParameters });
  return {
    ...resourceReads<Immunization>(json),
    create: (body, options) => pipe(create(body, options), TE.map(resourceOf<Immunization>)),
    update: (id, body, options) => pipe(update(id, body, options), TE.map(resourceOf<Immunization>)),
    asJson: { ...json, create, update },
  };
};
