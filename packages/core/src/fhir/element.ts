import * as z from 'zod';
import type { BodyRule } from './issues.ts';
import { Decimal, isOneOf, walkObjects } from './schema.ts';

/** A number in a body. It is a `Decimal` if its text says more than the number. */
const sentNumber = (z.any() as z.ZodType<number | Decimal>).refine(
  (sent) => Number.isFinite(sent) || sent instanceof Decimal,
  { params: { rule: 'type' satisfies BodyRule, allowed: ['number'] }, abort: true },
);

/** Whether JavaScript has a number for a decimal: it reads one that is too large as Infinity, and one too close to 0 as 0. */
const isInRange = (sent: Decimal): boolean => {
  const value = Number(sent);
  return value === 0 ? /^[^1-9]*(?:e|$)/i.test(sent.decimal) : Number.isFinite(value);
};

/** A FHIR `decimal`, as it was sent. */
export const decimal = sentNumber
  .refine((sent) => typeof sent === 'number' || isInRange(sent), {
    params: { rule: 'decimal' satisfies BodyRule },
  })
  .meta({ type: 'number' }) as z.ZodType<number>;

/** FHIR R4, Datatypes, 2.24.0.1: integers have 32 bits. */
const maxInteger = 2 ** 31 - 1;

const integerFrom = (minimum: number) =>
  sentNumber
    .refine((sent) => typeof sent === 'number' || !/[.e]/i.test(sent.decimal), {
      params: { rule: 'integer-form' satisfies BodyRule },
      abort: true,
    })
    .refine((sent) => Number.isInteger(sent) && Number(sent) >= minimum && Number(sent) <= maxInteger, {
      params: { rule: 'value' satisfies BodyRule, allowed: [`${minimum} to ${maxInteger}`] },
    })
    .meta({ type: 'integer', minimum, maximum: maxInteger }) as z.ZodType<number>;

/** A FHIR `integer`. */
export const integer = integerFrom(-(2 ** 31));

/** A FHIR `positiveInt`. */
export const positiveInteger = integerFrom(1);

/** A FHIR `unsignedInt`. */
export const unsignedInteger = integerFrom(0);

/** The rules that a name breaks which is not stored, and whether lenient handling drops its element instead. */
const nameRules = {
  'not-stored': { canBeDropped: true },
  'modifier-extension': { canBeDropped: false },
  'implicit-rules': { canBeDropped: false },
  'unknown-element': { canBeDropped: false },
} as const satisfies Partial<Record<BodyRule, { readonly canBeDropped: boolean }>>;

type NameRule = keyof typeof nameRules;

const isNameRule = isOneOf(Object.keys(nameRules) as NameRule[]);

/** A name that a schema does not have, and the rule that it breaks. */
type UnrecognizedName = {
  readonly name: string;
  readonly rule: NameRule;
  readonly canBeDropped: boolean;
};

/**
 * The unrecognized names of an issue. An `element` lists their rules in its message; in other schemas each name is
 * unknown.
 */
export const readUnrecognizedNames = ({
  keys,
  message,
}: z.core.$ZodIssueUnrecognizedKeys): readonly UnrecognizedName[] => {
  const named = message.split(' ');
  const rules = named.every(isNameRule) ? named : [];
  return keys.map((name, index) => {
    const rule = rules[index] ?? 'unknown-element';
    return { name, rule, ...nameRules[rule] };
  });
};

/**
 * An object with the elements that are stored, and the names of the other elements that FHIR R4 defines for it. Any
 * other name is an issue, so that a misspelt element is never lost silently.
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

/**
 * Whether a value contains a `modifierExtension` at any depth. It may turn the meaning of the rest around. Source: FHIR
 * R4, Extensibility, 2.4.0.1.1.
 */
export const hasModifierExtension = (value: unknown): boolean =>
  walkObjects(value).some((part) => 'modifierExtension' in part && part.modifierExtension !== undefined);

/** FHIR R4, Resource and DomainResource: the elements that every resource can have and that are not stored. */
export const unstoredResourceElements: readonly string[] = [
  'language',
  'text',
  'contained',
  '_implicitRules',
  '_language',
];

/** Runs a refinement of an element even if the element has other issues, which may be dropped. */
export const runDespiteIssues = {
  when: ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null,
};

