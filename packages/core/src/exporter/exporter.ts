import * as E from 'fp-ts/lib/Either.js';
import { isMemberType } from '../directory/model.ts';
import { directoryResourceTypes } from '../directory/resources.ts';
import type { Environment } from '../environment.ts';
import type { ClinicalError } from '../errors.ts';
import { parseReference, referencesIn } from '../fhir/reference.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { ownProperty } from '../fhir/schema.ts';
import { id, optional } from '../forms.ts';
import type { FunctionTable } from '../open-service.ts';
import { type EithersOf, orThrow, toOutcome } from '../outcome.ts';
import type { FoundProvenance, ProvenanceReader } from '../provenance/read.ts';
import { lookUpInGroups } from '../records/include.ts';
import { openReach, type Reach } from '../records/reach.ts';
import type { Resources } from '../resource-definition.ts';
import { type SearchPairs, searchPairs } from '../search/search-input.ts';
import type { ClinicalStore, FeedEntry, RecordRef, StoredRecord } from '../store/port.ts';
import { recordKey } from '../store/record-key.ts';
import { createPageReader } from '../verify/page-reader.ts';
import { type EverythingOptions, everythingForms } from './everything.ts';
import { createTypeRequirement, type ExportOptions, exportForms } from './export-options.ts';
import { createRenderRecord, type ExportedResource, type RenderRecord } from './render-records.ts';

/** Exports the current resources, as `importer` imports them. */
export type Exporter<Type extends string = ResourceType> = {
  /**
   * Begins an export of the current resources at one moment, while others write. A staged goal or immunization is not a
   * resource yet. A care team without participants is left out, because an import creates it with the patient. With `since`
   * it is exported, because its last participant may have left. The history stays out: `copyTo` copies it.
   * Errors: `InvalidRequest`, `StoreFailure`. Source: docs/exporting.md.
   *
   * @example
   * const { resources } = await records.exporter.begin();
   * for await (const { type, json } of resources) console.log(type, json);
   */
  readonly begin: (options?: ExportOptions<Type>) => Promise<Export<Type>>;
  /**
   * A `Bundle` as JSON text with a patient, the whole chart, and the resources to which they refer, as far as the caller may read
   * them. The parameters are `_type`, `_since`, and `_count` with `_offset`. A page has at most 1 MiB, and `next` leads to what
   * follows. The history is not in it.
   * Errors: `InvalidRequest`, `NotFound`, `Forbidden`, `TooCostly`, `StoreFailure`. Source: FHIR R4, Patient, "$everything".
   */
  readonly everything: (
    patientId: string,
    parameters?: SearchPairs,
    options?: EverythingOptions,
  ) => Promise<string>;
};

/** An export that has begun. */
export type Export<Type extends string = ResourceType> = {
  /** The moment that the export shows, in milliseconds since 1970 in UTC. */
  readonly at: number;
  /**
   * The resources at that moment. Those of one type are in the order of their creation, and the types are mixed. It can be
   * read once, holds a few hundred at a time, and throws a `ClinicalRecordsError`.
   */
  readonly resources: AsyncGenerator<ExportedResource<Type>, void>;
};

/** The records of a store as they were at one moment, while others write. */
type Snapshot = {
  /** All records, in pages and in the order of their creation. */
  readonly pages: () => AsyncGenerator<readonly StoredRecord[], void>;
  /** Some records, in the order of the names; null for one that did not exist. */
  readonly read: (refs: readonly RecordRef[]) => Promise<readonly (StoredRecord | null)[]>;
};

/**
 * Takes a snapshot at the current end of the feed. No store needs to keep a moment: the feed shows which records were
 * written since, and their histories have the versions before. Memory grows only by the names of these records. Rejects
 * with a `ClinicalRecordsError`, as the reads of the snapshot do.
 */
