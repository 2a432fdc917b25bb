import { createTeamPresenter } from '../care-team/absent-roles.ts';
import type { DirectoryEntry } from '../directory/model.ts';
import {
  type DirectoryResourceType,
  deriveDirectoryResource,
  directoryResourceTypes,
} from '../directory/resources.ts';
import { parseTeamId } from '../directory/team-id.ts';
import type { Environment } from '../environment.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { isErasedVersion } from '../records/erased-record.ts';
import { addMeta } from '../records/resource-version.ts';
import type { RecordRef, StoredRecord } from '../store/port.ts';
import { type ExportedResource, exportedTypes } from './exported-resource.ts';
import type { Snapshot } from './snapshot.ts';

const isExportedType = isOneOf(exportedTypes);
const isDirectoryType = isOneOf(directoryResourceTypes);

/** The date of a patient is that of an empty care team, so an import needs it. */
const metaOf = (entry: DirectoryEntry[DirectoryResourceType]) =>
  'lastModified' in entry ? { meta: { lastUpdated: formatInstant(entry.lastModified) } } : {};

const renderEntry = <Type extends DirectoryResourceType>(type: Type, state: string): string => {
  const entry = JSON.parse(state) as DirectoryEntry[Type];
  const { resourceType, id, ...elements } = deriveDirectoryResource[type](entry);
  return JSON.stringify({ resourceType, id, ...metaOf(entry), ...elements });
};

/** The record whose version is that of the resource: the one of the active participants, for those of another status. */
const versionRefOf = ({ type, id }: RecordRef): RecordRef =>
  type === 'CareTeam' ? { type, id: parseTeamId(id).patientId } : { type, id };

const isOtherStatus = (record: RecordRef): boolean => versionRefOf(record).id !== record.id;

/** Renders records as resources as they are read. A record without a resource, or one that was erased, is left out. */
export const createRenderRecords = ({ usCore }: Pick<Environment, 'usCore'>) => {
  const presentTeam = createTeamPresenter(usCore);

  const renderResource = (
    type: ResourceType,
    record: StoredRecord,
    { version, at }: StoredRecord,
  ): string | null => {
    if (record.resource === null) return null;
    const resource = type === 'CareTeam' ? presentTeam(record.resource) : record.resource;
    return addMeta(type, { id: record.id, version, at, resource });
  };

  const render = (record: StoredRecord, versioned: StoredRecord): readonly ExportedResource[] => {
    const { type, id, patientId, state } = record;
    if (!isExportedType(type) || isErasedVersion(record)) return [];
    const json = isDirectoryType(type) ? renderEntry(type, state) : renderResource(type, record, versioned);
    return json === null
      ? []
      : [{ type, id, patientId, version: versioned.version, lastModified: versioned.at, json }];
  };

  return async (
    snapshot: Snapshot,
    records: readonly StoredRecord[],
  ): Promise<readonly ExportedResource[]> => {
    const others = records.filter(isOtherStatus);
    const activeParts = others.length === 0 ? [] : await snapshot.read(others.map(versionRefOf));
    const versioned = new Map(others.map((record, at) => [record, activeParts[at] ?? record]));
    return records.flatMap((record) => render(record, versioned.get(record) ?? record));
  };
};

export type RenderRecords = ReturnType<typeof createRenderRecords>;

/** Whether nobody is in a care team. An import creates such a team with its patient. */
export const isEmptyTeam = ({ type, json }: { readonly type: string; readonly json: string }): boolean =>
  // Within a text of the resource, the quotes would be escaped.
  type === 'CareTeam' && !json.includes('"participant":[');
