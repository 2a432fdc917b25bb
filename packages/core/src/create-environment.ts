import { parseRoles } from './care-team/rules.ts';
import type { Environment } from './environment.ts';
import { createTimeZone } from './fhir/date-time.ts';
import type { ClinicalRecordsOptions } from './options.ts';
import { createIdSource, createUuid } from './records/transact.ts';
import type { ClinicalStore } from './store/port.ts';

/**
 * The time of the host's clock. Throws if the clock returns an invalid Date, because records would be stored with it.
 */
export const createClock = (clock: () => Date) => (): number => {
  const time = clock().getTime();
  if (Number.isFinite(time)) return time;
  throw new TypeError('clock() returned an invalid Date.');
};

const defaultSearchSteps = 3_000_000;

const requireSearchSteps = (steps = defaultSearchSteps): number => {
  if (typeof steps === 'number' && steps >= 1) return steps;
  throw new RangeError('searchSteps must be a number of 1 or more.');
};

/** It becomes part of every stored resource. */
const requireExtensionBase = (extensionBase: string): string => {
  if (/^[a-z][a-z\d+.-]+:[^\s?#]*[^\s?#/]$/i.test(extensionBase)) return extensionBase;
  throw new RangeError(
    'extensionBase must be an absolute URL without a query, a fragment or a trailing slash.',
  );
};

/** The environment of the services, from the options of the host. Throws if one of them is not valid. */
export const createEnvironment = (
  {
    clock = () => new Date(),
    newId,
    timeZone = 'UTC',
    extensionBase,
    searchSteps,
    usCore,
    careTeamRoles,
  }: ClinicalRecordsOptions,
  store: ClinicalStore,
): Environment => ({
  store,
  now: createClock(clock),
  newId: newId === undefined ? createUuid : createIdSource(newId),
  zone: createTimeZone(timeZone),
  extensionBase: requireExtensionBase(extensionBase),
  careTeamRoles: parseRoles(careTeamRoles),
  searchSteps: requireSearchSteps(searchSteps),
  usCore: usCore ?? null,
});
