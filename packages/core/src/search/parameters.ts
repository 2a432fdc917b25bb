import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../errors.ts';
import { idPattern } from '../fhir/reference.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import type { SearchCondition, TokenCriterion } from '../store/query.ts';
import { parseDateCriterion } from './date-criterion.ts';
import { parameterIssue, type SearchRule } from './issues.ts';
import { parseReferenceCriteria } from './reference-criterion.ts';
import { parseTokenCriterion } from './token-criterion.ts';

/** What a search parameter of a resource looks at, and which values it takes. */
export type SearchParameter =
  | { readonly kind: 'id' }
  | { readonly kind: 'patient' }
  /** `codes`: where given, no other code is a value of it. */
  | { readonly kind: 'token'; readonly codes?: readonly string[] }
  | { readonly kind: 'reference'; readonly types: readonly string[] }
  | { readonly kind: 'date' };

export type SearchParameterTable = Readonly<Record<string, SearchParameter>>;

/** What dates without an offset, and approximate ones, are read by. */
export type SearchTime = { readonly zone: TimeZone; readonly now: number };

const parseId = (value: string) => (idPattern.test(value) ? value : null);

/** Reads a token of which the code, where it names one, is among those that are known. */
const parseKnownToken = (codes: readonly string[]) => (value: string) => {
  const token = parseTokenCriterion(value);
  return token?.code == null || codes.includes(token.code) ? token : null;
};

/** The condition that one value of a parameter states, given as its alternatives: a comma in it is "or". */
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
): E.Either<Issue, SearchCondition> => {
  const parseAlternatives = <A>(
    rule: SearchRule,
    parse: (alternative: string) => A | null,
    condition: (parsed: readonly A[]) => SearchCondition,
  ): E.Either<Issue, SearchCondition> => {
    const parsed: A[] = [];
    for (const alternative of alternatives) {
      const one = parse(alternative);
      if (one === null) return E.left(parameterIssue(rule, parameter));
      parsed.push(one);
    }
    return E.right(condition(parsed));
  };
  switch (declared.kind) {
    case 'id':
      return parseAlternatives('id', parseId, (anyOf) => ({ on: 'id', anyOf }));
    case 'patient':
      return parseAlternatives('reference', parseReferenceCriteria(['Patient']), (references) => ({
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
        ? parseAlternatives('token', parseTokenCriterion, token)
        : parseAlternatives('code', parseKnownToken(declared.codes), token);
    }
    case 'reference':
      return parseAlternatives('reference', parseReferenceCriteria(declared.types), (references) => ({
        on: 'reference',
        parameter,
        anyOf: references.flat(),
      }));
    case 'date':
      return parseAlternatives('date', parseDateCriterion(time.zone, time.now), (anyOf) => ({
        on: 'date',
        parameter,
        anyOf,
      }));
  }
};
