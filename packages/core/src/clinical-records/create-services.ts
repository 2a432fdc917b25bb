import * as E from 'fp-ts/lib/Either.js';
import { createTeamFollower } from '../care-team/follow-directory.ts';
import { createTeamRecords, type TeamRecords } from '../care-team/team-records.ts';
import { createChangeFeed, readFeedEnd } from '../changes/change-feed.ts';
import { createChart } from '../chart/chart.ts';
import { createCircumstancesReader } from '../chart/circumstances.ts';
import { listedCommandDefinition } from '../chart/listed-command.ts';
import { createCopyTo } from '../copy/copy-to.ts';
import { createCorrections } from '../corrections/corrections.ts';
import { describe } from '../description/description.ts';
import type { EntryDefinitions } from '../directory/decide-entry.ts';
import { createDirectory, createOpenReferenced } from '../directory/directory.ts';
import {
  createDirectoryRecords,
  type DirectoryFollower,
  type DirectoryRecords,
} from '../directory/directory-records.ts';
import type { HostLookup } from '../directory/host-lookup.ts';
import type { Environment } from '../environment.ts';
import { toClinicalError } from '../errors.ts';
import { createEverything } from '../exporter/everything.ts';
import { createExporter } from '../exporter/exporter.ts';
import { createChartReader } from '../exporter/walk-chart.ts';
import { judgedChartDefinition } from '../host-rules/chart-reader.ts';
import { defineRetiredRecord } from '../host-type/retired.ts';
import { createNoteFollower } from '../immunization/immunization.ts';
import { createDirectoryImports } from '../importer/directory-imports.ts';
import type { TypeImport } from '../importer/import-definition.ts';
import { createImporter } from '../importer/importer.ts';
import { once, onceFor } from '../lazy.ts';
import type { LazyParts } from '../open-service.ts';
import type { EithersOf } from '../outcome.ts';
import type { ProvenanceIds } from '../provenance/model.ts';
import { createProvenances } from '../provenance/provenances.ts';
import {
  createIncludes,
  createProvenanceReader,
  noCircumstances,
  type ProvenanceReader,
} from '../provenance/read.ts';
import { correctionRecordDefinition } from '../records/correction.ts';
import type { RecordDefinition, RecordDefinitions } from '../records/definition.ts';
import { chartIdentifiersDefinition, idempotencyKeyRecordDefinition } from '../records/idempotency.ts';
import { createReferenceIncludes, type OpenReferenced } from '../records/include.ts';
import type { CountedReads } from '../records/json-reads.ts';
import { createVersionReader } from '../records/past-versions.ts';
import { findUndefinedTypes, type IndexState, type StoredRecords } from '../records/search-index.ts';
import { createReindex } from '../reindex/reindex.ts';
import type { AnyResource, Resources } from '../resource-definition.ts';
import type { Services } from '../resources.ts';
import { createVerify } from '../verify/verify.ts';
import type { ChartCommandInput } from './clinical-records.ts';
import type { Importer } from './public-errors.ts';
import type { StoreFunctions } from './record-functions.ts';

/** The definitions that the services of a clinic share, whatever their store is. */
export type ServiceDefinitions = {
  readonly resources: Resources;
  /** The types whose records are kept, and not served. */
  readonly retiredTypes: readonly string[];
  readonly entryDefinitions: EntryDefinitions;
  readonly provenanceIds: ProvenanceIds;
};

/** The parts that the services on a store share, too. */
export type StoreParts = {
  readonly index: IndexState;
  /** Asks the host, if it can be asked. */
  readonly lookUp: HostLookup | undefined;
};

const byType = (definitions: readonly RecordDefinition<never>[]): RecordDefinitions =>
  new Map(definitions.map((definition) => [definition.type, definition]));

type TypeService = { readonly asJson: Pick<CountedReads, 'all' | 'count'> };

/** The parts that several services need, each of which is made when the first of these is used. */
type Parts = {
  readonly teams: () => TeamRecords;
  readonly follower: () => DirectoryFollower;
  readonly directory: () => DirectoryRecords;
  readonly openReferenced: () => OpenReferenced;
  readonly provenances: () => ProvenanceReader;
  /** The service of a type of resource. */
  readonly ofType: (type: string) => TypeService;
  readonly stored: () => StoredRecords;
};