const takeSnapshot = async (store: ClinicalStore): Promise<Snapshot> => {
  const end = await orThrow(store.feedEnd());
  const nextVersions = createPageReader(store.changesSince, end?.position);
  const walkToEnd = async (visit: (entry: FeedEntry) => void): Promise<void> => {
    for (let isOver = false; !isOver; ) {
      const { entries, isLast } = await nextVersions();
      entries.forEach(visit);
      isOver = isLast;
    }
  };

  /** The first version of each record that was written since. */
  const firstVersions = new Map<string, number>();
  /** Returns records that were just read as they were at the moment of the snapshot. */
  const restore = async (
    records: readonly (StoredRecord | null)[],
  ): Promise<readonly (StoredRecord | null)[]> => {
    await walkToEnd((entry) => {
      const name = recordKey(entry);
      if (!firstVersions.has(name)) firstVersions.set(name, entry.version);
    });
    return Promise.all(
      records.map(async (record) => {
        const first = record === null ? undefined : firstVersions.get(recordKey(record));
        if (record === null || first === undefined) return record;
        if (first === 1) return null;
        return orThrow(store.readVersion({ type: record.type, id: record.id, version: first - 1 }));
      }),
    );
  };

  return {
    pages: async function* () {
      const nextRecords = createPageReader(store.scan);
      for (let isOver = false; !isOver; ) {
        const { entries, isLast } = await nextRecords();
        yield (await restore(entries)).filter((record) => record !== null);
        isOver = isLast;
      }
    },
    read: async (refs) => restore(await Promise.all(refs.map((ref) => orThrow(store.read(ref))))),
  };
};

/** The practitioners and organizations to which a resource refers. */
const membersIn = ({ json }: ExportedResource<string>): readonly RecordRef[] =>
  referencesIn(JSON.parse(json)).flatMap((reference) => {
    const member = parseReference(reference);
    return isMemberType(member?.type) && member !== null ? [member] : [];
  });

/** How many practitioners and organizations are read at once. */
const membersAtOnce = 10;

/** The reach of an export into each type of resource. */
type Reaches = ReadonlyMap<string, Reach>;

/** The definitions of the types of charts, and what depends on them. */
type Renderers = {
  readonly definitions: Resources;
  readonly render: RenderRecord;
  readonly provenances: ProvenanceReader;
};

/** The Provenances of the versions until the moment of the export. */
const findProvenances = async (
  exported: readonly ExportedResource<string>[],
  { provenances, reaches }: Pick<Renderers, 'provenances'> & { readonly reaches: Reaches },
  { provenanceOf = [], since }: Pick<ExportOptions<string>, 'provenanceOf' | 'since'>,
): Promise<readonly FoundProvenance[]> => {
  const targets = exported.flatMap(({ type, ...target }) =>
    provenanceOf.some((reported) => reported === type) ? [{ type, ...target }] : [],
  );
  const read = lookUpInGroups(({ type, id }: (typeof targets)[number]) =>
    provenances.find({ type, id }, [reaches.get(type) as Reach]),
  );
  const found = await orThrow(read(targets));
  return targets.flatMap(({ version: last }, index) =>
    (found[index] ?? [])
      .filter(({ target }) => target.version <= last)
      .filter(({ at }) => since === undefined || at >= since.getTime()),
  );
};

