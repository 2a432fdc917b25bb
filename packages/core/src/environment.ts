import type { TimeZone } from './fhir/date-time.ts';
import type { Fields } from './host-fields/host-extension.ts';
import type { ClinicalStore } from './store/port.ts';

/** A role that a care team may use. */
type ConfiguredRole = { readonly system: string; readonly code: string; readonly display: string };

/** The organization for which the clinic's authors act. It also provides the resources to clients. */
export type ClinicOrganization = {
  /** The reference to it, such as `Organization/31`. */
  readonly reference: `Organization/${string}`;
  /** Its name. */
  readonly display?: string | undefined;
};

/** The host's configuration. Time and ids are passed in, so that the rules stay pure. */
export type Settings = {
  /** The current time, in milliseconds since 1970 in UTC. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly zone: TimeZone;
  readonly extensionBase: string;
  readonly careTeamRoles: readonly ConfiguredRole[];
  /** The most steps of one search, as `SearchQuery.maxSteps` counts them. */
  readonly searchSteps: number;
  /** The organization for which authors act; null if the host does not name it. */
  readonly organization: ClinicOrganization | null;
  /** Whether care teams are shown as US Core demands where the interface says otherwise. */
  readonly usCore: boolean;
  /** The extensions of the host; absent if there are none. */
  readonly fields?: Fields;
};

/** The dependencies of the services. */
export type Environment = Settings & { readonly store: ClinicalStore };