const createParts = (
  environment: Environment,
  { resources, retiredTypes, entryDefinitions, provenanceIds: ids }: ServiceDefinitions,
  { index, lookUp }: StoreParts,
): Parts => {
  const { store } = environment;
  const teams = once(() => createTeamRecords(environment));
  const follower = once(() => ({
    ...createTeamFollower(teams(), environment),
    onNote: createNoteFollower(environment),
  }));
  const directory = once(() =>
    createDirectoryRecords(environment, { definitions: entryDefinitions, lookUp, follower: follower() }),
  );
  const openReferenced = once(() => createOpenReferenced(directory()));
  const provenances = once(() =>
    createProvenanceReader(environment, {
      ids,
      facts: resources,
      versionsOf: onceFor((type) => {
        const definition = resources.get(type) as AnyResource;
        return (
          definition.createVersionReader?.(environment, directory()) ??
          createVersionReader(environment, definition)
        );
      }),
      circumstancesOf: (type) =>
        resources.get(type)?.createCommands == null
          ? noCircumstances
          : createCircumstancesReader(store, type),
    }),
  );
  const ofType = onceFor((type: string) => {
    const definition = resources.get(type) as AnyResource;
    const includes = once(() => ({
      ...createReferenceIncludes(definition, openReferenced()),
      ...createIncludes(provenances(), type),
    }));
    return definition.createService(environment, { directory: directory(), includes }) as TypeService;
  });
  const stored = once(() => ({
    index,
    definitions: byType([
      ...Object.values(entryDefinitions),
      ...Array.from(resources.values(), ({ defineRecord }) => defineRecord(environment)),
      ...retiredTypes.map(defineRetiredRecord),
      listedCommandDefinition,
      idempotencyKeyRecordDefinition,
      chartIdentifiersDefinition,
      judgedChartDefinition,
      correctionRecordDefinition,
    ]),
  }));
  return { teams, follower, directory, openReferenced, provenances, ofType, stored };
};

const createChartService = (environment: Environment, resources: Resources, directory: DirectoryRecords) => {
  const sections = Array.from(resources).flatMap(([type, { createCommands }]) =>
    createCommands === null ? [] : [[type, createCommands(environment)] as const],
  );
  return createChart<ChartCommandInput>(
    environment,
    Object.fromEntries(sections) as Parameters<typeof createChart<ChartCommandInput>>[1],
    directory,
  );
};

const createImporterService = (
  environment: Environment,
  { resources, entryDefinitions }: ServiceDefinitions,
  follower: DirectoryFollower,
  { lookUp }: StoreParts,
) => {
  const imports = new Map<string, TypeImport>([
    ...Object.entries(createDirectoryImports(environment)),
    ...Array.from(
      resources,
      ([type, definition]) => [type, { ...definition, ...definition.defineImport(environment) }] as const,
    ),
  ]);
  const directory = createDirectoryRecords(environment, {
    definitions: entryDefinitions,
    lookUp,
    // An import renames members once a batch is committed.
    follower: { ...follower, onMember: async () => E.right({ changes: [] }) },
  });
  return createImporter(directory, {
    imports,
    renameMember: (type, id) => follower.afterMember(environment.store, type, id),
  });
};

/** Makes the services on a store, each when it is first used. */
export const createServices = (
  environment: Environment,
  definitions: ServiceDefinitions,
  storeParts: StoreParts,
): LazyParts<StoreFunctions> => {
  const { store } = environment;
  const { resources, provenanceIds: ids } = definitions;
  const types = [...resources.keys()];
  const parts = createParts(environment, definitions, storeParts);
  const ofTypes = Array.from(resources, ([type, { name }]) => [name, () => parts.ofType(type)] as const);
  return {
    ...(Object.fromEntries(ofTypes) as unknown as LazyParts<Services>),
    provenance: once(() => createProvenances(environment, { ids, reader: parts.provenances() })),
    chart: once(() => createChartService(environment, resources, parts.directory())),
    directory: once(() => createDirectory(environment, parts.directory(), parts.follower())),
    corrections: once(() => {
      const [directory, teams, definitions] = [parts.directory(), parts.teams(), parts.stored().definitions];
      const countIn = (type: string, patientId: string) =>
        parts.ofType(type).asJson.count([['patient', patientId]], {});
      return createCorrections({ ...environment, directory, teams, definitions, resources, countIn });
    }),
    // Its issues have the rules of the library.
    importer: once(
      () =>
        createImporterService(environment, definitions, parts.follower(), storeParts) as EithersOf<Importer>,
    ),
    exporter: once(() => {
      const reads = new Map(types.map((type) => [type, createChartReader(parts.ofType(type).asJson)]));
      const everything = createEverything(environment, { reads, openReferenced: parts.openReferenced() });
      return createExporter(environment, { resources, everything, provenances: parts.provenances() });
    }),
    changes: () => createChangeFeed(store, types),
    feedEnd: () => () => readFeedEnd(store),
    describe: () => () => describe(resources, environment),
    undefinedTypes: () => async () =>
      E.mapLeft(toClinicalError)(await findUndefinedTypes(store, parts.stored())),
    verify: () => createVerify(store, parts.stored()),
    copyTo: () => createCopyTo(store, parts.stored()),
    reindex: () => createReindex(store, parts.stored()),
  };
};
