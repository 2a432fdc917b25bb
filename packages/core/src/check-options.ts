import type { ClinicalRecordsOptions } from './clinical-records.ts';
import type { ClinicalStore } from './store/port.ts';

const storeFunctions = [
  'read',
  'readResource',
  'search',
  'commit',
  'history',
  'changesSince',
  'scan',
  'close',
] as const satisfies readonly (keyof ClinicalStore)[];

const isFunction = (value: unknown): boolean => typeof value === 'function';

const isResolver = (value: unknown): boolean =>
  isFunction(value) ||
  (typeof value === 'object' && value !== null && Object.values(value).every(isFunction));

const isStore = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  storeFunctions.every((name) => isFunction(Reflect.get(value, name)));

const isMissingOr =
  (is: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || is(value);

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
  ['clock', isMissingOr(isFunction), 'clock must be a function that returns a Date.'],
  ['newId', isMissingOr(isFunction), 'newId must be a function that returns a new id.'],
];

/** Throws a TypeError if an option is missing or has the wrong type. */
export const checkOptions = (options: ClinicalRecordsOptions): void => {
  for (const [option, isRight, sentence] of checks) {
    if (!isRight((options as ClinicalRecordsOptions | undefined)?.[option])) throw new TypeError(sentence);
  }
};
