import * as E from 'fp-ts/lib/Either.js';
import { ownProperty } from '../fhir/schema.ts';
import type { SearchCondition } from '../store/query.ts';
import { parameterIssue, type SearchIssue } from './issues.ts';
import {
  negate,
  parseCondition,
  presenceOf,
  referencedTypes,
  type SearchParameter,
  type SearchParameterTable,
  type SearchTime,
} from './parameters.ts';

/** A parameter of a search by the name that was sent, which can have a modifier. */
export type NamedParameter = {
  readonly name: string;
  readonly parameter: SearchParameter;
  /** The modifier, such as the type in `patient:Patient`; null if there is none. */
  readonly modifier: string | null;
};

/** The search parameters of a search, and whether a store runs it. Only then they have the modifiers `not` and `missing`. */
export type DeclaredParameters = { readonly declared: SearchParameterTable; readonly isStored?: boolean };

/** The modifiers of a parameter. Source: FHIR R4, Search, "Modifiers". */
export const modifiersOf = (
  parameter: SearchParameter,
  { isStored = false }: Pick<DeclaredParameters, 'isStored'>,
): readonly string[] => [
  ...referencedTypes(parameter),
  ...(isStored && ['token', 'fixed', 'id'].includes(parameter.kind) ? ['not'] : []),
  ...(isStored && parameter.kind !== 'since' ? ['missing'] : []),
];

/** Finds a declared parameter by the name that was sent; undefined if there is none, or if it has not such a modifier. */
export const findParameter = (search: DeclaredParameters, sent: string): NamedParameter | undefined => {
  const [name = '', modifier = null, ...more] = sent.split(':');
  const parameter = ownProperty(search.declared, name);
  if (parameter === undefined || more.length > 0) return undefined;
  const isSupported = modifier === null || modifiersOf(parameter, search).includes(modifier);
  return isSupported ? { name, parameter, modifier } : undefined;
};

/** The issue of a known parameter with a modifier or a chain that it does not support. */
export const modifierIssue = ({ declared, ...search }: DeclaredParameters, sent: string): SearchIssue => {
  const [name = ''] = sent.split(/[:.]/);
  const parameter = ownProperty(declared, name);
  const modifiers = parameter === undefined ? [] : modifiersOf(parameter, search);
  const allowed = modifiers.map((modifier) => `${name}:${modifier}`);
  return parameterIssue('modifier', sent, allowed.length === 0 ? undefined : allowed);
};

/**
 * Turns a value that names a resource by a URL of the interface, or by a type in the modifier, into a reference such as `Patient/7`.
 * Source: FHIR R4, Search, 3.1.1.4.12.
 */
const toReference =
  ({ parameter, modifier }: NamedParameter, baseUrl: string | undefined) =>
  (value: string): string => {
    if (referencedTypes(parameter).length === 0) return value;
    const isOwn = baseUrl !== undefined && value.startsWith(`${baseUrl}/`);
    const reference = isOwn ? value.slice(baseUrl.length + 1) : value;
    return modifier === null || reference.startsWith(`${modifier}/`) ? reference : `${modifier}/${reference}`;
  };

/** Parses the value of a parameter with the modifier `missing`. */
const parseMissing = (
  { name, parameter }: NamedParameter,
  [value, ...more]: readonly string[],
): E.Either<SearchIssue, readonly SearchCondition[]> => {
  if (more.length > 0 || (value !== 'true' && value !== 'false')) {
    return E.left(parameterIssue('search-missing', name));
  }
  const present = presenceOf(name, parameter);
  return E.right(value === 'true' ? negate(present) : present);
};

/** Parses one value of a parameter as conditions, by its modifier. `alternatives` are the parts between its commas. */
export const parseNamedCondition = (
  named: NamedParameter,
  alternatives: readonly string[],
  { time, baseUrl }: { readonly time: SearchTime; readonly baseUrl?: string | undefined },
): E.Either<SearchIssue, readonly SearchCondition[]> => {
  const { name, parameter, modifier } = named;
  if (modifier === 'missing') return parseMissing(named, alternatives);
  const references = alternatives.map(toReference(named, baseUrl));
  const parsed = parseCondition(name, { declared: parameter, alternatives: references, time });
  // The condition of an id comes first. Another one, on the patient whom it names, holds if that does.
  return modifier === 'not' ? E.map(negate)(parsed) : parsed;
};
