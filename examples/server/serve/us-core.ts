import type { DirectoryResourceType } from '@clinical-records/core/adapter';
import type { HostCapabilities, HostResource } from '@clinical-records/http-adapter';

/** The resources of the server beside the interface, each with its profile of US Core 6.1.0. */
const profiles = {
  Patient: 'us-core-patient',
  Practitioner: 'us-core-practitioner',
  Organization: 'us-core-organization',
  Encounter: 'us-core-encounter',
  Condition: 'us-core-condition-problems-health-concerns',
  Location: 'us-core-location',
} as const;

export type UsCoreType = keyof typeof profiles;

export const usCoreTypes = Object.keys(profiles) as readonly UsCoreType[];

const usCore = 'http://hl7.org/fhir/us/core';

/** The `meta` of a resource that conforms to the profile of its type. */
export const usCoreMeta = (type: UsCoreType) => ({
  profile: [`${usCore}/StructureDefinition/${profiles[type]}`],
});

/** The additions of the server to `/metadata`. */
export const capabilitiesOf = ({ usCore: isOn }: { readonly usCore: boolean }): HostCapabilities => ({
  ...(isOn && { instantiates: [`${usCore}/CapabilityStatement/us-core-server`] }),
  resource: usCoreTypes.map((type) => ({ type, supportedProfile: usCoreMeta(type).profile })),
});

const unknown = {
  extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' }],
};

const unknownIdentifier = { _system: unknown, _value: unknown };

/** The elements that US Core requires and that the directory may not have. Source: US Core 6.1.0, "Missing Data". */
const absentElements: Readonly<Record<DirectoryResourceType, object>> = {
  Patient: { identifier: [unknownIdentifier], gender: 'unknown' },
  Practitioner: { identifier: [unknownIdentifier] },
  Organization: { _active: unknown },
  Encounter: {
    type: [
      { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/data-absent-reason', code: 'unknown' }] },
    ],
  },
};

/** Adds to a resource of the directory which of these elements are not known. */
export const withAbsentElements = <Resource extends HostResource>(
  type: DirectoryResourceType,
  resource: Resource,
): Resource => ({ ...absentElements[type], ...resource });
