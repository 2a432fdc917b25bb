import type { CareTeam, Goal, Immunization, ServiceRequest } from '@clinical-records/core';
import type { Concept, HumanName } from './names.ts';

export type { CareTeam, Goal, Immunization, ServiceRequest };

/** FHIR's Patient, as far as it is shown. */
export type Patient = {
  readonly resourceType: 'Patient';
  readonly id: string;
  readonly name?: readonly HumanName[];
  readonly gender?: string;
  readonly birthDate?: string;
  readonly deceasedBoolean?: boolean;
  readonly deceasedDateTime?: string;
  readonly identifier?: readonly {
    readonly use?: string;
    readonly value?: string;
    readonly period?: { readonly end?: string };
    readonly type?: {
      readonly text?: string;
      readonly coding?: readonly { readonly code?: string; readonly display?: string }[];
    };
  }[];
  readonly telecom?: readonly { readonly system?: string; readonly value?: string }[];
  readonly communication?: readonly {
    readonly language?: { readonly coding?: readonly { readonly display?: string }[] };
  }[];
};

/** FHIR's Practitioner or Organization, as far as it is shown. */
export type PossibleMember = {
  readonly resourceType: 'Practitioner' | 'Organization';
  readonly id: string;
  readonly name?: readonly HumanName[] | string;
};

/** FHIR's Condition, as far as it is shown. */
export type Condition = { readonly resourceType: 'Condition'; readonly code?: Concept };

/** FHIR's AllergyIntolerance, as far as it is shown. */
export type Allergy = {
  readonly resourceType: 'AllergyIntolerance';
  readonly clinicalStatus?: Concept | undefined;
  readonly verificationStatus?: Concept;
  readonly criticality?: string;
  readonly code?: Concept;
};

/** FHIR's Provenance, as far as it is shown. */
export type Provenance = {
  readonly resourceType: 'Provenance';
  readonly target: readonly { readonly reference: string }[];
  readonly recorded: string;
  readonly reason?: readonly { readonly text?: string }[];
  readonly agent: readonly {
    readonly type?: { readonly coding?: readonly { readonly code?: string }[] };
    readonly who: { readonly reference?: string; readonly display?: string };
  }[];
};

/** The number and the time of the version, which every resource that was read has. */
export type ResourceVersion = {
  readonly meta?: { readonly versionId?: string; readonly lastUpdated?: string };
};

/** A resource that has a history. */
export type ChartResource = CareTeam | Goal | ServiceRequest | Immunization;

/** The types that have a history. */
export type ChartType = ChartResource['resourceType'];