async function* exportResources(
  snapshot: Snapshot,
  { definitions, render, provenances, reaches }: Renderers & { readonly reaches: Reaches },
  {
    types = [...directoryResourceTypes, ...definitions.keys()],
    provenanceOf,
    patientIds,
    membersOf,
    hostCharts,
    since,
    onProgress = () => {},
  }: ExportOptions<string>,
): AsyncGenerator<ExportedResource<string>, void> {
  const [wantedTypes, patients] = [new Set<string>(types), patientIds && new Set<string | null>(patientIds)];
  const members = new Map<string, RecordRef>();
  /** Those whom a resource names that was written since: it may be the first that does. */
  const namedByChanged = new Set<string>();
  let [records, exported] = [0, 0];

  const isEmpty = ({ type, json }: ExportedResource<string>): boolean =>
    definitions.get(type)?.isEmpty?.(JSON.parse(json)) === true;
  const isChanged = ({ lastModified }: ExportedResource<string>): boolean =>
    since === undefined || lastModified >= since.getTime();

  const renderPage = (page: readonly StoredRecord[]): readonly ExportedResource<string>[] =>
    page
      .filter((record) => reaches.get(record.type)?.covers(record) ?? true)
      .flatMap(render)
      .filter((resource) => since !== undefined || !isEmpty(resource));

  const collectMembers = (resource: ExportedResource<string>): void => {
    for (const ref of membersIn(resource)) {
      const name = `${ref.type}/${ref.id}`;
      members.set(name, ref);
      if (isChanged(resource)) namedByChanged.add(name);
    }
  };

  for await (const page of snapshot.pages()) {
    const ofPatients =
      patients === undefined ? page : page.filter(({ patientId }) => patients.has(patientId));
    const rendered = renderPage(ofPatients);
    const selected = rendered.filter(isChanged);
    const wanted = selected.filter(({ type }) => wantedTypes.has(type));
    const found = await findProvenances(selected, { provenances, reaches }, { provenanceOf, since });
    yield* wanted;
    for (const provenance of found) yield { type: 'Provenance', ...provenances.render(provenance) };
    if (patients !== undefined) {
      const naming = rendered.filter(
        ({ type }) => membersOf?.some((memberType) => memberType === type) ?? true,
      );
      naming.forEach(collectMembers);
    }
    records += page.length;
    exported += wanted.length + found.length;
    onProgress({ records, exported });
  }
  for await (const hostResource of hostCharts ?? []) {
    const resource = { ...hostResource, version: 0 };
    yield resource;
    if (patients !== undefined) collectMembers(resource);
    exported += 1;
    onProgress({ records, exported });
  }
  const named = [...members.values()].filter(({ type }) => wantedTypes.has(type));
  for (let index = 0; index < named.length; index += membersAtOnce) {
    const read = await snapshot.read(named.slice(index, index + membersAtOnce));
    const wanted = read
      .flatMap((record) => (record === null ? [] : render(record)))
      .filter((member) => isChanged(member) || namedByChanged.has(`${member.type}/${member.id}`));
    yield* wanted;
    exported += wanted.length;
    onProgress({ records, exported });
  }
}

export const exporterFunctions: FunctionTable<Exporter> = {
  begin: { kind: 'read', takes: [], options: exportForms },
  everything: {
    kind: 'read',
    takes: [id, optional(searchPairs)],
    options: everythingForms,
    access: { interaction: 'operation', type: 'Patient' },
  },
};

export const createExporter = (
  environment: Pick<Environment, 'store' | 'now' | 'usCore' | 'zone'>,
  {
    everything,
    resources: definitions,
    provenances,
  }: {
    readonly resources: Resources;
    readonly everything: EithersOf<Exporter<string>>['everything'];
    readonly provenances: ProvenanceReader;
  },
): EithersOf<Exporter<string>> => {
  const { store, now, zone } = environment;
  const render = createRenderRecord(environment, definitions);
  const renderers = { definitions, render, provenances };
  const requireTypes = createTypeRequirement([...definitions.keys()]);
  const openReaches = ({
    patientIds,
    matching = {},
  }: ExportOptions<string>): E.Either<ClinicalError, Reaches> => {
    const reaches = new Map<string, Reach>();
    for (const facts of definitions.values()) {
      const searches = ownProperty(matching, facts.type);
      const limit = {
        ...(patientIds !== undefined && { within: patientIds }),
        ...(searches !== undefined && { matching: searches }),
      };
      const reach = openReach(limit, { facts, zone, now });
      if (E.isLeft(reach)) return reach;
      reaches.set(facts.type, reach.right);
    }
    return E.right(reaches);
  };
  return {
    everything,
    begin: async (options = {}) => {
      const known = requireTypes(options);
      if (E.isLeft(known)) return known;
      const reaches = openReaches(options);
      if (E.isLeft(reaches)) return reaches;
      return toOutcome(async () => {
        const snapshot = await takeSnapshot(store);
        const withReaches = { ...renderers, reaches: reaches.right };
        return { at: now(), resources: exportResources(snapshot, withReaches, options) };
      });
    },
  };
};
