import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../errors.ts';
import { parseInterval, type TimeZone } from '../fhir/date-time.ts';
import { type Identifier, identifierTokens } from '../fhir/identifier.ts';
import { formatReferenceTypes, isId, parseReference } from '../fhir/reference.ts';
import type { IndexEntry, Interval } from '../store/index-entry.ts';
import {
  type DateCriterion,
  datePrefixes,
  type PositiveCondition,
  type ReferenceCriterion,
  type TokenCriterion,
} from '../store/query.ts';
import { parameterIssue, removeEscapes, type SearchRule, splitUnescaped } from './issues.ts';

/** FHIR recommends that "approximately" allows a tenth of the time between now and the value. */
const widenInterval = ({ from, until }: Interval, now: number): Interval => {
  const allowance = Math.round(Math.abs(now - from) / 10);
  return { from: from - allowance, until: until + allowance };
};

/** Parses a date or time as it was sent. An unescaped plus sign of an offset has become a space in the query string. */
export const parseSentInterval = (text: string, zone: TimeZone): Interval | null =>
  parseInterval(text.replace(/ (?=\d\d:\d\d$)/, '+'), zone);

/**
 * Parses a date or time with an optional prefix; returns null for anything else. Source: FHIR R4, Search, 3.1.1.4.7.
 */
export const parseDateCriterion =
  (zone: TimeZone, now: number) =>
  (value: string): DateCriterion | null => {
    const prefix = datePrefixes.find((candidate) => value.startsWith(candidate));
    const interval = parseSentInterval(value.slice(prefix?.length ?? 0), zone);
    if (interval === null) return null;
    return { prefix: prefix ?? 'eq', ...(prefix === 'ap' ? widenInterval(interval, now) : interval) };
  };

/**
 * Parses `Type/id`, or an id of any of the types; returns null for anything else. Source: FHIR R4, Search, 3.1.1.4.12.
 */
export const parseReferenceCriteria =
  (types: readonly string[]) =>
  (value: string): readonly ReferenceCriterion[] | null => {
    if (isId(value)) return types.map((type) => ({ type, id: value }));
    const reference = parseReference(value);
    return reference !== null && types.includes(reference.type) ? [reference] : null;
  };

/** A reference to a version. Source: FHIR R4, RESTful API, 3.1.0.3. */
const versionPattern = /^([^/]+\/[^/]+)(\/_history\/[1-9]\d{0,14})$/;

/** Parses the same, or a reference to one version, such as `Goal/1/_history/3`, whose id is then `1/_history/3`. */
export const parseVersionCriteria =
  (types: readonly string[]) =>
  (value: string): readonly ReferenceCriterion[] | null => {
    const [, resource = value, version = ''] = versionPattern.exec(value) ?? [];
    const criteria = parseReferenceCriteria(types)(resource);
    return criteria === null ? null : criteria.map(({ type, id }) => ({ type, id: id + version }));
  };

/**
 * Parses `code`, `system|code`, `system|` or `|code`; returns null for anything else. Source: FHIR R4, Search,
 * 3.1.1.4.10.
 */
export const parseTokenCriterion = (value: string): TokenCriterion | null => {
  // No store keeps such a text, and some stores would search for another one.
  if (!value.isWellFormed()) return null;
  const parts = splitUnescaped('|')(value).map(removeEscapes);
  const [first = '', second] = parts;
  if (parts.length > 2 || (first === '' && (second ?? '') === '')) return null;
  if (second === undefined) return { system: null, code: first };
  return { system: first, code: second === '' ? null : second };
};

/** The most characters of a system, a code or a word in an index entry, whose size databases limit. */
const maxText = 500;

/** The entry of a code that is too long. No search can name it, but a search for any code finds it. */
const longToken = { system: '', code: '' };

/** The index entries of codes, by which a token parameter finds them. A longer code is not found. */
export const tokenEntries = (
  parameter: string,
  codings: readonly { readonly system?: string | undefined; readonly code?: string | undefined }[],
): readonly IndexEntry[] =>
  codings
    .map(({ system = '', code = '' }) => ({ system, code }))
    .filter(({ code }) => code !== '')
    .map((token) => (Math.max(token.system.length, token.code.length) > maxText ? longToken : token))
    .map((token) => ({ kind: 'token', parameter, ...token }));

/** The index entries of identifiers, by which the token parameter of each type finds its resources. */
export const identifierEntries = (
  parameter: string,
  identifiers: readonly Identifier[] | undefined,
): readonly IndexEntry[] =>
  identifiers === undefined ? [] : tokenEntries(parameter, identifierTokens(identifiers));

/** The index entry of a date, by which a date parameter finds it; empty without a date. */
export const dateEntries = (
  parameter: string,
  date: string | undefined,
  zone: TimeZone,
): readonly IndexEntry[] => {
  const interval = date === undefined ? null : parseInterval(date, zone);
  return interval === null ? [] : [{ kind: 'date', parameter, ...interval }];
};

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

/** The index entries of texts, by whose words a string parameter finds them, each once. A longer word is not found. */
export const wordEntries = (parameter: string, ...texts: readonly string[]): readonly IndexEntry[] =>
  [...new Set(texts.flatMap(foldWords))]
    .filter((word) => word.length <= maxText)
    .map((word) => ({ kind: 'string', parameter, word }));

/** The most choices of one word from each alternative. Each is a condition. */
const maxChoices = 32;

/**
 * The conditions of some alternatives, each of which has words that must all begin a word. A record meets one of the alternatives if
 * and only if it has a beginning of each choice of a word from each. Returns null if these are too many.
 */
