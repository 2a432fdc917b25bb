import * as E from 'fp-ts/lib/Either.js';
import type { Reports } from '../access/reports.ts';
import { ClinicalRecordsError } from '../clinical-records-error.ts';
import { memberTypes } from '../directory/model.ts';
import { directoryResourceTypes } from '../directory/resources.ts';
import type { Environment } from '../environment.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import { parseReference } from '../fhir/reference.ts';
import { referencesIn } from '../fhir/references.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { type EithersOf, orThrow } from '../outcome.ts';
import type { ReadProvenances } from '../provenance/read-provenances.ts';
import type { ReadOptions } from '../records/chart-limit.ts';
import { lookUpInGroups } from '../records/look-up-in-groups.ts';
import type { AnyResource, Resources } from '../resource-definition.ts';
import type { SearchPairs } from '../search/search-input.ts';
import type { RecordRef, StoredRecord } from '../store/port.ts';
import type { ExportedResource, ExportedType } from './exported-resource.ts';
import { createRenderRecord, type RenderRecord } from './render-records.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

/** How far an export is. */
export type ExportProgress = {
  /** The number of records that were looked at. Some are not resources, such as notes. */
  readonly records: number;
  /** The number of resources that were exported. */
  readonly exported: number;
};

/** The options of an export. Without options, it has everything. */
export type ExportOptions = {
  /** The types of resources. Default: all. */
  readonly types?: readonly ExportedType[] | undefined;
  /** The types whose Provenances are exported, too: one for each version. An import does not take them. Default: none. */
  readonly provenanceOf?: readonly ResourceType[] | undefined;
  /** The patients whose charts are exported. Of practitioners and organizations, only those that the charts name. */
  readonly patientIds?: readonly string[] | undefined;
  /** With `patientIds`, the types of resources whose practitioners and organizations are exported. Default: all. */
  readonly membersOf?: readonly ExportedType[] | undefined;
  /** Only resources that were written then or later. */
  readonly since?: Date | undefined;
  /** Is called after each page of records. An error that it throws ends the export. */
  readonly onProgress?: ((progress: ExportProgress) => void) | undefined;
};

/** An export that has begun. */
export type Export = {
  /** The moment that the export shows, in milliseconds since 1970 in UTC. */
  readonly at: number;
  /**
   * The resources at that moment. Those of one type are in the order of their creation, and the types are mixed. It can be
   * read once, holds a few hundred at a time, and throws a `ClinicalRecordsError`.
   */
  readonly resources: AsyncGenerator<ExportedResource, void>;
};

/** Exports the current resources, as `importer` imports them. */
export type Exporter = {
  /**
   * Begins an export of the current resources at one moment, while others write. A staged goal or immunization is not a
   * resource yet. A care team without participants is left out, because an import creates it with the patient. With `since`
   * it is exported, because its last participant may have left. The history stays out: `copyTo` copies it.
   * Errors: `StoreFailure`; a TypeError if `since` is an invalid Date. Source: docs/exporting.md.
   *
   * @example
   * const { resources } = await records.exporter.begin();
   * for await (const { type, json } of resources) console.log(type, json);
   */
  readonly begin: (options?: ExportOptions) => Promise<Export>;
  /**
   * A `Bundle` as JSON text with a patient, the whole chart, and the resources to which they refer, as far as the caller may read
   * them. The parameters are `_type`, `_since`, and `_count` with `_offset`. The history is not in it.
   * Errors: `InvalidRequest`, `NotFound`, `Forbidden`, `TooCostly`, `StoreFailure`. Source: FHIR R4, Patient, "$everything".
   */
  readonly everything: (
    patientId: string,
    parameters?: SearchPairs,
    options?: ReadOptions,
  ) => Promise<string>;
};

const isMemberType = isOneOf(memberTypes);

/** The practitioners and organizations to which a resource refers. */
const membersIn = ({ json }: ExportedResource): readonly RecordRef[] =>
  referencesIn(JSON.parse(json)).flatMap((reference) => {
    const member = parseReference(reference);
    return isMemberType(member?.type) && member !== null ? [member] : [];
  });

/** The definitions of the types of charts, and what depends on them. */
type Renderers = {
  readonly definitions: ReadonlyMap<string, AnyResource>;
  readonly render: RenderRecord;
  readonly readProvenances: ReadProvenances;
};

