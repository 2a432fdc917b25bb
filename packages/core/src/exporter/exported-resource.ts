import type { DirectoryResourceType } from '../directory/resources.ts';
import type { ResourceType } from '../fhir/resource-type.ts';

/** The type of a resource in an export: one of charts, or one of the directory to which charts refer. @useDeclaredType */
export type ExportedType = DirectoryResourceType | ResourceType;

/** A resource as an export has it. */
export type ExportedResource = {
  readonly type: ExportedType | 'Provenance';
  readonly id: string;
  /** The patient to whose chart it belongs; null for a practitioner or an organization. */
  readonly patientId: string | null;
  /** Its version at the moment of the export. */
  readonly version: number;
  /** When the resource was last written, in milliseconds since 1970 in UTC. */
  readonly lastModified: number;
  /** The resource as JSON text in one line. */
  readonly json: string;
};
