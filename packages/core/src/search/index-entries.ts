import type { ResourceLabels } from '../fhir/common-elements.ts';
import { type Period, parseInterval, type TimeZone } from '../fhir/date-time.ts';
import { type Identifier, identifierTokens } from '../fhir/identifier.ts';
import { parseReference } from '../fhir/reference.ts';
import type { IndexEntry, Interval } from '../store/index-entry.ts';
import type { PositiveCondition } from '../store/query.ts';

/** The most characters of a system, a code or a word in an index entry, whose size databases limit. */
const maxText = 500;

/** Whether a search can name a code of a system: neither is too long for an index entry. */
export const isSearchable = ({ system, code }: { readonly system: string; readonly code: string }): boolean =>
  Math.max(system.length, code.length) <= maxText;

/** The entry of a code that is too long. No search can name it, but a search for any code finds it. */
const longToken = { system: '', code: '' };

/** The index entries of codes, by which a token parameter finds them. A longer code is not found. */
export const tokenEntries = (
  parameter: string,
  codings: readonly { readonly system?: string | undefined; readonly code?: string | undefined }[],
): readonly IndexEntry[] => {
  const entries: IndexEntry[] = [];
  for (const { system = '', code = '' } of codings) {
    if (code === '') continue;
    const token = { system, code };
    entries.push({ kind: 'token', parameter, ...(isSearchable(token) ? token : longToken) });
  }
  return entries;
};

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

/** The index entries of references, by which a reference parameter finds them. One with only a name is not found. */
export const referenceEntries = (
  parameter: string,
  ...references: readonly ({ readonly reference?: string | undefined } | undefined)[]
): readonly IndexEntry[] =>
  references.flatMap((sent) => {
    const reference = parseReference(sent?.reference ?? '');
    return reference === null ? [] : [{ kind: 'reference', parameter, ...reference }];
  });

/** Times before and after all dates of FHIR, whose years have four digits. */
const [beforeDates, afterDates] = [-7e13, 3e14];

/** The interval of a period. Without a start it begins before, and without an end it ends after any date. FHIR R4, Search, 3.1.1.4.7. */
export const periodInterval = ({ start = '', end = '' }: Period, zone: TimeZone): Interval => {
  const from = parseInterval(start, zone)?.from ?? beforeDates;
  return { from, until: Math.max(from, parseInterval(end, zone)?.until ?? afterDates) };
};

/** The token of a resource that does not conform to its profile. Nearly all do, so these have no entry. */
const withoutProfile = { parameter: '_profile:missing', system: '', code: 'true' };

/** The condition that a resource does not conform to its profile. */
export const lacksProfile = {
  on: 'token',
  parameter: withoutProfile.parameter,
  anyOf: [{ system: withoutProfile.system, code: withoutProfile.code }],
} as const satisfies PositiveCondition;

/** The elements that resources of every type have, as they are shown. */
type CommonElements = {
  readonly identifier?: readonly Identifier[] | undefined;
  readonly meta?: (ResourceLabels & { readonly profile?: readonly string[] | undefined }) | undefined;
};

/** The index entries of the elements that resources of every type have. */
export const commonEntries = ({ identifier, meta = {} }: CommonElements): readonly IndexEntry[] => [
  ...identifierEntries('identifier', identifier),
  ...tokenEntries('_tag', meta.tag ?? []),
  ...tokenEntries('_security', meta.security ?? []),
  ...(meta.profile === undefined ? [{ kind: 'token' as const, ...withoutProfile }] : []),
];
