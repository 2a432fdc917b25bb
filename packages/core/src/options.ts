import type { OnAccess } from './access/access.ts';
import type { CareTeamRole } from './care-team/model.ts';
import { parseRoles } from './care-team/rules.ts';
import type { Resolver } from './directory/host-lookup.ts';
import type { ClinicOrganization, Settings } from './environment.ts';
import { misuse } from './errors.ts';
import { createTimeZone, systemTime } from './fhir/date-time.ts';
import { isBlank } from './fhir/element.ts';
import { isId, parseReference } from './fhir/reference.ts';
import { isObject } from './fhir/schema.ts';
import type { NamesOf } from './forms.ts';
import type { HostExtensions } from './host-fields/host-extension.ts';
import { areRules, type HostRule, type RuleChart, type RuleFailure } from './host-rules/host-rule.ts';
import { areHostTypes } from './host-type/kept-definitions.ts';
import type { HostType, ResourcesOf } from './host-type/model.ts';
import { ClinicalRecordsError } from './outcome.ts';
import type { ChartResources } from './resources.ts';
import type { ClinicalStore } from './store/port.ts';

/** The resources of a chart by their types: those of the library, and of the host. */
export type ResourcesWith<Types extends readonly HostType[]> = {
  readonly [Type in keyof ChartResources | keyof ResourcesOf<Types>]: Type extends keyof ChartResources
    ? ChartResources[Type]
    : ResourcesOf<Types>[Type & keyof ResourcesOf<Types>];
};

type RuleOf<Resource, Types extends readonly HostType[]> = HostRule<
  Resource,
  RuleChart<ResourcesWith<Types>>
>;

/** The rules of a host, by the types of resources that they judge. */
export type TypedRules<Types extends readonly HostType[] = []> = {
  readonly [Type in keyof ResourcesWith<Types>]?:
    | RuleOf<ResourcesWith<Types>[Type], Types>
    | readonly RuleOf<ResourcesWith<Types>[Type], Types>[];
};

/** The store and the configuration of a host. Only the store, `extensionBase` and `careTeamRoles` are required. */
export type ClinicalRecordsOptions<Connection = unknown, Types extends readonly HostType[] = []> = {
  /** The store that keeps the records. */
  readonly store: ClinicalStore<Connection>;
  /** The URL under which the library's FHIR extensions are defined: absolute, and without a trailing slash. */
  readonly extensionBase: string;
  /** The roles that a care team may use. Each combination of system and code occurs once, and no text is empty. */
  readonly careTeamRoles: readonly CareTeamRole[];
  /** Is asked for a patient, practitioner or other entry that is referred to and is not in the directory yet. */
  readonly resolve?: Resolver;
  /**
   * How long `resolve` may take, in milliseconds: 10,000 by default. After that, the request fails with a `StoreFailure`, and
   * nothing is changed.
   */
  readonly resolveTimeout?: number;
  /**
   * Your own rules, by the types of resources that they judge: a function or several for each type. They are asked about every change of
   * such a resource, before it is written. Source: docs/your-rules.md.
   */
  readonly rules?: TypedRules<Types>;
  /**
   * Is called with each rule that fails, whatever becomes of the change: also in an import, and if the rule only warns. Source:
   * docs/your-rules.md#when-a-rule-fails.
   */
  readonly onRuleFailure?: (failure: RuleFailure) => void;
  /** Types of resources of your own, as `defineResource` returns them. Source: docs/your-types.md. */
  readonly types?: Types;
  /**
   * Your own fields, as FHIR's extensions, by their URLs: each on a type of resource or on one of its elements. They are stored and read with
   * the resource. Source: docs/your-fields.md.
   */
  readonly extensions?: HostExtensions;
  /** Returns the current time. Default: the system clock. */
  readonly clock?: () => Date;
  /** Returns a new FHIR id. Default: a UUID of version 7, which begins with the time. */
  readonly newId?: () => string;
  /** The time zone of dates, and of times without an offset in a search, such as `America/New_York`. Default: UTC. */
  readonly timeZone?: string;
  /**
   * The most steps of one search. Default: 3,000,000. A step is a record that the store looks at, or a condition that
   * it compares with one; a million take about half a second. A search that needs more fails with `TooCostly`.
   */
  readonly searchSteps?: number;
  /**
   * Is called with each request over HTTP, and with each call in process that names a user (`by`). It is awaited before the
   * answer, so an access that cannot be recorded shows nothing. Source: docs/audit.md.
   */
  readonly onAccess?: OnAccess;
  /** The organization that the clinic is, or belongs to. Each Provenance says that authors act for it. Default: it names none. */
  readonly organization?: ClinicOrganization;
  /**
   * Whether care teams are shown as US Core demands where the interface says otherwise: a search finds none without participants,
   * and an absent role is `unknown`. It needs `organization`. Default: false. Source: docs/us-core.md.
   */
  readonly usCore?: boolean;
};

