import * as E from 'fp-ts/lib/Either.js';
import { createAccessReporter } from '../access/access.ts';
import { commandFacts } from '../chart/listed-command.ts';
import { createBodySchemas } from '../description/body-schemas.ts';
import { defineDirectoryRecords } from '../directory/decide-entry.ts';
import { createHostLookup } from '../directory/host-lookup.ts';
import { directoryFacts } from '../directory/search.ts';
import type { Settings } from '../environment.ts';
import { ownProperty } from '../fhir/schema.ts';
import { createFields } from '../host-fields/host-extension.ts';
import type { HostRules } from '../host-rules/host-rule.ts';
import { createJudge, type JudgedType } from '../host-rules/judge.ts';
import { definitionsOf, retiredTypesOf } from '../host-type/kept-definitions.ts';
import type { HostType } from '../host-type/model.ts';
import { lazily, once } from '../lazy.ts';
import {
  beginWrite,
  createPartOpener,
  type Door,
  type FunctionTable,
  type LazyParts,
  ruleCallback,
  runAsCallback,
} from '../open-service.ts';
import {
  type AnyOptions,
  type ClinicalRecordsOptions,
  checkOptions,
  createSettings,
  createUuid,
  requireNode,
} from '../options.ts';
import { createProvenanceIds } from '../provenance/model.ts';
import { correctionFacts } from '../records/correction.ts';
import { isEnteredInError } from '../records/page.ts';
import { createIndexState, type IndexState, withSearchIndex } from '../records/search-index.ts';
import type { Judge } from '../records/transact.ts';
import type { AnyResource, Resources } from '../resource-definition.ts';
import { resourcesByType } from '../resources.ts';
import { withFieldParameters } from '../search/field-parameters.ts';
import { issuesOfMatching } from '../search/matching.ts';
import type { ClinicalStore } from '../store/port.ts';
import type { Transaction, TransactionConnection } from '../store/transaction.ts';
import type { ClinicalRecords, RecordsWith, ServedResource } from './clinical-records.ts';
import { createServices, type ServiceDefinitions } from './create-services.ts';
import { createFunctionTable, type RecordFunctions } from './record-functions.ts';
import { refuseNested, runTransaction, type TransactionWork } from './transaction.ts';

/** The parts that the records of a clinic share, on its store and in each transaction. */
type Clinic = ServiceDefinitions & {
  readonly options: AnyOptions;
  readonly settings: Settings;
  readonly table: FunctionTable<RecordFunctions>;
  readonly served: readonly ServedResource[];
  readonly bodies: () => ClinicalRecords['bodies'];
  /** Judges changes by the rules of the host, if it has any. */
  readonly judge: Judge | undefined;
};

const toServedResource = (definition: AnyResource, rules: HostRules): ServedResource => {
  const { type, name, isOnePerPatient = false, requests, createCommands } = definition;
  return {
    type,
    name,
    isOnePerPatient,
    matchingIssues: (matching) => issuesOfMatching(definition, matching),
    isOnlyImported: createCommands === null && Object.keys(requests).length === 0,
    hasRules: ownProperty(rules, type) !== undefined,
    writes: Object.fromEntries(Object.entries(requests).map(([name, { errorTags }]) => [name, errorTags])),
  };
};

/** How the records of all types are indexed. */
const createIndex = (
  { timeZone }: Pick<ClinicalRecordsOptions, 'timeZone'>,
  resources: Resources,
): IndexState =>
  createIndexState(
    [...resources.values(), ...Object.values(directoryFacts), commandFacts, correctionFacts],
    timeZone,
  );

/** Creates the judge of a host's rules. */
const createJudgeOf = (
  { rules, store, onRuleFailure }: Pick<AnyOptions, 'rules' | 'store' | 'onRuleFailure'>,
  settings: Settings,
  resources: Resources,
): Judge => {
  const toJudgedType = (definition: AnyResource): JudgedType => ({
    textOf: definition.createTextOf?.({ ...settings, store }) ?? (({ resource }) => resource),
    isInError: (resource) => isEnteredInError(definition, resource),
    isEnd: definition.isEnd,
  });
  for (const type of Object.keys(rules ?? {}))
    if (!resources.has(type))
      throw new TypeError(`rules has no type ${type}. Its types are ${[...resources.keys()].join(', ')}.`);
  return createJudge({
    rules: rules as HostRules,
    types: Object.fromEntries(
      Array.from(resources, ([type, definition]) => [type, toJudgedType(definition)]),
    ),
    system: `${settings.extensionBase}/rules`,
    onFailure: async (failure) => {
      // A log that fails changes nothing.
      try {
        await onRuleFailure?.(failure);
      } catch {}
    },
    withoutWrites: (work) => runAsCallback(store, ruleCallback, work),
  });
};

/** The settings of the services, with the extensions of the host if it has any. */
const createClinicSettings = (options: AnyOptions, places: Resources): Settings => {
  const settings = createSettings(options);
  const { extensionBase } = settings;
  const { extensions } = options;
  return extensions === undefined
    ? settings
    : { ...settings, fields: createFields(extensions, { places, extensionBase }) };
};

