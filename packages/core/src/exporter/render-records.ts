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
import type { StoredRecord } from '../store/port.ts';
import type { ExportedResource } from './exported-resource.ts';

const isDirectoryType = isOneOf(directoryResourceTypes);

/** The date of a patient is that of an empty care team, so an import needs it. */
const metaOf = (entry: DirectoryEntry[DirectoryResourceType]) =>
  'lastModified' in entry ? { meta: { lastUpdated: formatInstant(entry.lastModified) } } : {};

const renderEntry = <Type extends DirectoryResourceType>(type: Type, state: string): string => {
  const entry = JSON.parse(state) as DirectoryEntry[Type];
  const { resourceType, id, ...elements } = deriveDirectoryResource[type](entry);
  return JSON.stringify({ resourceType, id, ...metaOf(entry), ...elements });
};

/** Renders a record as the resource as which it is read. A record without a resource, or one that was erased, is left out. */
export const createRenderRecord = (
  { usCore }: Pick<Environment, 'usCore'>,
  definitions: ReadonlyMap<string, AnyResource>,
) => {
  const presenters = new Map(
    Array.from(definitions, ([type, { createPresenter }]) => [type, createPresenter?.(usCore)]),
  );

  const renderResource = ({ type, id, version, at, resource }: StoredRecord): string | null => {
    if (resource === null) return null;
    const shown = presenters.get(type)?.({ id, resource }) ?? resource;
    return addMeta(type, { id, version, at, resource: shown });
  };

  return (record: StoredRecord): readonly ExportedResource[] => {
    const { type, id, patientId, state, version, at } = record;
    const definition = definitions.get(type);
    if ((definition === undefined && !isDirectoryType(type)) || isErasedVersion(record)) return [];
    const json = isDirectoryType(type) ? renderEntry(type, state) : renderResource(record);
    const exported = { type: type as ExportedResource['type'], id, patientId, version, lastModified: at };
    return json === null ? [] : [{ ...exported, json }];
  };
};

export type RenderRecord = ReturnType<typeof createRenderRecord>;
