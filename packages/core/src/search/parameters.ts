import * as E from 'fp-ts/lib/Either.js';
import type { Fault } from '../errors.ts';
import { idPattern } from '../fhir/reference.ts';
import type { TimeZone } from '../fhir/time-zone.ts';
import type { Condition } from '../store/query.ts';
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

const parseId = (value: string) => (idPattern.test(value) ? [value] : null);

const parsePatients = (value: string) => parseReferences(['Patient'])(value)?.map(({ id }) => id) ?? null;

const parseTokens = (codes: readonly string[] | undefined) => (value: string) => {
  const token = parseToken(value);
  const isKnown =
    token !== null && (token.code === null || codes === undefined || codes.includes(token.code));
  return isKnown ? [token] : null;
};

const parseDates = ({ zone, now }: SearchTime) => {
  const parse = parseDate(zone, now);
  return (value: string) => {
    const date = parse(value);
    return date === null ? null : [date];
  };
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
): E.Either<Fault, Condition> => {
  const either = <A>(
    rule: SearchRule,
    parse: (alternative: string) => readonly A[] | null,
    condition: (anyOf: readonly A[]) => Condition,
  ): E.Either<Fault, Condition> => {
    const criteria: A[] = [];
    for (const alternative of alternatives) {
      const parsed = parse(alternative);
      if (parsed === null) return E.left(parameterFault(rule, parameter));
      criteria.push(...parsed);
    }
    return E.right(condition(criteria));
  };
  switch (declared.kind) {
    case 'id':
      return either('id', parseId, (anyOf) => ({ on: 'id', anyOf }));
    case 'patient':
      return either('reference', parsePatients, (anyOf) => ({ on: 'patient', anyOf }));
    case 'token':
      return either(
        declared.codes === undefined ? 'token' : 'code',
        parseTokens(declared.codes),
        (anyOf) => ({
          on: 'token',
          parameter,
          anyOf,
        }),
      );
    case 'reference':
      return either('reference', parseReferences(declared.types), (anyOf) => ({
        on: 'reference',
        parameter,
        anyOf,
      }));
    case 'date':
      return either('date', parseDates(time), (anyOf) => ({ on: 'date', parameter, anyOf }));
  }
};
