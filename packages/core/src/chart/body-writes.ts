import * as E from 'fp-ts/lib/Either.js';
import { type WriteOptions, writeForms } from '../access/chart-limit.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import {
  type ClinicalError,
  invalidRequest,
  type Outcome,
  otherChartError,
  outOfReachError,
} from '../errors.ts';
import type { CommonElements } from '../fhir/common-elements.ts';
import { bodyIssue } from '../fhir/issues.ts';
import type { BodyParser } from '../fhir/parse-body.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import { anything, id as idForm } from '../forms.ts';
import type { FunctionTable } from '../open-service.ts';
import type { EithersOf } from '../outcome.ts';
import { commitAsOne } from '../records/buffered-store.ts';
import type { ResourceFacts } from '../records/definition.ts';
import {
  type ConditionalOptions,
  type CreateOnce,
  conditionalForms,
  createIfNoneExists,
  createOnceForKey,
  type IdempotencyOptions,
  idempotencyForms,
} from '../records/idempotency.ts';
import type { JsonReads } from '../records/json-reads.ts';
import { isEnteredInError, type ResourceVersion, reportWritten } from '../records/page.ts';
import { openReach, type Reach } from '../records/reach.ts';
import { createReadTables, createResourceReads, parseResource } from '../records/resource-reads.ts';
import { createPreconditionCheck, type Precondition, preconditionForms } from '../records/transact.ts';

/** The options of a create by a body. */
export type CreateOptions = WriteOptions & IdempotencyOptions & ConditionalOptions;
/** The options of an update by a body. */
export type UpdateOptions = WriteOptions & Precondition;

/** The writes that take the bodies of requests, with JSON texts as results. */
export type BodyWrites = {
  readonly create: (body: unknown, options?: CreateOptions) => Promise<ResourceVersion>;
  readonly update: (id: string, body: unknown, options?: UpdateOptions) => Promise<ResourceVersion>;
};

/** The errors that such a write adds to those of every request. */
export const bodyErrorTags = [
  'InvalidRequest',
  'NotSupported',
  'RuleViolation',
  'PreconditionFailed',
] as const;

/** The same writes, with resources in place of their JSON texts. */
const createTypedWrites = <Resource>({ create, update }: EithersOf<BodyWrites>) => ({
  create: async (body: unknown, options?: CreateOptions): Outcome<Resource> =>
    E.map(parseResource<Resource>)(await create(body, options)),
  update: async (id: string, body: unknown, options?: UpdateOptions): Outcome<Resource> =>
    E.map(parseResource<Resource>)(await update(id, body, options)),
});

/** The functions of a type that is written by bodies. */
const createWriteTable = (type: string) =>
  ({
    create: {
      kind: 'write',
      takes: [anything],
      options: { ...writeForms, ...idempotencyForms, ...conditionalForms },
      access: { interaction: 'create', type },
    },
    update: {
      kind: 'write',
      takes: [idForm, anything],
      options: { ...writeForms, ...preconditionForms },
      access: { interaction: 'update', type },
    },
  }) as const satisfies FunctionTable<BodyWrites>;

/** Some properties of an object. */
export const pick = <From extends object, Name extends keyof From>(
  from: From,
  names: readonly Name[],
): Pick<From, Name> => Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;

/** The functions of a type that is read, and written by bodies in some ways. */
export const createServiceTable = <Write extends keyof BodyWrites>(
  type: string,
  writes: readonly Write[],
) => {
  const reads = createReadTables(type);
  const written = pick(createWriteTable(type), writes);
  return { ...reads, ...written, asJson: { ...reads.asJson, ...written } };
};

/** The service of such a type. */
export const createWritableResources = <Resource, Write extends keyof BodyWrites>(
  json: EithersOf<JsonReads<object>>,
  written: EithersOf<BodyWrites>,
  writes: readonly Write[],
) => ({
  ...createResourceReads<Resource>(json),
  ...pick(createTypedWrites<Resource>(written), writes),
  asJson: { ...json, ...pick(written, writes) },
});

