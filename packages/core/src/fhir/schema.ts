import type * as z from 'zod';

/**
 * Remembers the schema for each `extensionBase`. Building one takes a millisecond or more, and each transaction of a host needs it
 * (`records.in`).
 */
export const schemaForBase = <Schema>(
  create: (extensionBase: string) => Schema,
): ((extensionBase: string) => Schema) => {
  const schemas = new Map<string, Schema>();
  return (extensionBase) => {
    const schema = schemas.get(extensionBase);
    if (schema !== undefined) return schema;
    const created = create(extensionBase);
    schemas.set(extensionBase, created);
    return created;
  };
};

/** Properties that cannot be assigned, with arrays that cannot be changed. Objects in them have types of their own. */
type ReadonlyProperties<A> = {
  readonly [Key in keyof A]: A[Key] extends (infer Element)[] | undefined
    ? readonly Element[] | Extract<A[Key], undefined>
    : A[Key];
};

/** The type of a schema's values. The code that has a value cannot change it, and a constant value is assignable. */
export type SchemaOutput<Schema extends z.ZodType> = ReadonlyProperties<z.output<Schema>>;

/** The same schema, with a named type of its values. An editor shows the name, and not all the elements. */
export const named = <Value>(schema: z.ZodType<Value>): z.ZodType<Value> => schema;

export const isOneOf =
  <Text extends string>(texts: readonly Text[]) =>
  (text: unknown): text is Text =>
    (texts as readonly unknown[]).includes(text);

/**
 * Lists every object and array in a value, and the value itself. It does not recurse, because the sender decides how
 * deep the value is. A Set also lists what is added to it, and stops at circles.
 */
export function* walkObjects(value: unknown): Generator<object> {
  const parts = new Set([value]);
  for (const value of parts) {
    if (typeof value !== 'object' || value === null) continue;
    yield value;
    for (const part of Object.values(value)) if (typeof part === 'object') parts.add(part);
  }
}

/**
 * A number of a JSON text that JavaScript would write in another way, such as 0.50, or one with 19 digits. Its digits say how
 * precise it is. In a calculation or a comparison, it is the number that JavaScript has for it. Source: FHIR R4, Datatypes, decimal.
 */
export class Decimal {
  /** The number as it was sent. */
  readonly decimal: string;

  /** Takes the number as a JSON text writes it. */
  constructor(decimal: string) {
    this.decimal = decimal;
  }

  /** The number that JavaScript has for it. */
  valueOf(): number {
    return Number(this.decimal);
  }
}

/** An object of JSON, with values of any kind. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal);

/**
 * The property of an object with a name that somebody sent. Undefined for one that the object only inherits, such as `constructor`.
 */
export const ownProperty = <Value>(
  properties: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined => (Object.hasOwn(properties, name) ? properties[name] : undefined);

/** How a decimal of a state begins in JSON text. No string contains that: each quote within it has a backslash. */
const beginOfDecimal = '{"decimal":"';

/**
 * The JSON text of a value, in which each decimal is the number that was sent. A state has it as `{"decimal":"0.50"}`, so that the
 * state can be parsed, and derived from again.
 */
export const renderJson = (value: object): string => {
  const json = JSON.stringify(value);
  return json.includes(beginOfDecimal) ? json.replaceAll(/\{"decimal":"([^"]+)"\}/g, '$1') : json;
};

/** A value with parts of a state, in which each decimal is the number that JavaScript has for it. */
export const withNumbers = <Value extends object>(value: Value): Value =>
  JSON.stringify(value).includes(beginOfDecimal) ? JSON.parse(renderJson(value)) : value;
