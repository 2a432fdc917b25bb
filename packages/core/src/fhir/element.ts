import { z } from 'zod';
import { isOneOf } from './is-one-of.ts';
import type { BodyRule } from './issues.ts';

const nameRules = [
  'not-stored',
  'modifier-extension',
  'implicit-rules',
  'unknown-element',
] as const satisfies readonly BodyRule[];

/** What is wrong with a name that is not among the elements that are stored. */
type NameRule = (typeof nameRules)[number];

const isNameRule = isOneOf(nameRules);

/** The rule that each name breaks. An `element` lists them in its message; to other schemas, each name is unknown. */
export const readNameRules = ({
  keys,
  message,
}: z.core.$ZodIssueUnrecognizedKeys): readonly (readonly [name: string, rule: NameRule])[] => {
  const named = message.split(' ');
  const rules = named.every(isNameRule) ? named : [];
  return keys.map((name, at) => [name, rules[at] ?? 'unknown-element']);
};

/**
 * An object with elements that are stored, and the names of those that FHIR R4 defines there besides.
 * Any other name is a fault, so that a misspelt element is never lost in silence.
 */
export const element = <Shape extends z.ZodRawShape>(
  shape: Shape,
  unstoredElements: readonly string[],
): z.ZodType<z.infer<z.ZodObject<Shape>>> => {
  const notStored = new Set(
    ['id', 'extension', ...unstoredElements].filter((name) => !Object.hasOwn(shape, name)),
  );
  const ruleOf = (name: string): NameRule => {
    if (name === 'modifierExtension') return 'modifier-extension';
    if (name === 'implicitRules') return 'implicit-rules';
    return notStored.has(name) ? 'not-stored' : 'unknown-element';
  };
  return z
    .strictObject(shape, {
      error: (issue) => (issue.code === 'unrecognized_keys' ? issue.keys.map(ruleOf).join(' ') : undefined),
    })
    .meta({ notStored: [...notStored] });
};

/** FHIR R4, Resource and DomainResource: the elements that every resource has besides its own. */
export const unstoredResourceElements: readonly string[] =
  'meta language text contained _implicitRules _language'.split(' ');

/** Makes a refinement of an element run even where the element has other faults, which may be dropped. */
export const runDespiteIssues = {
  when: ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null,
};

/** An array as it is taken. A longer one is refused before its elements are looked into, for each may have faults of its own. */
export const list = <Element extends z.ZodType>(of: Element) => z.array(of).max(1000);

/** An array with one element at most. Of more, each is looked into all the same, so that no fault hides another. */
export const atMostOne = <Element extends z.ZodType>(of: Element) =>
  list(of)
    .refine(({ length }) => length <= 1, {
      params: { rule: 'many' satisfies BodyRule },
      when: ({ value }) => Array.isArray(value),
    })
    .meta({ maxItems: 1 });

/** FHIR R4, Datatypes, 2.24.0.1: a string holds no control characters but tab, CR and LF. */
const isText = (value: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  value.isWellFormed() && !/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/.test(value);

/** A string that may be empty, as the first name of somebody who has none. */
export const textOrEmpty = z
  .string()
  .refine(isText, { params: { rule: 'text' satisfies BodyRule }, abort: true });

/** What may stand in a string, and what of that is neither white space nor a control character, as patterns say it. */
const character = String.raw`[^\u0000-\u0008\u000b\u000c\u000e-\u001f]`;
const visible = String.raw`[^\s\u0000-\u001f]`;

/** A string as FHIR takes it: never empty. */
export const text = textOrEmpty
  .refine((value) => value.trim() !== '', { params: { rule: 'empty' satisfies BodyRule } })
  .meta({ minLength: 1, pattern: `^${character}*${visible}${character}*$` });

/** The code that a text comes to: without white space around it, and within it with single spaces at most. */
export const normalizeCode = (value: string): string => value.trim().replace(/\s+/g, ' ');

/** A code as FHIR takes it. FHIR R4, Datatypes, 2.24.0.1; what is blank is told as empty, like any text. */
export const code = text
  .refine((value) => normalizeCode(value) === value || normalizeCode(value) === '')
  .meta({ minLength: 1, pattern: `^${visible}+( ${visible}+)*$` });