type WriteContext = {
  readonly environment: Environment;
  readonly directory: DirectoryRecords;
  readonly facts: ResourceFacts;
};

/** The chart of a body, with the elements on which conditions and labels depend. */
type SentChart = Pick<CommonElements, 'identifier'> & {
  readonly patientId: string;
  readonly meta?: Parameters<Reach['allows']>[1]['labels'];
};

type CreateDefinition<Sent> = {
  readonly parse: BodyParser<Sent>;
  /** Refuses what is not created by a body, whatever is in the chart. */
  readonly requireCreatable?: (sent: Sent) => E.Either<ClinicalError, unknown>;
  readonly chartOf: (sent: Sent) => SentChart;
  /** Creates the resource in the store of a directory, which shows only the encounters and notes that the caller reaches. */
  readonly make: (
    directory: DirectoryRecords,
    sent: Sent,
    by: AuthorReference | null,
  ) => Outcome<ResourceVersion>;
};

/** A create, as far as it is decided before anything is read. */
type CreateRequest<Sent> = {
  readonly sent: Sent;
  readonly by: AuthorReference | null;
  readonly chart: SentChart;
  readonly reach: Reach;
  readonly onceForKey: CreateOnce;
  readonly ifNoneExists: CreateOnce;
  /** Whether a key or a condition belongs to it. */
  readonly isConditional: boolean;
};

const createCreateReader =
  <Sent>(
    { environment, facts }: WriteContext,
    { parse, requireCreatable = E.right, chartOf }: CreateDefinition<Sent>,
  ) =>
  (body: unknown, options: CreateOptions): E.Either<ClinicalError, CreateRequest<Sent>> => {
    const { by = null, handling = 'lenient', idempotencyKey, ifNoneExist } = options;
    const { type } = facts;
    const sent = parse(body, handling);
    if (E.isLeft(sent)) return sent;
    const onceForKey = createOnceForKey(options, { by, type, body });
    if (E.isLeft(onceForKey)) return onceForKey;
    const creatable = requireCreatable(sent.right);
    if (E.isLeft(creatable)) return creatable;
    const reach = openReach(options, { ...environment, facts });
    if (E.isLeft(reach)) return reach;
    const chart = chartOf(sent.right);
    const { patientId, identifier: identifiers } = chart;
    if (!reach.right.admits(patientId)) return E.left(otherChartError);
    const ifNoneExists = createIfNoneExists(facts, options, { by, patientId, identifiers });
    if (E.isLeft(ifNoneExists)) return ifNoneExists;
    return E.right({
      sent: sent.right,
      by,
      chart,
      reach: reach.right,
      onceForKey: onceForKey.right,
      ifNoneExists: ifNoneExists.right,
      isConditional: idempotencyKey !== undefined || ifNoneExist !== undefined,
    });
  };

/**
 * A create by a body: once for a key, unless it exists, within the reach of the caller, and in one commit. It begins with the first
 * read, so a caller who changes the body afterwards changes nothing.
 */
export const createByBody = <Sent>(
  context: WriteContext,
  definition: CreateDefinition<Sent>,
): EithersOf<BodyWrites>['create'] => {
  const { environment, directory, facts } = context;
  const { make } = definition;
  const readRequest = createCreateReader(context, definition);

  /** Without a host to ask, a limit, a key or a condition, the resource is all that can be written: nothing has to be kept back. */
  const write = (request: CreateRequest<Sent>): Outcome<ResourceVersion> => {
    const { sent, by, chart, reach, onceForKey, ifNoneExists, isConditional } = request;
    if (!directory.canAskHost && !reach.isLimited && !isConditional) return make(directory, sent, by);
    const patientIds = reach.asks ? new Set([chart.patientId]) : reach.patientIds;
    return commitAsOne(environment.store, async (buffer) =>
      E.chain(reach.created)(
        await onceForKey(buffer, () =>
          ifNoneExists(buffer, () => make(directory.onStore(buffer, patientIds), sent, by)),
        ),
      ),
    );
  };

  const create: EithersOf<BodyWrites>['create'] = async (body, options = {}) => {
    const request = readRequest(body, options);
    if (E.isLeft(request)) return request;
    const { reach, chart } = request.right;
    const { patientId, meta: labels } = chart;
    if (!(await reach.allows(patientId, { id: null, labels }))) return E.left(otherChartError);
    const created = await write(request.right);
    if (E.isLeft(created)) return created;
    const { id, json: resource, isExisting } = created.right;
    const isHidden = isExisting === true && !(await reach.shows({ id, patientId, resource }));
    return isHidden ? E.left(outOfReachError) : created;
  };
  return (body, options = {}) => reportWritten(facts.type, options, create(body, options));
};