const wordConditions = (
  parameter: string,
  alternatives: readonly (readonly string[])[],
): readonly PositiveCondition[] | null => {
  if (alternatives.reduce((choices, { length }) => choices * length, 1) > maxChoices) return null;
  const choices = alternatives.reduce<readonly (readonly string[])[]>(
    (before, words) => before.flatMap((choice) => words.map((word) => [...choice, word])),
    [[]],
  );
  return choices.map((anyOf) => ({ on: 'string', parameter, anyOf }));
};

/** The target of a search parameter, and the values that it allows. */
export type SearchParameter = (
  | {
      readonly kind: 'id';
      /** The patient whom an id of the type names, if it names one. */
      readonly patientIdOf?: (id: string) => string;
    }
  | { readonly kind: 'patient' }
  | {
      readonly kind: 'token';
      /** If given, any other code is refused, except the `unusedCodes`. */
      readonly codes?: readonly string[];
      /** The other codes of FHIR's value set, which no resource has here. */
      readonly unusedCodes?: readonly string[];
      /** Any other code is found in no resource. */
      readonly knownCodes?: readonly string[];
    }
  | {
      readonly kind: 'reference';
      readonly types: readonly string[];
      /** A reference to one version is allowed, too. */
      readonly hasVersions?: true;
    }
  | { readonly kind: 'date' }
  /** Beginnings of words, in any order. */
  | { readonly kind: 'string' }
  /** The time of the last version. */
  | { readonly kind: 'lastUpdated' }
  /** The time of a version, from a time on. */
  | { readonly kind: 'since' }
) & {
  /** The index version that a store needs for it; 1 if left out. */
  readonly indexedSince?: number;
};

export type SearchParameterTable = Readonly<Record<string, SearchParameter>>;

/** The types of the resources to which a parameter refers; empty if it does not refer to any. */
export const referencedTypes = (parameter: SearchParameter): readonly string[] => {
  if (parameter.kind === 'patient') return ['Patient'];
  return parameter.kind === 'reference' ? parameter.types : [];
};

/** The time zone of dates without an offset, and the time that approximate dates are compared with. */
export type SearchTime = { readonly zone: TimeZone; readonly now: number };

/** Parses a token. Returns null if it names a code that is not one of the codes. */
const parseKnownToken = (codes: readonly string[]) => (value: string) => {
  const token = parseTokenCriterion(value);
  return token?.code == null || codes.includes(token.code) ? token : null;
};

/** Parses one value of a parameter as conditions. A comma in the value means "or" and separates its alternatives. */
export const parseCondition = (
  parameter: string,
  {
    declared,
    alternatives,
    time,
  }: {
    readonly declared: SearchParameter;
    readonly alternatives: readonly string[];
    readonly time: SearchTime;
  },
): E.Either<Issue, readonly PositiveCondition[]> => {
  const parseAlternatives = <A>(
    rule: SearchRule,
    parse: (alternative: string) => A | null,
    condition: (parsed: readonly A[]) => PositiveCondition | readonly PositiveCondition[],
    allowed?: readonly string[],
  ): E.Either<Issue, readonly PositiveCondition[]> => {
    const parsed: A[] = [];
    for (const alternative of alternatives) {
      const criterion = parse(alternative);
      if (criterion === null) return E.left(parameterIssue(rule, parameter, allowed));
      parsed.push(criterion);
    }
    return E.right([condition(parsed)].flat());
  };
  switch (declared.kind) {
    case 'id': {
      const { patientIdOf } = declared;
      const parseId = (value: string) => (isId(patientIdOf?.(value) ?? value) ? value : null);
      return parseAlternatives('search-id', parseId, (anyOf) => [
        { on: 'id', anyOf },
        ...(patientIdOf === undefined ? [] : [{ on: 'patient' as const, anyOf: anyOf.map(patientIdOf) }]),
      ]);
    }
    case 'patient':
      return parseAlternatives(
        'search-reference',
        parseReferenceCriteria(['Patient']),
        (references) => ({ on: 'patient', anyOf: references.flat().map(({ id }) => id) }),
        formatReferenceTypes(['Patient']),
      );
    case 'token': {
      const token = (anyOf: readonly TokenCriterion[]): PositiveCondition => ({
        on: 'token',
        parameter,
        anyOf,
      });
      if (declared.codes === undefined) return parseAlternatives('search-token', parseTokenCriterion, token);
      const codes = [...declared.codes, ...(declared.unusedCodes ?? [])];
      return parseAlternatives('search-code', parseKnownToken(codes), token, codes);
    }
    case 'reference': {
      const parseCriteria = declared.hasVersions ? parseVersionCriteria : parseReferenceCriteria;
      return parseAlternatives(
        'search-reference',
        parseCriteria(declared.types),
        (references) => ({ on: 'reference', parameter, anyOf: references.flat() }),
        formatReferenceTypes(declared.types),
      );
    }
    case 'string': {
      const words = alternatives.map((alternative) => foldWords(removeEscapes(alternative)));
      // Without a word, it would find everybody.
      if (words.some(({ length }) => length === 0)) return E.left(parameterIssue('search-string', parameter));
      const conditions = wordConditions(parameter, words);
      return conditions === null ? E.left(parameterIssue('too-many-values', parameter)) : E.right(conditions);
    }
    case 'since':
      return parseAlternatives(
        'search-since',
        (value) => parseSentInterval(value, time.zone),
        (intervals) => ({
          on: 'date',
          parameter,
          anyOf: intervals.map((interval) => ({ prefix: 'ge', ...interval })),
        }),
      );
    case 'lastUpdated':
      return parseAlternatives('search-date', parseDateCriterion(time.zone, time.now), (anyOf) => ({
        on: 'at',
        anyOf,
      }));
    case 'date':
      return parseAlternatives('search-date', parseDateCriterion(time.zone, time.now), (anyOf) => ({
        on: 'date',
        parameter,
        anyOf,
      }));
  }
};
