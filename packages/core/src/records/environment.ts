import type { TimeZone } from '../fhir/time-zone.ts';
import type { ClinicalStore } from '../store/port.ts';

/** What the services work with. Time and ids come in as data, so that the rules stay pure. */
export type Environment = {
  readonly store: ClinicalStore;
  /** The time, in milliseconds since 1970 in UTC. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly zone: TimeZone;
};
