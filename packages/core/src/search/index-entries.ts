import type { PartialCodeableConcept, PartialCoding } from '../fhir/coding.ts';
import type { ResourceLabels } from '../fhir/common-elements.ts';
import { type Period, parseInterval, type TimeZone } from '../fhir/date-time.ts';
import type { Identifier } from '../fhir/identifier.ts';
import { parseReference } from '../fhir/reference.ts';
import { isObject, type JsonObject } from '../fhir/schema.ts';
import type { IndexEntry, Interval } from '../store/index-entry.ts';
import type { PositiveCondition } from '../store/query.ts';
import type { SearchParameter } from './parameters.ts';

/** The most characters of a system, a code or a word in an index entry, whose size databases limit. */
const maxText = 500;

/** Whether a search can name a code of a system: neither is too long for an index entry. */
export const isSearchable = ({ system, code }: { readonly system: string; readonly code: string }): boolean =>
  Math.max(system.length, code.length) <= maxText;

/** The entry of a code that is too long. No search can name it, but a search for any code finds it. */
const longToken = { system: '', code: '' };

/**
 * The words of a text in the form in which they are compared: without accents and in lower case. Source: FHIR R4, Search,
 * 3.1.1.4.8.
 */
export const foldWords = (text: string): readonly string[] =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((word) => word !== '');

/** Times before and after all dates of FHIR, whose years have four digits. */
const [beforeDates, afterDates] = [-7e13, 3e14];

/** The interval of a period. Without a start it begins before, and without an end it ends after any date. FHIR R4, Search, 3.1.1.4.7. */
export const periodInterval = ({ start = '', end = '' }: Period, zone: TimeZone): Interval => {
  const from = parseInterval(start, zone)?.from ?? beforeDates;
  return { from, until: Math.max(from, parseInterval(end, zone)?.until ?? afterDates) };
};

/** The values of each kind of search parameter that has index entries. */
export type IndexValues = {
  readonly token: { readonly system?: string | undefined; readonly code?: string | undefined };
  readonly reference: { readonly type: string; readonly id: string };
  readonly date: Interval;
  /** Texts, by whose words they are found. */
  readonly string: string;
};

/** How an element is read: codes without a system are in the given one, and times without an offset in the zone. */
type ElementContext = { readonly system: string | undefined; readonly zone: TimeZone };

/** How the values of a kind are read from an element, and become index entries. */
type IndexedKind<Value> = {
  /** Raised with each change of the values or of the entries. */
  readonly version: number;
  readonly valuesOf: (element: unknown, context: ElementContext) => readonly Value[];
  readonly entriesOf: (parameter: string, values: readonly Value[]) => readonly IndexEntry[];
};

/** The tokens of a code, a Coding, a CodeableConcept or an Identifier. Source: FHIR R4, Search, 3.1.1.4.10. */
const tokensOf: IndexedKind<IndexValues['token']>['valuesOf'] = (element, { system }) => {
  if (!isObject(element)) return [{ system, code: String(element) }];
  const { coding, value, ...rest } = element as PartialCodeableConcept & PartialCoding & Identifier;
  return coding ?? [value === undefined ? rest : { system: rest.system, code: value }];
};

/** Codes that are empty have no entry. One that is too long is not found. */
const tokenEntries: IndexedKind<IndexValues['token']>['entriesOf'] = (parameter, tokens) => {
  const entries: IndexEntry[] = [];
  for (const { system = '', code = '' } of tokens) {
    if (code === '') continue;
    const token = { system, code };
    entries.push({ kind: 'token', parameter, ...(isSearchable(token) ? token : longToken) });
  }
  return entries;
};

/** A reference with only a name is not found. */
const referencesOf = (element: unknown): readonly IndexValues['reference'][] => {
  const text = isObject(element) ? element.reference : element;
  const reference = parseReference(typeof text === 'string' ? text : '');
  return reference === null ? [] : [reference];
};

/** The interval of a date, a time or a Period. */
const intervalsOf = (element: unknown, { zone }: Pick<ElementContext, 'zone'>): readonly Interval[] => {
  if (isObject(element)) return [periodInterval(element, zone)];
  const interval = parseInterval(String(element), zone);
  return interval === null ? [] : [interval];
};

/** Each word has one entry. A longer word is not found. */
const wordEntries: IndexedKind<string>['entriesOf'] = (parameter, texts) =>
  [...new Set(texts.flatMap(foldWords))]
    .filter((word) => word.length <= maxText)
    .map((word) => ({ kind: 'string', parameter, word }));