const createClinic = (options: AnyOptions, types: Resources): Clinic => {
  const settings = createClinicSettings(options, types);
  const { fields } = settings;
  const resources: Resources =
    fields === undefined
      ? types
      : new Map(Array.from(types, ([type, each]) => [type, withFieldParameters(each, fields)]));
  const definitions = [...resources.values()];
  return {
    options,
    settings,
    resources,
    retiredTypes: retiredTypesOf(options.types ?? []),
    entryDefinitions: defineDirectoryRecords(settings),
    provenanceIds: createProvenanceIds(definitions),
    table: createFunctionTable(resources),
    served: definitions.map((definition) => toServedResource(definition, (options.rules ?? {}) as HostRules)),
    bodies: once(() => createBodySchemas(resources, settings.extensionBase, fields)),
    judge: options.rules && createJudgeOf(options, settings, resources),
  };
};

/** A store, as the records use it. */
type StoreUse = {
  readonly store: ClinicalStore;
  /** It is shared by all calls on the store. */
  readonly index: IndexState;
  /** The connection of a transaction of the host, which `resolve` gets. */
  readonly connection?: TransactionConnection | undefined;
};

/** Creates services on a store. Returns the function that makes them public. */
const createOnStore = (clinic: Clinic, use: StoreUse): ((door: Door) => ClinicalRecords) => {
  const { settings, options, table, served, bodies, judge } = clinic;
  const { resolve, resolveTimeout: timeout } = options;
  const { index, connection } = use;
  const indexed = withSearchIndex(use.store, index);
  const store = judge === undefined ? indexed : { ...indexed, judge };
  const lookUp = resolve && createHostLookup(resolve, settings.now, { timeout, connection });
  // The searches and the commits of a transaction are those of the store, which looks after the index.
  const openInner = (inner: Clinic) => (transaction: ClinicalStore, door: Door) => {
    const indexOfWork = { ...index, indexed: index.digests, hasWritten: true };
    return createOnStore(inner, { store: transaction, index: indexOfWork })(door);
  };
  const services: LazyParts<RecordFunctions> = {
    ...createServices({ ...settings, store }, clinic, { index, lookUp }),
    transaction: () => async (work: TransactionWork) =>
      E.right(await runTransaction(store, { openRecords: openInner(clinic), isWritten: true }, work)),
    dryRun: () => async (work: TransactionWork) => {
      const openRecords = openInner({ ...clinic, settings: { ...settings, newId: createUuid } });
      return E.right(await runTransaction(store, { openRecords, isWritten: false }, work));
    },
    in: () => (transaction: Transaction) => {
      const { watch, connection } = transaction;
      const joined = transaction.join(use.store);
      // A transaction may be rolled back, so it has a state of its own.
      const open = createOnStore(clinic, { store: joined, index: { ...index }, connection });
      return open({ watch, refuse: refuseNested });
    },
  };
  const { callContext } = options.store;
  const isInTransaction = use.store !== options.store;
  const begin = beginWrite.bind(null, store, { callContext, isInTransaction });
  return (door) => {
    const openPart = createPartOpener(services, table, { begin, ...door });
    const records = lazily<Omit<ClinicalRecords, 'resources' | 'access'>>(
      [...Object.keys(table), 'bodies'],
      (name) => (name === 'bodies' ? bodies() : openPart(name)),
    );
    return Object.assign(records, { resources: served, access: null });
  };
};

/** The library's own types, and those of the host. */
const allResources = ({ types = [] }: Pick<AnyOptions, 'types'>): Resources =>
  types.length === 0
    ? resourcesByType
    : new Map([...resourcesByType, ...definitionsOf(types).map((each) => [each.type, each] as const)]);

/** Creates the records. A test can add a type to the `resources`. */
export const createRecords = <Connection>(
  options: AnyOptions<Connection>,
  added?: Resources,
): ClinicalRecords<Connection> => {
  checkOptions(options);
  const clinic = createClinic(options, added ?? allResources(options));
  const open = createOnStore(clinic, { store: options.store, index: createIndex(options, clinic.resources) });
  const { onAccess } = options;
  const unreported = open({});
  if (onAccess === undefined) return unreported as ClinicalRecords<Connection>;
  const report = createAccessReporter(onAccess, clinic.settings.now);
  const reported = Object.assign(open({ report }), { access: { report, unreported } });
  return reported as ClinicalRecords<Connection>;
};

/**
 * Creates the clinical records of a host on its store. Throws a TypeError for an option that is missing, has the wrong
 * type, or is unknown. Throws a RangeError for an unknown time zone, an invalid `extensionBase`, invalid `careTeamRoles`, and
 * a number out of its range. Throws an Error on a Node that is older than `engines` in package.json allows.
 *
 * Every function that reads or writes begins when it is called, and returns a promise. It rejects with a
 * `ClinicalRecordsError`, also for an option that it does not have, as a `Misuse`. `changes` and `all` throw the same error. `in`
 * throws an Error. A function that calls `clock` or `newId` rejects if these throw, or if they return an invalid Date or id.
 *
 * @example
 * const records = createClinicalRecords({ store: createMemoryStore(), extensionBase, careTeamRoles: [] });
 */
export const createClinicalRecords = <Connection, const Types extends readonly HostType[] = []>(
  options: ClinicalRecordsOptions<Connection, Types>,
): RecordsWith<Connection, Types> => {
  requireNode();
  return createRecords(options) as RecordsWith<Connection, Types>;
};