/**
 * Writes within the reach of a caller. If that depends on resources, a write whose result is out of reach is refused, and nothing is
 * written. A resource that is entered in error may leave it.
 */
export const writeWithinReach = (
  { environment, directory, facts }: WriteContext,
  reach: Reach,
  write: (on: DirectoryRecords) => Outcome<ResourceVersion>,
): Outcome<ResourceVersion> => {
  if (!reach.limitsResources) return write(directory);
  return commitAsOne(environment.store, async (buffer) => {
    const written = await write(directory.onStore(buffer));
    const isRetracted = E.isRight(written) && isEnteredInError(facts, JSON.parse(written.right.json));
    return isRetracted ? written : E.chain(reach.created)(written);
  });
};

/** The conditions under which an update changes a record. */
type UpdateGuard = {
  readonly by: AuthorReference | null;
  /** Whether the caller reaches the chart of the record. */
  readonly isReached: (patientId: string | null) => boolean;
  /** Refuses another version than the caller expects. */
  readonly requireVersion: ReturnType<typeof createPreconditionCheck>;
};

type UpdateDefinition<Sent> = {
  readonly parse: BodyParser<Sent>;
  /** Refuses what is not changed by a body, whatever is in the chart. */
  readonly requireUpdatable?: (sent: Sent) => E.Either<ClinicalError, unknown>;
  /** Determines the charts to which the update may write, or refuses it. Default: that of the record with the id. */
  readonly reachOf?: (id: string, reach: Reach) => Outcome<UpdateGuard['isReached']>;
  /** Changes the resource in the store of a directory. */
  readonly change: (
    on: DirectoryRecords,
    id: string,
    sent: Sent,
    guard: UpdateGuard,
  ) => Outcome<ResourceVersion>;
};

/** An update by a body, within the reach of the caller and under its conditions. */
export const updateByBody = <Sent extends { readonly id: string }>(
  context: WriteContext,
  {
    parse,
    requireUpdatable = E.right,
    reachOf = (id, reach) => reach.forUpdate(context.environment.store, { type: context.facts.type, id }),
    change,
  }: UpdateDefinition<Sent>,
): EithersOf<BodyWrites>['update'] => {
  const { environment, facts } = context;
  const { type } = facts;
  const update: EithersOf<BodyWrites>['update'] = async (id, body, options = {}) => {
    const { by = null, handling = 'lenient' } = options;
    const sent = parse(body, handling);
    if (E.isLeft(sent)) return sent;
    if (sent.right.id !== id) return E.left(invalidRequest(bodyIssue('id-differs', `${type}.id`)));
    const updatable = requireUpdatable(sent.right);
    if (E.isLeft(updatable)) return updatable;
    const requireVersion = createPreconditionCheck(options);
    const reach = openReach(options, { ...environment, facts });
    if (E.isLeft(reach)) return reach;
    const reached = await reachOf(id, reach.right);
    if (E.isLeft(reached)) return reached;
    const guard = { by, isReached: reached.right, requireVersion };
    return writeWithinReach(context, reach.right, (on) => change(on, id, sent.right, guard));
  };
  return (id, body, options = {}) => reportWritten(type, options, update(id, body, options));
};
