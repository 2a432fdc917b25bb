import type { CareTeamRole } from './care-team/model.ts';
import type { TimeZone } from './fhir/time-zone.ts';
import type { ClinicalStore } from './store/port.ts';

/** The time by a host's clock. Throws for what is none: it would date what is kept. */
export const createClock = (clock: () => Date) => (): number => {
  const time = clock().getTime();
  if (Number.isFinite(time)) return time;
  throw new TypeError('clock told no time: an invalid Date.');
};

/** What the services work with: a store, and what the host configures. Time and ids come in as data, so that the rules stay pure. */
export type Environment = {
  readonly store: ClinicalStore;
  /** The time, in milliseconds since 1970 in UTC. */
  readonly now: () => number;
  readonly newId: () => string;
  readonly zone: TimeZone;
  readonly extensionBase: string;
  /** The most steps that a search may take: about as many as index entries that a store looks at. */
  readonly searchSteps: number;
  /** The roles that a care team knows. */
  readonly roles: readonly CareTeamRole[];
};