/** The kinds of search parameters that have index entries. */
export const indexedKinds: { readonly [Kind in keyof IndexValues]: IndexedKind<IndexValues[Kind]> } = {
  token: { version: 1, valuesOf: tokensOf, entriesOf: tokenEntries },
  reference: {
    version: 1,
    valuesOf: referencesOf,
    entriesOf: (parameter, references) =>
      references.map(({ type, id }) => ({ kind: 'reference', parameter, type, id })),
  },
  date: {
    version: 1,
    valuesOf: intervalsOf,
    entriesOf: (parameter, intervals) =>
      intervals.map(({ from, until }) => ({ kind: 'date', parameter, from, until })),
  },
  string: { version: 1, valuesOf: (element) => [String(element)], entriesOf: wordEntries },
};

/** The token of a parameter by which it is found whether a resource has a value. */
const presenceOf = (parameter: string, isMissing: boolean) =>
  ({ parameter: `${parameter}:missing`, system: '', code: String(isMissing) }) as const;

/** The index entry by which it is found whether a resource has a value of a parameter. */
const presenceEntry = (parameter: string, isMissing: boolean): IndexEntry => ({
  kind: 'token',
  ...presenceOf(parameter, isMissing),
});

/** The condition that a resource has such an index entry. */
export const presenceCondition = (parameter: string, isMissing: boolean) => {
  const { parameter: name, ...token } = presenceOf(parameter, isMissing);
  return { on: 'token', parameter: name, anyOf: [token] } as const satisfies PositiveCondition;
};

/** The condition that a resource does not conform to its profile. Nearly all do, so only the others have an index entry. */
export const lacksProfile = presenceCondition('_profile', true);

type Kind = keyof IndexValues;

/** How many more names a path may have. */
type Below = { readonly 3: 2; readonly 2: 1; readonly 1: 0; readonly 0: never };

/**
 * The names of elements from the outside in, with dots between them, such as `participant.member`. A path leads through every item
 * of a list.
 */
export type ElementPath<Element, Depth extends keyof Below = 3> = [Element] extends [never]
  ? string
  : Element extends readonly (infer Item)[]
    ? ElementPath<Item, Depth>
    : Element extends object
      ? {
          [Name in keyof Element & string]-?:
            | Name
            | `${Name}.${ElementPath<NonNullable<Element[Name]>, Below[Depth]>}`;
        }[keyof Element & string]
      : never;

/** Where the values of a search parameter are in a resource. */
type ValueSource<OfKind extends Kind, Resource> =
  | {
      readonly at: ElementPath<Resource> | readonly ElementPath<Resource>[];
      /** The system of elements that are only codes. */
      readonly system?: string;
    }
  | {
      /** Computes the values. */
      readonly at: (resource: Resource, zone: TimeZone) => readonly IndexValues[OfKind][];
      /** Another one with each change of what the function returns. */
      readonly version: number | string;
    };

/** A parameter whose values are index entries. */
export type IndexedParameter<Resource> = {
  readonly [OfKind in Kind]: Extract<SearchParameter, { readonly kind: OfKind }> &
    ValueSource<OfKind, Resource>;
}[Kind];

/** A parameter of a search that a store runs: the values that it allows, and where they are in a resource. */
type StoredParameter<Resource> =
  | Exclude<SearchParameter, { readonly kind: Kind }>
  | IndexedParameter<Resource>;

/** The parameters of a search that a store runs. Its resources are indexed by them, and by nothing else. */
export type StoredParameterTable<Resource = never> = Readonly<Record<string, StoredParameter<Resource>>>;

/** The elements that resources of every type have. */
type CommonResource = {
  readonly identifier?: readonly Identifier[] | undefined;
  readonly meta?: ResourceLabels | undefined;
};

/** The search parameters of elements that resources of every type have. */
export const commonParameters = (profile: string) =>
  ({
    /** The number by which another system knows it: `system|value`, `value` or `system|`. */
    identifier: { kind: 'token', at: 'identifier' },
    /** A tag: `code`, `system|code`, `system|` or `|code`. */
    _tag: { kind: 'token', at: 'meta.tag' },
    /** A security label: `code`, `system|code`, `system|` or `|code`. */
    _security: { kind: 'token', at: 'meta.security' },
    /** The URL of a profile to which the resource conforms, as `meta.profile` says. */
    _profile: { kind: 'profile', profile },
  }) as const satisfies StoredParameterTable<CommonResource>;

/** Returns the index entries by which searches find a resource. */
type IndexResource = (resource: object, zone: TimeZone) => readonly IndexEntry[];