const essentials = new WeakSet<object>();

/**
 * Marks an element without which the one around it would say something else, such as the unit of an amount. If it cannot be read, an
 * import leaves out the element around it. The mark is on this schema, and not on one that is derived from it.
 */
export const essential = <Schema extends z.ZodType>(schema: Schema): Schema => {
  essentials.add(schema);
  return schema;
};

export const isEssential = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && essentials.has(schema);

/** Marks all elements of a shape as essential. */
export const essentialElements = <Shape extends z.ZodRawShape>(shape: Shape): Shape => {
  for (const schema of Object.values(shape)) essentials.add(schema);
  return shape;
};

/** Whether an element has a value. An empty array counts as omitted. */
export const isPresent = (value: unknown): boolean =>
  value !== undefined && !(Array.isArray(value) && value.length === 0);

/** An `element` with a value in it: FHIR has no empty objects. Source: FHIR R4, Element, ele-1. */
export const nonEmptyElement = <Shape extends z.ZodRawShape>(
  shape: Shape,
  unstoredElements: readonly string[],
): z.ZodType<z.infer<z.ZodObject<Shape>>> => {
  const names = Object.keys(shape);
  return element(shape, unstoredElements).refine(
    (value) => names.some((name) => isPresent((value as Readonly<Record<string, unknown>>)[name])),
    { params: { rule: 'empty' satisfies BodyRule }, ...runDespiteIssues },
  );
};

/** Refuses a value with more than one of some elements, of which FHIR allows one: a choice of types such as `author[x]`. */
export const oneOf = <Schema extends z.ZodType>(
  schema: Schema,
  ...names: readonly (keyof z.output<Schema> & string)[]
): Schema =>
  names.reduce(
    (checked, name, index) =>
      checked.refine(
        (value) =>
          !isPresent(value[name]) || !names.slice(0, index).some((earlier) => isPresent(value[earlier])),
        { path: [name], params: { rule: 'many' satisfies BodyRule }, ...runDespiteIssues },
      ),
    schema,
  );

/** The most elements of an array. */
export const maxListed = 1_000;

/**
 * An array in a request. A longer array is refused before its elements are checked, because each element can have
 * issues.
 */
export const list = <Element extends z.ZodType>(of: Element) => z.array(of).max(maxListed);

/** An array with at most one element. If there are more, each is checked anyway, so that no issue hides another. */
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

/** A string that may be empty, such as the first name of a person without one. */
export const textOrEmpty = z
  .string()
  .refine(isText, { params: { rule: 'text' satisfies BodyRule }, abort: true });

/** Regular expressions for a character of a string, and for a visible one. */
const character = String.raw`[^\u0000-\u0008\u000b\u000c\u000e-\u001f]`;
const visible = String.raw`[^\s\u0000-\u001f]`;

/** Whether a text shows nothing to people: it has only white space, and characters without a shape, such as those of no width. */
export const isBlank = (value: string): boolean => !/[^\s\p{Default_Ignorable_Code_Point}]/u.test(value);

/** A FHIR string, which is never empty. */
export const text = textOrEmpty
  .refine((value) => !isBlank(value), { params: { rule: 'empty' satisfies BodyRule } })
  .meta({ minLength: 1, pattern: `^${character}*${visible}${character}*$` });

const maxShortText = 1_000;

export const isShort = (value: string): boolean => value.length <= maxShortText;

export const shortRule = { params: { rule: 'text-length' satisfies BodyRule } };

/** A text that other records repeat, or for which a record always has room. */
export const shortText = text.refine(isShort, shortRule).meta({ ...text.meta(), maxLength: maxShortText });

/** Turns a text into a valid code: trimmed, with single spaces in it. */
export const normalizeCode = (value: string): string => value.trim().replace(/\s+/g, ' ');

/** A FHIR code. FHIR R4, Datatypes, 2.24.0.1. A blank code is reported as empty, like any blank text. */
export const code = text
  .refine((value) => normalizeCode(value) === value || normalizeCode(value) === '', {
    params: { rule: 'code-form' satisfies BodyRule },
  })
  .meta({ minLength: 1, pattern: `^${visible}+( ${visible}+)*$` });