async function* exportResources(
  snapshot: Snapshot,
  { definitions, render, readProvenances }: Renderers,
  {
    types = [...directoryResourceTypes, ...(definitions.keys() as Iterable<ResourceType>)],
    provenanceOf = [],
    patientIds,
    membersOf,
    since,
    onProgress = () => {},
  }: ExportOptions,
): AsyncGenerator<ExportedResource, void> {
  const [wantedTypes, patients] = [new Set<string>(types), patientIds && new Set<string | null>(patientIds)];
  const members = new Map<string, RecordRef>();
  let [records, exported] = [0, 0];

  const isEmpty = ({ type, json }: ExportedResource): boolean =>
    definitions.get(type)?.isEmpty?.(JSON.parse(json)) === true;

  const select = (page: readonly StoredRecord[]): readonly ExportedResource[] =>
    page
      .flatMap(render)
      .filter((resource) =>
        since === undefined ? !isEmpty(resource) : resource.lastModified >= since.getTime(),
      );

  /** The Provenances of the versions until the moment of the export. */
  const provenancesOf = async (
    selected: readonly ExportedResource[],
  ): Promise<readonly ExportedResource[]> => {
    const limit = patientIds === undefined ? {} : { within: patientIds };
    const targets = selected.flatMap(({ type, ...target }) =>
      provenanceOf.some((one) => one === type) ? [{ type: type as ResourceType, ...target }] : [],
    );
    const read = lookUpInGroups(({ type, id }: (typeof targets)[number]) =>
      readProvenances({ type, id }, [limit]),
    );
    const found = await orThrow(read(targets));
    return targets.flatMap(({ version: last }, at) =>
      (found[at] ?? [])
        .filter(({ target }) => target.version <= last)
        .filter(({ lastModified }) => since === undefined || lastModified >= since.getTime())
        .map(({ target: _, ...provenance }) => ({ type: 'Provenance', ...provenance })),
    );
  };

  for await (const page of snapshot.pages()) {
    const ofPatients =
      patients === undefined ? page : page.filter(({ patientId }) => patients.has(patientId));
    const selected = select(ofPatients);
    const wanted = selected.filter(({ type }) => wantedTypes.has(type));
    const provenances = await provenancesOf(selected);
    yield* wanted;
    yield* provenances;
    if (patients !== undefined) {
      const naming = selected.filter(({ type }) => membersOf?.some((one) => one === type) ?? true);
      for (const ref of naming.flatMap(membersIn)) members.set(`${ref.type}/${ref.id}`, ref);
    }
    records += page.length;
    exported += wanted.length + provenances.length;
    onProgress({ records, exported });
  }
  const named = await snapshot.read([...members.values()].filter(({ type }) => wantedTypes.has(type)));
  yield* select(named.filter((record) => record !== null));
}

/** The reports of the functions. */
export const exporterReports: Reports<Exporter> = {
  everything: (id, parameters, user) => ({ interaction: 'operation', type: 'Patient', id, parameters, user }),
};

const requireValidSince = ({ since }: ExportOptions): void => {
  if (since !== undefined && Number.isNaN(since.getTime()))
    throw new TypeError('since must be a valid Date.');
};

export const createExporter = (
  environment: Pick<Environment, 'store' | 'now' | 'usCore'>,
  {
    everything,
    resources,
    readProvenances,
  }: {
    readonly resources: Resources;
    readonly everything: EithersOf<Exporter>['everything'];
    readonly readProvenances: ReadProvenances;
  },
): EithersOf<Exporter> => {
  const { store, now } = environment;
  const definitions = new Map<string, AnyResource>(Object.entries(resources));
  const render = createRenderRecord(environment, definitions);
  const renderers = { definitions, render, readProvenances };
  return {
    everything,
    begin: async (options = {}) => {
      requireValidSince(options);
      try {
        const snapshot = await takeSnapshot(store);
        return E.right({ at: now(), resources: exportResources(snapshot, renderers, options) });
      } catch (thrown) {
        if (thrown instanceof ClinicalRecordsError) return E.left(thrown.error);
        throw thrown;
      }
    },
  };
};