const isIndexed = (parameter: StoredParameter<never>): parameter is IndexedParameter<never> =>
  parameter.kind in indexedKinds;

/** The elements at some paths. A list may have gaps in it, as another system has sent it. */
export const elementsAt = (resource: object, paths: readonly (readonly string[])[]): readonly unknown[] => {
  const found: unknown[] = [];
  for (const path of paths) {
    let elements: readonly unknown[] = [resource];
    for (const name of path) {
      const inner: unknown[] = [];
      for (const element of elements) {
        const value = (element as JsonObject | null)?.[name];
        if (Array.isArray(value)) inner.push(...value);
        else if (value !== undefined && value !== null) inner.push(value);
      }
      elements = inner;
    }
    found.push(...elements);
  }
  return found;
};

/** The paths of a parameter, and how its values are read from the elements there. They are computed from the whole resource. */
const sourceOf = <OfKind extends Kind>(kind: OfKind, source: ValueSource<OfKind, never>) => {
  if ('version' in source) {
    const valuesOf: IndexedKind<IndexValues[OfKind]>['valuesOf'] = (resource, { zone }) =>
      source.at(resource as never, zone);
    return { paths: [[]], valuesOf };
  }
  const { at, system } = source;
  return { paths: [at].flat().map((path) => path.split('.')), system, valuesOf: indexedKinds[kind].valuesOf };
};

/** Reads the index entries of one parameter from a resource. */
const createIndexBy = <OfKind extends Kind>(
  name: string,
  kind: OfKind,
  source: ValueSource<OfKind, never> & { readonly hasPresence?: true; readonly isSingle?: true },
): IndexResource => {
  const { paths, system, valuesOf } = sourceOf(kind, source);
  const { entriesOf } = indexedKinds[kind];
  const presence = source.hasPresence ? [presenceEntry(name, false)] : [];
  return (resource, zone) => {
    const values: IndexValues[OfKind][] = [];
    for (const element of elementsAt(resource, paths)) values.push(...valuesOf(element, { system, zone }));
    if (source.isSingle && values.length > 1)
      throw new TypeError(
        `The search parameter ${name} is declared as isSingle, and a resource has ${values.length} values of it.`,
      );
    return values.length === 0 ? [] : [...entriesOf(name, values), ...presence];
  };
};

const createIndexByProfile = (name: string): IndexResource => {
  const [none, missing] = [[], [presenceEntry(name, true)]];
  return ({ meta }: { readonly meta?: { readonly profile?: unknown } }) =>
    meta?.profile === undefined ? missing : none;
};

const indexers = new WeakMap<StoredParameterTable, IndexResource>();

/** How resources are indexed by some parameters. It is created once for each table. */
export const indexerOf = (parameters: StoredParameterTable): IndexResource => {
  const existing = indexers.get(parameters);
  if (existing !== undefined) return existing;
  const parts = Object.entries(parameters).flatMap(([name, parameter]) => {
    if (parameter.kind === 'profile') return [createIndexByProfile(name)];
    return isIndexed(parameter) ? [createIndexBy(name, parameter.kind, parameter)] : [];
  });
  const indexer: IndexResource = (resource, zone) => {
    const entries: IndexEntry[] = [];
    for (const part of parts) entries.push(...part(resource, zone));
    return entries;
  };
  indexers.set(parameters, indexer);
  return indexer;
};

/** Raised with each change of the entry that says that a resource does not conform. */
const profileVersion = 1;

/**
 * How resources are indexed by each parameter that has index entries, as a text: another one if they were indexed in another way. A
 * function that computes values says so by its version. Dates without an offset depend on the time zone.
 */
export const digestsOf = (
  parameters: StoredParameterTable,
  timeZone: string,
): readonly (readonly [name: string, digest: string])[] =>
  Object.entries(parameters).flatMap(([name, parameter]) => {
    if (parameter.kind === 'profile')
      return [[name, JSON.stringify({ kind: 'profile', rules: profileVersion })]];
    if (!isIndexed(parameter)) return [];
    const { kind } = parameter;
    const digest = {
      kind,
      rules: indexedKinds[kind].version,
      ...('version' in parameter
        ? { version: parameter.version }
        : { at: parameter.at, system: parameter.system }),
      ...('hasPresence' in parameter && { hasPresence: true }),
      ...('isSingle' in parameter && { isSingle: parameter.isSingle }),
      ...(kind === 'date' && { timeZone }),
    };
    return [[name, JSON.stringify(digest)]];
  });