/** The options of a host with any types. */
export type AnyOptions<Connection = unknown> = Omit<ClinicalRecordsOptions<Connection>, 'types' | 'rules'> & {
  readonly types?: readonly HostType[];
  readonly rules?: object;
};

/** The names of all options of a function. The compiler requires each. */
export type OptionNames<Options> = Readonly<Record<NamesOf<Options>, true>>;

/**
 * Throws a TypeError for an option that a function does not have. A misspelt option would otherwise be ignored, which only
 * the compiler notices.
 */
export const checkOptionNames = <Options>(
  caller: string,
  options: Options,
  names: OptionNames<NoInfer<Options>>,
): void => {
  for (const [name, value] of Object.entries(options ?? {})) {
    if (value === undefined || Object.hasOwn(names, name)) continue;
    throw new TypeError(`${caller} has no option ${name}. Its options are ${Object.keys(names).join(', ')}.`);
  }
};

/** The longest time in milliseconds that a timer of Node can wait. A longer one would end at once. */
export const longestTimer = 2 ** 31 - 1;

/**
 * Throws a RangeError for a value that is not a number in its range. Such a limit may be read from a variable that is not
 * set. Nothing exceeds `NaN`, so it would limit nothing.
 */
export const requireNumbers = (
  numbers: Readonly<Record<string, unknown>>,
  least: number,
  most = Number.POSITIVE_INFINITY,
): void => {
  const range = most === Number.POSITIVE_INFINITY ? `of ${least} or more` : `from ${least} to ${most}`;
  for (const [name, value] of Object.entries(numbers)) {
    if (typeof value === 'number' && value >= least && value <= most) continue;
    throw new RangeError(`${name} must be a number ${range}.`);
  }
};

/** Throws a `Misuse` if what a host passes as its transaction, or the like, lacks the function that is called. */
export const requireFunction = (passed: unknown, name: string, sentence: string): void => {
  if (typeof (passed as Readonly<Record<string, unknown>> | null | undefined)?.[name] !== 'function')
    throw new ClinicalRecordsError(misuse(sentence));
};

const optionNames: OptionNames<ClinicalRecordsOptions> = {
  store: true,
  extensionBase: true,
  careTeamRoles: true,
  resolve: true,
  resolveTimeout: true,
  rules: true,
  onRuleFailure: true,
  extensions: true,
  types: true,
  clock: true,
  newId: true,
  timeZone: true,
  searchSteps: true,
  onAccess: true,
  organization: true,
  usCore: true,
};

const storeFunctions = [
  'read',
  'readResource',
  'search',
  'commit',
  'commitAll',
  'history',
  'changesSince',
  'feedEnd',
  'scan',
  'close',
] as const satisfies readonly (keyof ClinicalStore)[];

const isFunction = (value: unknown): boolean => typeof value === 'function';

const isResolver = (value: unknown): boolean =>
  isFunction(value) ||
  (typeof value === 'object' && value !== null && Object.values(value).every(isFunction));

export const isStore = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  storeFunctions.every((name) => isFunction(Reflect.get(value, name)));

const isMissingOr =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || is(value);

/** Whether a value names an organization by a reference, and by a display that FHIR allows. */
const isOrganization = (value: unknown): boolean => {
  const { reference, display } = (value ?? {}) as {
    readonly reference?: unknown;
    readonly display?: unknown;
  };
  return (
    typeof reference === 'string' &&
    parseReference(reference)?.type === 'Organization' &&
    isMissingOr((item) => typeof item === 'string' && !isBlank(item))(display)
  );
};

