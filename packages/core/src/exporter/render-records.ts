import type { DirectoryEntry } from '../directory/model.ts';
import {
  type DirectoryResourceType,
  deriveDirectoryResource,
  directoryResourceTypes,
} from '../directory/resources.ts';
import type { Environment } from '../environment.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import { isErasedVersion } from '../records/erased-record.ts';
import { addMeta } from '../records/resource-version.ts';
import type { AnyResource } from '../resource-definition.ts';
import type { RecordRef, StoredRecord } from '../store/port.ts';
import type { ExportedResource } from './exported-resource.ts';
import type { Snapshot } from './snapshot.ts';

const isDirectoryType = isOneOf(directoryResourceTypes);

/** The date of a patient is that of an empty care team, so an import needs it. */
const metaOf = (entry: DirectoryEntry[DirectoryResourceType]) =>
  'lastModified' in entry ? { meta: { lastUpdated: formatInstant(entry.lastModified) } } : {};

const renderEntry = <Type extends DirectoryResourceType>(type: Type, state: string): string => {
  const entry = JSON.parse(state) as DirectoryEntry[Type];
  const { resourceType, id, ...elements } = deriveDirectoryResource[type](entry);
  return JSON.stringify({ resourceType, id, ...metaOf(entry), ...elements });
};

/** Renders records as resources as they are read. A record without a resource, or one that was erased, is left out. */
export const createRenderRecords = (
  { usCore }: Pick<Environment, 'usCore'>,
  definitions: ReadonlyMap<string, AnyResource>,
) => {
  const presenters = new Map(
    Array.from(definitions, ([type, { createPresenter }]) => [type, createPresenter?.(usCore)]),
  );

  /** The record whose version is that of the resource. */
  const versionRefOf = ({ type, id }: RecordRef): RecordRef => ({
    type,
    id: definitions.get(type)?.versionedBy?.(id) ?? id,
  });
  const hasOtherVersion = (record: RecordRef): boolean => versionRefOf(record).id !== record.id;

  const renderResource = (record: StoredRecord, { version, at }: StoredRecord): string | null => {
    const { type, id, resource } = record;
    if (resource === null) return null;
    const shown = presenters.get(type)?.({ id, resource }) ?? resource;
    return addMeta(type, { id, version, at, resource: shown });
  };

  const render = (record: StoredRecord, versioned: StoredRecord): readonly ExportedResource[] => {
    const { type, id, patientId, state } = record;
    const definition = definitions.get(type);
    if ((definition === undefined && !isDirectoryType(type)) || isErasedVersion(record)) return [];
    const json = isDirectoryType(type) ? renderEntry(type, state) : renderResource(record, versioned);
    const exported = { type: type as ExportedResource['type'], id, patientId };
    return json === null
      ? []
      : [{ ...exported, version: versioned.version, lastModified: versioned.at, json }];
  };

  return async (
    snapshot: Snapshot,
    records: readonly StoredRecord[],
  ): Promise<readonly ExportedResource[]> => {
    const others = records.filter(hasOtherVersion);
    const versions = others.length === 0 ? [] : await snapshot.read(others.map(versionRefOf));
    const versioned = new Map(others.map((record, at) => [record, versions[at] ?? record]));
    return records.flatMap((record) => render(record, versioned.get(record) ?? record));
  };
};

export type RenderRecords = ReturnType<typeof createRenderRecords>;
