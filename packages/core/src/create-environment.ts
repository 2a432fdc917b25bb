import { parseRoles } from './care-team/rules.ts';
import type { Environment } from './environment.ts';
import { createTimeZone } from './fhir/date-time.ts';
import { isId } from './fhir/reference.ts';
import type { ClinicalRecordsOptions } from './options.ts';
import type { ClinicalStore } from './store/port.ts';

/**
 * The time of the host's clock. Throws if the clock returns an invalid Date, because records would be stored with it.
 */
export const createClock = (clock: () => Date) => (): number => {
  const time = clock().getTime();
  if (Number.isFinite(time)) return time;
  throw new TypeError('clock() returned an invalid Date.');
};

/**
 * Creates a UUID of version 7. It begins with the time, so that successive ids are next to each other in an index.
 * Source: RFC 9562, 5.7.
 */
export const createUuid = (): string => {
  const time = Date.now().toString(16).padStart(12, '0');
  // In a UUID of version 4, the part after the version is random, except the variant, which both versions share.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
};

/** Makes ids with `newId` of the host. Throws for an invalid id, because a URL with it would not lead to a resource. */
export const createIdSource = (newId: () => string) => (): string => {
  const made: unknown = newId();
  if (isId(made)) return made;
  throw new TypeError('newId() must return a FHIR id: 1 to 64 letters, digits, "-" or ".".');
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