/** The options that plain JavaScript can get wrong, each with its test and the message for a failed test. */
const checks: readonly (readonly [
  option: keyof ClinicalRecordsOptions,
  isRight: (value: unknown) => boolean,
  sentence: string,
])[] = [
  ['store', isStore, 'store is required: pass what openSqliteStore() or createMemoryStore() returned.'],
  [
    'extensionBase',
    (value) => typeof value === 'string',
    'extensionBase is required: a URL of yours, such as https://clinic.example/fhir/extensions.',
  ],
  [
    'careTeamRoles',
    Array.isArray,
    'careTeamRoles is required: an array of roles, each with system, code and display; pass [] for none.',
  ],
  [
    'resolve',
    isMissingOr(isResolver),
    'resolve must be a function that returns a directory entry or null, or an object of such functions by type.',
  ],
  [
    'rules',
    isMissingOr(areRules),
    'rules must be an object with functions, or objects with check, whenItFails and mayBlockEnd, by types of resources.',
  ],
  [
    'onRuleFailure',
    isMissingOr(isFunction),
    'onRuleFailure must be a function that gets a failure of a rule.',
  ],
  [
    'types',
    isMissingOr(areHostTypes),
    'types must be an array of what defineResource() returned, each type and each name once.',
  ],
  ['extensions', isMissingOr(isObject), 'extensions must be an object with your extensions by their URLs.'],
  ['onAccess', isMissingOr(isFunction), 'onAccess must be a function that records an access.'],
  ['clock', isMissingOr(isFunction), 'clock must be a function that returns a Date.'],
  ['newId', isMissingOr(isFunction), 'newId must be a function that returns a new id.'],
  [
    'organization',
    isMissingOr(isOrganization),
    'organization must have a reference such as Organization/31, and a display if there is one.',
  ],
  ['usCore', isMissingOr((value) => typeof value === 'boolean'), 'usCore must be true or false.'],
];

/** Throws a TypeError if an option is missing, has the wrong type, or is unknown, and a RangeError for a number out of its range. */
export const checkOptions = (options: AnyOptions): void => {
  checkOptionNames('createClinicalRecords', options, optionNames);
  for (const [option, isRight, sentence] of checks) {
    if (!isRight((options as AnyOptions | undefined)?.[option])) throw new TypeError(sentence);
  }
  const { usCore, organization, resolveTimeout = 1, searchSteps = 1 } = options;
  if (usCore === true && organization === undefined) {
    throw new TypeError('usCore needs organization: US Core demands to know for whom authors act.');
  }
  requireNumbers({ resolveTimeout }, 1, longestTimer);
  requireNumbers({ searchSteps }, 1);
};

/** The times that FHIR can write, whose years have four digits. Source: FHIR R4, Datatypes, dateTime. */
const [firstTime, endOfTime] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('+010000-01-01T00:00:00Z')];

/**
 * The time of the host's clock. Throws if the clock returns anything but a Date that FHIR can write, because records would be
 * stored with it.
 */
const createClock = (clock: () => Date) => (): number => {
  const time = (clock() as Partial<Date> | undefined)?.getTime?.() ?? Number.NaN;
  if (time >= firstTime && time < endOfTime) return time;
  throw new TypeError('clock() must return a valid Date, of a year from 1 to 9999.');
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
const createIdSource = (newId: () => string) => (): string => {
  const made: unknown = newId();
  if (isId(made)) return made;
  throw new TypeError('newId() must return a FHIR id: 1 to 64 letters, digits, "-" or ".".');
};

/** It becomes part of every stored resource. */
const requireExtensionBase = (extensionBase: string): string => {
  if (/^[a-z][a-z\d+.-]+:[^\s?#]*[^\s?#/]$/i.test(extensionBase)) return extensionBase;
  throw new RangeError(
    'extensionBase must be an absolute URL without a query, a fragment or a trailing slash.',
  );
};

/** Throws an Error on a Node that is older than `engines` in package.json allows. */
export const requireNode = (): void => {
  // Node 20 has no methods of sets and of iterators. Without this check, some calls would fail as if the store did.
  if ('intersection' in Set.prototype) return;
  throw new Error('This Node is too old: clinical-records needs Node 22.18.0 or newer.');
};

/** The settings of the services, from the options of the host. Throws if one of them is not valid. */
export const createSettings = ({
  clock,
  newId,
  timeZone = 'UTC',
  extensionBase,
  searchSteps = 3_000_000,
  organization,
  usCore = false,
  careTeamRoles,
}: AnyOptions): Settings => ({
  now: clock === undefined ? systemTime : createClock(clock),
  newId: newId === undefined ? createUuid : createIdSource(newId),
  zone: createTimeZone(timeZone),
  extensionBase: requireExtensionBase(extensionBase),
  careTeamRoles: parseRoles(careTeamRoles),
  searchSteps,
  organization: organization ?? null,
  usCore,
});
