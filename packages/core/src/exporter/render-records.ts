import type { DirectoryEntry } from '../directory/model.ts';
import {
  type DirectoryResource,
  type DirectoryResourceType,
  deriveDirectoryResource,
  directoryResourceTypes,
} from '../directory/resources.ts';
import type { Environment } from '../environment.ts';
import { formatInstant } from '../fhir/date-time.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { isOneOf } from '../fhir/schema.ts';
import { addMeta } from '../records/page.ts';
import { isErasedVersion } from '../records/transact.ts';
import type { Resources } from '../resource-definition.ts';
import type { StoredRecord } from '../store/port.ts';

/** The type of a resource in an export: one of charts, or one of the directory to which charts refer. @useDeclaredType */
export type ExportedType<Type extends string = ResourceType> = DirectoryResourceType | Type;

/** A resource that an export yields, as JSON text and with its chart. */
export type ExportedResource<Type extends string = ResourceType> = {
  readonly type: ExportedType<Type> | 'Provenance';
  readonly id: string;
  /** The patient to whose chart it belongs; null for a practitioner or an organization. */
  readonly patientId: string | null;
  /** Its version at the moment of the export; 0 for one that the records do not have. */
  readonly version: number;
  /** When the resource was last written, in milliseconds since 1970 in UTC. */
  readonly lastModified: number;
  /** The resource as JSON text in one line. */
  readonly json: string;
};

/** A resource of a chart that the records do not have, and the host exports beside theirs. */
export type HostChartResource = Omit<ExportedResource<string>, 'version'>;

const isDirectoryType = isOneOf(directoryResourceTypes);

/** The date of a patient is that of an empty care team, so an import needs it. */
const dateOf = (entry: DirectoryEntry[DirectoryResourceType]) =>
  'lastModified' in entry ? { lastUpdated: formatInstant(entry.lastModified) } : {};

const renderEntry = <Type extends DirectoryResourceType>(type: Type, state: string): string => {
  const entry = JSON.parse(state) as DirectoryEntry[Type];
  const resource: DirectoryResource[DirectoryResourceType] = deriveDirectoryResource[type](entry);
  const { resourceType, id, meta: ofProfile, ...elements } = { meta: {}, ...resource };
  const meta = { ...dateOf(entry), ...ofProfile };
  return JSON.stringify({ resourceType, id, ...(Object.keys(meta).length > 0 && { meta }), ...elements });
};

/** Renders a record as the resource as which it is read. A record without a resource, or one that was erased, is left out. */
export const createRenderRecord = ({ usCore }: Pick<Environment, 'usCore'>, definitions: Resources) => {
  const presenters = new Map(
    Array.from(definitions, ([type, { createPresenter }]) => [type, createPresenter?.(usCore)]),
  );

  const renderResource = ({ type, id, version, at, resource }: StoredRecord): string | null => {
    if (resource === null) return null;
    const shown = presenters.get(type)?.({ id, resource }) ?? resource;
    return addMeta(type, { id, version, at, resource: shown });
  };

  return (record: StoredRecord): readonly ExportedResource<string>[] => {
    const { type, id, patientId, state, version, at } = record;
    const definition = definitions.get(type);
    if ((definition === undefined && !isDirectoryType(type)) || isErasedVersion(record)) return [];
    const json = isDirectoryType(type) ? renderEntry(type, state) : renderResource(record);
    const exported = { type, id, patientId, version, lastModified: at };
    return json === null ? [] : [{ ...exported, json }];
  };
};

export type RenderRecord = ReturnType<typeof createRenderRecord>;
