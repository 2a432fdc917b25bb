import * as E from 'fp-ts/lib/Either.js';
import { parseInterval, type TimeZone } from '../fhir/date-time.ts';
import { formatReferenceTypes, isId, parseReference } from '../fhir/reference.ts';
import type { Interval } from '../store/index-entry.ts';
import { tokenMatches } from '../store/matches.ts';
import {
  type DateCriterion,
  datePrefixes,
  type ReferenceCriterion,
  type SearchCondition,
  type TokenCriterion,
} from '../store/query.ts';
import { foldWords, lacksProfile, presenceCondition } from './index-entries.ts';
import { parameterIssue, type SearchIssue, type SearchRule } from './issues.ts';
import { removeEscapes, splitUnescaped } from './search-input.ts';

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
const parseVersionCriteria =
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

/** The most choices of one word from each alternative. Each is a condition. */
const maxChoices = 32;

/**
 * The conditions of some alternatives, each of which has words that must all begin a word. A record meets one of the alternatives if
 * and only if it has a beginning of each choice of a word from each. Returns null if these are too many.
 */
const wordConditions = (
  parameter: string,
  alternatives: readonly (readonly string[])[],
): readonly SearchCondition[] | null => {
  if (alternatives.reduce((choices, { length }) => choices * length, 1) > maxChoices) return null;
  const choices = alternatives.reduce<readonly (readonly string[])[]>(
    (before, words) => before.flatMap((choice) => words.map((word) => [...choice, word])),
    [[]],
  );
  return choices.map((anyOf) => ({ on: 'string', parameter, anyOf }));
};

/** The target of a search parameter, and the values that it allows. */
export type SearchParameter =
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
      /** A token that every resource has. */
      readonly kind: 'fixed';
      readonly system: string;
      readonly codes: readonly [string];
      /** The other codes of FHIR's value set, which no resource has here. */
      readonly unusedCodes: readonly string[];
    }
  | {
      /** The profile that nearly every resource conforms to, and none to another. */
      readonly kind: 'profile';
      readonly profile: string;
    }
  | {
      readonly kind: 'reference';
      readonly types: readonly string[];
      /** A reference to one version is allowed, too. */
      readonly hasVersions?: true;
      /** Whether an index entry says that there is a value, so that a search for any value is quick. */
      readonly hasPresence?: true;
    }
  | {
      readonly kind: 'date';
      /** No resource has several values. So a search between two dates looks only at what is between them. */
      readonly isSingle?: true;
    }
  /** Beginnings of words, in any order. */
  | { readonly kind: 'string' }
  /** The time of the last version. */
  | { readonly kind: 'lastUpdated' }
  /** The time of a version, from a time on. */
  | { readonly kind: 'since' };

export type SearchParameterTable = Readonly<Record<string, SearchParameter>>;

/** The types of the resources to which a parameter refers; empty if it does not refer to any. */
export const referencedTypes = (parameter: SearchParameter): readonly string[] => {
  if (parameter.kind === 'patient') return ['Patient'];
  return parameter.kind === 'reference' ? parameter.types : [];
};

/** The time zone of dates without an offset, and the time that approximate dates are compared with. */
export type SearchTime = { readonly zone: TimeZone; readonly now: number };

/** A condition that holds for no record. */
const noRecord: SearchCondition = { on: 'id', anyOf: [] };

/** The condition that a resource conforms to its profile. */
const hasProfile: SearchCondition = { on: 'not', condition: lacksProfile };

/** The conditions that hold for the records for which others, at most one, do not. */
export const negate = ([condition]: readonly SearchCondition[]): readonly SearchCondition[] => {
  // All records meet no conditions.
  if (condition === undefined) return [noRecord];
  if (condition === noRecord) return [];
  return [condition.on === 'not' ? condition.condition : { on: 'not', condition }];
};

/** The conditions that a record has a value of a parameter. */
export const presenceOf = (name: string, parameter: SearchParameter): readonly SearchCondition[] => {
  const { kind } = parameter;
  switch (kind) {
    case 'reference':
      if (parameter.hasPresence) return [presenceCondition(name, false)];
      return [{ on: 'entry', kind, parameter: name }];
    case 'token':
    case 'date':
    case 'string':
      return [{ on: 'entry', kind, parameter: name }];
    case 'profile':
      return [hasProfile];
    default:
      return [];
  }
};

/** Parses a token. Returns null if it names a code that is not one of the codes. */
const parseKnownToken = (codes: readonly string[]) => (value: string) => {
  const token = parseTokenCriterion(value);
  return token?.code == null || codes.includes(token.code) ? token : null;
};

/** Parses each alternative of a value, and makes conditions of them all. An issue lists what is `allowed`. */
const createAlternativesParser =
  (parameter: string, alternatives: readonly string[]) =>
  <A>(
    rule: SearchRule,
    parse: (alternative: string) => A | null,
    condition: (parsed: readonly A[]) => SearchCondition | readonly SearchCondition[],
    allowed?: readonly string[],
  ): E.Either<SearchIssue, readonly SearchCondition[]> => {
    const parsed: A[] = [];
    for (const alternative of alternatives) {
      const criterion = parse(alternative);
      if (criterion === null) return E.left(parameterIssue(rule, parameter, allowed));
      parsed.push(criterion);
    }
    return E.right([condition(parsed)].flat());
  };

const parseWords = (
  parameter: string,
  alternatives: readonly string[],
): E.Either<SearchIssue, readonly SearchCondition[]> => {
  const words = alternatives.map((alternative) => foldWords(removeEscapes(alternative)));
  // Without a word, it would find everybody.
  if (words.some(({ length }) => length === 0)) return E.left(parameterIssue('search-string', parameter));
  const conditions = wordConditions(parameter, words);
  return conditions === null ? E.left(parameterIssue('too-many-values', parameter)) : E.right(conditions);
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
): E.Either<SearchIssue, readonly SearchCondition[]> => {
  const parseAlternatives = createAlternativesParser(parameter, alternatives);
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
      const token = (anyOf: readonly TokenCriterion[]): SearchCondition => ({
        on: 'token',
        parameter,
        anyOf,
      });
      if (declared.codes === undefined) return parseAlternatives('search-token', parseTokenCriterion, token);
      const codes = [...declared.codes, ...(declared.unusedCodes ?? [])];
      return parseAlternatives('search-code', parseKnownToken(codes), token, codes);
    }
    case 'fixed': {
      const { system, codes, unusedCodes } = declared;
      const allowed = [...codes, ...unusedCodes];
      return parseAlternatives(
        'search-code',
        parseKnownToken(allowed),
        (criteria) =>
          criteria.some((criterion) => tokenMatches(criterion)({ system, code: codes[0] })) ? [] : noRecord,
        allowed,
      );
    }
    case 'profile':
      return parseAlternatives(
        'search-value',
        (value) => removeEscapes(value) || null,
        (profiles) => (profiles.includes(declared.profile) ? hasProfile : noRecord),
      );
    case 'reference': {
      const parseCriteria = declared.hasVersions ? parseVersionCriteria : parseReferenceCriteria;
      return parseAlternatives(
        'search-reference',
        parseCriteria(declared.types),
        (references) => ({ on: 'reference', parameter, anyOf: references.flat() }),
        formatReferenceTypes(declared.types),
      );
    }
    case 'string':
      return parseWords(parameter, alternatives);
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
        ...(declared.isSingle && { isSingle: true }),
      }));
  }
};
