import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../errors.ts';
import { isId } from '../fhir/id.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import type { SearchCondition, TokenCriterion } from '../store/query.ts';
import { parseDateCriterion, parseSentInterval } from './date-criterion.ts';
import { parameterIssue, type SearchRule } from './issues.ts';
import { parseReferenceCriteria, parseVersionCriteria } from './reference-criterion.ts';
import { parseTokenCriterion } from './token-criterion.ts';

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
  /** The time of the last version. */
  | { readonly kind: 'lastUpdated' }
  /** The time of a version, from a time on. */
  | { readonly kind: 'since' }
) & {
  /** The index version that a store needs for it; 1 if left out. */
  readonly indexedSince?: number;
};

export type SearchParameterTable = Readonly<Record<string, SearchParameter>>;

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
): E.Either<Issue, readonly SearchCondition[]> => {
  const parseAlternatives = <A>(
    rule: SearchRule,
    parse: (alternative: string) => A | null,
    condition: (parsed: readonly A[]) => SearchCondition | readonly SearchCondition[],
  ): E.Either<Issue, readonly SearchCondition[]> => {
    const parsed: A[] = [];
    for (const alternative of alternatives) {
      const one = parse(alternative);
      if (one === null) return E.left(parameterIssue(rule, parameter));
      parsed.push(one);
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
      return parseAlternatives('search-reference', parseReferenceCriteria(['Patient']), (references) => ({
        on: 'patient',
        anyOf: references.flat().map(({ id }) => id),
      }));
    case 'token': {
      const token = (anyOf: readonly TokenCriterion[]): SearchCondition => ({
        on: 'token',
        parameter,
        anyOf,
      });
      return declared.codes === undefined
        ? parseAlternatives('search-token', parseTokenCriterion, token)
        : parseAlternatives(
            'search-code',
            parseKnownToken([...declared.codes, ...(declared.unusedCodes ?? [])]),
            token,
          );
    }
    case 'reference': {
      const parseCriteria = declared.hasVersions ? parseVersionCriteria : parseReferenceCriteria;
      return parseAlternatives('search-reference', parseCriteria(declared.types), (references) => ({
        on: 'reference',
        parameter,
        anyOf: references.flat(),
      }));
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
