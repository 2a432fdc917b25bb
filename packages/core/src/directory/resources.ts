import { usCoreProfile } from '../fhir/bundle.ts';
import type { Identifier } from '../fhir/identifier.ts';
import { createReference, type Reference } from '../fhir/reference.ts';
import { addCommonElements } from '../records/page.ts';
import type { DirectoryEntry, Gender } from './model.ts';

/** The name of a person, as FHIR's HumanName. It has either its parts or only its text. */
export type HumanName = {
  /** The whole name, if it is not divided. */
  readonly text?: string;
  /** The last name. */
  readonly family?: string;
  /** The first name. */
  readonly given?: readonly [string];
};

/** The US Core profile to which a resource conforms. */
export type ProfileMeta = {
  /** The URL of the profile. */
  readonly profile: readonly [string];
};

/** A patient as a FHIR resource, as far as the directory knows. */
export type PatientResource = {
  readonly resourceType: 'Patient';
  readonly id: string;
  /** Absent if the resource does not conform to US Core. */
  readonly meta?: ProfileMeta;
  readonly identifier?: readonly Identifier[];
  /** False if the patient was merged into another one; otherwise absent. */
  readonly active?: false;
  readonly name: readonly [HumanName];
  readonly gender?: Gender;
  /** A FHIR `date`. */
  readonly birthDate?: string;
  /** Whether the patient has died. */
  readonly deceasedBoolean?: boolean;
  /** When the patient died: a FHIR `dateTime`. */
  readonly deceasedDateTime?: string;
  /** The patient who has the chart now, if this one was merged into another one. */
  readonly link?: readonly [PatientLink];
};

/** The reference from a patient who was merged to the patient who has the chart now. */
export type PatientLink = {
  readonly other: Reference<'Patient'>;
  /** Always `replaced-by`. */
  readonly type: 'replaced-by';
};

/** A practitioner as a FHIR resource, as far as the directory knows. */
export type PractitionerResource = {
  readonly resourceType: 'Practitioner';
  readonly id: string;
  /** Absent if the resource does not conform to US Core. */
  readonly meta?: ProfileMeta;
  readonly identifier?: readonly Identifier[];
  readonly name: readonly [HumanName];
};

/** An organization as a FHIR resource, as far as the directory knows. */
export type OrganizationResource = {
  readonly resourceType: 'Organization';
  readonly id: string;
  readonly identifier?: readonly Identifier[];
  readonly name: string;
};

const dataAbsentReason = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';

/** The extension of an element that FHIR requires and that is not known. */
export type UnknownElement = {
  /** One extension. */
  readonly extension: readonly [
    {
      /** The URL of FHIR's extension for missing data. */
      readonly url: typeof dataAbsentReason;
      /** Always `unknown`. */
      readonly valueCode: 'unknown';
    },
  ];
};

/** An encounter as a FHIR resource, as far as the directory knows. */
export type EncounterResource = {
  readonly resourceType: 'Encounter';
  readonly id: string;
  /** FHIR requires a status, and the directory has none. */
  readonly status: 'unknown';
  /** FHIR requires a class, and the directory has none. */
  readonly class: UnknownElement;
  /** The patient. */
  readonly subject: Reference<'Patient'>;
};

/** An entry of the directory as a FHIR resource, by its type. A note is not a FHIR resource. */
export type DirectoryResource = {
  readonly Patient: PatientResource;
  readonly Practitioner: PractitionerResource;
  readonly Organization: OrganizationResource;
  readonly Encounter: EncounterResource;
};

/** The types of entries that can be read as FHIR resources. */
export const directoryResourceTypes = ['Patient', 'Practitioner', 'Organization', 'Encounter'] as const;

/** The type of an entry that can be read as a FHIR resource. @useDeclaredType */
export type DirectoryResourceType = (typeof directoryResourceTypes)[number];

/** A last name without a first name may be a whole name that is not divided. */
const humanNameOf = ({
  lastName,
  firstName,
}: DirectoryEntry['Patient' | 'Practitioner']): readonly [HumanName] =>
  firstName === '' ? [{ text: lastName }] : [{ family: lastName, given: [firstName] }];

const unknownElement: UnknownElement = { extension: [{ url: dataAbsentReason, valueCode: 'unknown' }] };

const identifierOf = ({
  identifier,
}: DirectoryEntry['Patient' | 'Practitioner' | 'Organization']): Pick<PatientResource, 'identifier'> =>
  identifier === undefined ? {} : { identifier };

/** The elements by which FHIR says whether a patient has died, or when. */
const deceasedElements = (
  deceased: DirectoryEntry['Patient']['deceased'],
): Pick<PatientResource, 'deceasedBoolean' | 'deceasedDateTime'> => {
  if (deceased === undefined) return {};
  return typeof deceased === 'boolean' ? { deceasedBoolean: deceased } : { deceasedDateTime: deceased };
};

const isComplete = ({ identifier = [] }: Pick<PatientResource, 'identifier'>): boolean =>
  identifier.length > 0 &&
  identifier.every(({ system, value }) => system !== undefined && value !== undefined);

const isDivided = ({ name: [{ family }] }: Pick<PatientResource, 'name'>): boolean => family !== undefined;

/** The profiles of US Core 6.1.0, and what the directory must know so that a resource conforms. An organization never says if it is active. */
const profiles = {
  Patient: {
    profile: usCoreProfile('Patient'),
    conforms: (patient: PatientResource) =>
      isComplete(patient) && isDivided(patient) && patient.gender !== undefined,
  },
  Practitioner: {
    profile: usCoreProfile('Practitioner'),
    conforms: (practitioner: PractitionerResource) => isComplete(practitioner) && isDivided(practitioner),
  },
};

/** The URL of the US Core profile to which resources of a type can conform. */
export const directoryProfiles: { readonly [Type in DirectoryResourceType]?: string } = {
  Patient: profiles.Patient.profile,
  Practitioner: profiles.Practitioner.profile,
};

/** Derive the resources of entries. They say nothing that the directory does not know. */
export const deriveDirectoryResource: {
  readonly [Type in DirectoryResourceType]: (entry: DirectoryEntry[Type]) => DirectoryResource[Type];
} = {
  Patient: (entry) => {
    const { id, gender, birthDate, deceased, replacedBy } = entry;
    return addCommonElements(profiles.Patient, {
      resourceType: 'Patient',
      id,
      ...identifierOf(entry),
      ...(replacedBy !== undefined && { active: false }),
      name: humanNameOf(entry),
      ...(gender !== undefined && { gender }),
      ...(birthDate !== undefined && { birthDate }),
      ...deceasedElements(deceased),
      ...(replacedBy !== undefined && {
        link: [{ other: createReference('Patient', replacedBy), type: 'replaced-by' }],
      }),
    });
  },
  Practitioner: (entry) =>
    addCommonElements(profiles.Practitioner, {
      resourceType: 'Practitioner',
      id: entry.id,
      ...identifierOf(entry),
      name: humanNameOf(entry),
    }),
  Organization: (entry) => ({
    resourceType: 'Organization',
    id: entry.id,
    ...identifierOf(entry),
    name: entry.name,
  }),
  Encounter: ({ id, patientId }) => ({
    resourceType: 'Encounter',
    id,
    status: 'unknown',
    class: unknownElement,
    subject: createReference('Patient', patientId),
  }),
};
