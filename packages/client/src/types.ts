import type {
  CareTeam,
  CareTeamSearch,
  CareTeamUpdateBody,
  EncounterResource,
  Goal,
  GoalSearch,
  Immunization,
  ImmunizationCreateBody,
  ImmunizationSearch,
  ImmunizationUpdateBody,
  OrganizationResource,
  OrganizationSearch,
  PatientResource,
  PatientSearch,
  PractitionerResource,
  PractitionerSearch,
  Provenance,
  ProvenanceSearch,
  ServiceRequest,
  ServiceRequestSearch,
} from '@clinical-records/core';

/** A type of resources: what is read, what it is searched by, and the bodies of its writes. */
export type TypeOfResource = {
  readonly resource: object;
  readonly search?: object;
  readonly create?: object;
  readonly update?: object;
};

/** The types of resources that a server has. */
export type Types = { readonly [type: string]: TypeOfResource };

/**
 * The types of clinical-records. Add those of a server that has more:
 *
 * @example
 * const client = createClient<ClinicalTypes & { Condition: { resource: Condition } }>({ baseUrl });
 */
export type ClinicalTypes = {
  readonly ServiceRequest: { readonly resource: ServiceRequest; readonly search: ServiceRequestSearch };
  readonly Goal: { readonly resource: Goal; readonly search: GoalSearch };
  readonly CareTeam: {
    readonly resource: CareTeam;
    readonly search: CareTeamSearch;
    readonly update: CareTeamUpdateBody;
  };
  readonly Immunization: {
    readonly resource: Immunization;
    readonly search: ImmunizationSearch;
    readonly create: ImmunizationCreateBody;
    readonly update: ImmunizationUpdateBody;
  };
  readonly Provenance: { readonly resource: Provenance; readonly search: ProvenanceSearch };
  readonly Patient: { readonly resource: PatientResource; readonly search: PatientSearch };
  readonly Practitioner: { readonly resource: PractitionerResource; readonly search: PractitionerSearch };
  readonly Organization: { readonly resource: OrganizationResource; readonly search: OrganizationSearch };
  readonly Encounter: { readonly resource: EncounterResource };
};

/** The names of types that have a part, such as a body of `create`. */
export type TypesWith<All extends Types, Part extends keyof TypeOfResource> = {
  [Type in keyof All & string]: Part extends keyof All[Type] ? Type : never;
}[keyof All & string];

/** A part of a type; never if it has none. */
export type PartOf<Type extends TypeOfResource, Part extends keyof TypeOfResource> = Part extends keyof Type
  ? NonNullable<Type[Part]>
  : never;

/** The parameters of a search. Several values of a name must all hold, and alternatives have commas between them. */
export type SearchOf<Type extends TypeOfResource> =
  | (PartOf<Type, 'search'> & {
      readonly _include?: string | readonly string[];
      readonly _revinclude?: string | readonly string[];
      readonly _elements?: string;
    })
  | URLSearchParams;

/** A resource of a type as it was read, with its version. */
export type Read<Type extends TypeOfResource> = Type['resource'] & {
  readonly meta?: { readonly versionId?: string; readonly lastUpdated?: string };
};

/** A page of a search. */
export type Page<Resource> = {
  /** How many resources match, on this page or not; undefined if the server does not say. */
  readonly total: number | undefined;
  readonly resources: readonly Resource[];
  /** The resources that `_include` and `_revinclude` add. */
  readonly included: readonly { readonly resourceType: string; readonly id?: string }[];
  /** The parameters of the next page; null if this is the last one. */
  readonly next: URLSearchParams | null;
};
