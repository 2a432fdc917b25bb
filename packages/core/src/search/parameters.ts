import * as E from 'fp-ts/lib/Either.js';
import type { Fault } from '../errors.ts';
import { idPattern } from '../fhir/reference.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import type { SearchCondition, TokenCriterion } from '../store/query.ts';
import { parseDate } from './date.ts';
import { parameterFault, type SearchRule } from './faults.ts';
import { parseReferences } from './reference.ts';
import { parseToken } from './token.ts';

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
  const token = parseToken(value);
  return token?.code == null || codes.includes(token.code) ? token : null;
};

/** The condition that one value of a parameter states, given as its alternatives: a comma in it is "or". */
export const conditionOf = (
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
): E.Either<Fault, SearchCondition> => {
  const either = <A>(
    rule: SearchRule,
    parse: (alternative: string) => A | null,
    condition: (parsed: readonly A[]) => SearchCondition,
  ): E.Either<Fault, SearchCondition> => {
    const parsed: A[] = [];
    for (const alternative of alternatives) {
      const one = parse(alternative);
      if (one === null) return E.left(parameterFault(rule, parameter));
      parsed.push(one);
    }
    return E.right(condition(parsed));
  };
  switch (declared.kind) {
    case 'id':
      return either('id', parseId, (anyOf) => ({ on: 'id', anyOf }));
    case 'patient':
      return either('reference', parseReferences(['Patient']), (references) => ({
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
        ? either('token', parseToken, token)
        : either('code', parseKnownToken(declared.codes), token);
    }
    case 'reference':
      return either('reference', parseReferences(declared.types), (references) => ({
        on: 'reference',
        parameter,
        anyOf: references.flat(),
      }));
    case 'date':
      return either('date', parseDate(time.zone, time.now), (anyOf) => ({ on: 'date', parameter, anyOf }));
  }
};
