import * as z from 'zod';
import { anyCoding, anyConcept } from '../fhir/coding.ts';
import type { StoredExtension } from '../fhir/common-elements.ts';
import { date, dateTime, period } from '../fhir/date-time.ts';
import { code, decimal, element, integer, text } from '../fhir/element.ts';
import { identifier } from '../fhir/identifier.ts';
import { type BodyParser, createUnlimitedParser } from '../fhir/parse-body.ts';
import { quantity } from '../fhir/quantity.ts';
import { anyReference } from '../fhir/reference.ts';
import { isObject } from '../fhir/schema.ts';

/** The values of extensions, by the names of FHIR's types. */
const values = {
  boolean: z.boolean(),
  string: text,
  code,
  uri: text,
  integer,
  decimal,
  date,
  dateTime,
  Coding: anyCoding,
  CodeableConcept: anyConcept,
  Identifier: identifier,
  Period: period,
  Quantity: quantity,
  Reference: anyReference,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** The type of the value of an extension, as FHIR names it. */
export type ExtensionValueType = keyof typeof values;

/** The value of an extension, by its type. */
export type ExtensionValue<Type extends ExtensionValueType> = z.output<(typeof values)[Type]>;

/** An extension of the host: a field that it adds to a type of resource. */
export type HostExtension = {
  /** The type of the resource, such as `Immunization`; or one of its elements, such as `Immunization.vaccineCode`. */
  readonly on: string;
  /** The type of its value, such as `boolean` or `Coding`. */
  readonly value: ExtensionValueType;
  /** How often it can occur: 100 at most. Default: 1. */
  readonly max?: number;
  /** The name of the parameter by which it is searched, such as `acme-consent`. Default: it is not. */
  readonly search?: string;
};

/** The extensions of the host, by their URLs. */
export type HostExtensions = Readonly<Record<string, HostExtension>>;

/** The kinds of the search parameters of values. Others are not searched. */
const searchKinds = {
  boolean: 'token',
  string: 'string',
  code: 'token',
  uri: 'token',
  date: 'date',
  dateTime: 'date',
  Coding: 'token',
  CodeableConcept: 'token',
  Identifier: 'token',
  Period: 'date',
} as const satisfies Partial<Record<ExtensionValueType, string>>;

/** The kind of the search parameter of an extension; null for a value that is not searched. */
export const searchKindOf = ({ value }: Pick<HostExtension, 'value'>): 'token' | 'string' | 'date' | null =>
  Object.hasOwn(searchKinds, value) ? searchKinds[value as keyof typeof searchKinds] : null;

/** The most values of one extension. */
const maxValues = 100;

/** The name of the element with a value, such as `valueBoolean`. */
export const valueNameOf = ({ value }: Pick<HostExtension, 'value'>): `value${string}` =>
  `value${value.charAt(0).toUpperCase()}${value.slice(1)}`;

/** The element that an extension is on; empty for the resource itself. */
export const elementOf = ({ on }: Pick<HostExtension, 'on'>): string => on.split('.').slice(1).join('.');

/** A field: an extension of the host, and how its values are read. */
export type Field = {
  readonly url: string;
  readonly extension: HostExtension;
  readonly max: number;
  readonly schema: z.ZodType<StoredExtension>;
  /** The place of each issue begins with `#`. */
  readonly parse: BodyParser<StoredExtension>;
};

/** The fields of a type: by the element that has them, which is empty for the resource, and by their URLs. */
export type TypeFields = ReadonlyMap<string, ReadonlyMap<string, Field>>;

/** The fields of the types that have any. */
export type Fields = ReadonlyMap<string, TypeFields>;

const createField = (url: string, extension: HostExtension): Field => {
  const shape = { url: z.literal(url), [valueNameOf(extension)]: values[extension.value] };
  const schema = element(shape, []) as unknown as z.ZodType<StoredExtension>;
  return { url, extension, max: extension.max ?? 1, schema, parse: createUnlimitedParser(schema, '#') };
};

/** The types that can have fields, and their elements that can. */
type FieldPlaces = ReadonlyMap<
  string,
  { readonly fieldElements: readonly string[]; readonly parameters: object }
>;

const optionNames = ['url', 'on', 'value', 'max', 'search'];

/** The mistakes in an extension of the host, in sentences. */
function* findMistakes(
  url: string,
  extension: Partial<HostExtension> & { readonly url?: string },
  { places, extensionBase }: { readonly places: FieldPlaces; readonly extensionBase: string },
): Generator<string> {
  const unknown = Object.keys(extension).find((name) => !optionNames.includes(name));
  if (unknown !== undefined) yield `has no ${unknown}: there are on, value, max and search.`;
  if (!/^[a-z][a-z\d+.-]*:\S+$/i.test(url)) yield 'must be named by an absolute URL.';
  if (url.startsWith(`${extensionBase}/`))
    yield 'is one of the library: choose a URL outside of extensionBase.';
  if ((extension.url ?? url) !== url) yield `has another url: ${extension.url}.`;
  if (!Object.hasOwn(values, String(extension.value)))
    yield `needs a value: one of ${Object.keys(values).join(', ')}.`;
  const { max = 1, on = '' } = extension;
  if (!(Number.isInteger(max) && max >= 1 && max <= maxValues))
    yield `needs a max from 1 to ${maxValues}, or none.`;
  const [type = ''] = on.split('.');
  const place = places.get(type);
  if (place === undefined) yield `is on no type: there are ${[...places.keys()].join(', ')}.`;
  else if (extension.search !== undefined) yield* findSearchMistakes(extension, place.parameters);
  if (place !== undefined && on !== type && !place.fieldElements.includes(elementOf({ on })))
    yield `cannot be on ${on}. Of ${type}, it can be on ${[type, ...place.fieldElements.map((name) => `${type}.${name}`)].join(', ')}.`;
}

function* findSearchMistakes(
  { value, search = '' }: Partial<HostExtension>,
  parameters: object,
): Generator<string> {
  if (!/^[a-z][a-z0-9-]{0,63}$/.test(search))
    yield 'needs another search: lower-case letters, digits and hyphens, such as acme-consent.';
  if (Object.hasOwn(parameters, search))
    yield `cannot be searched by ${search}, which is a parameter already.`;
  if (value === undefined || searchKindOf({ value }) === null)
    yield `cannot be searched: only a value of ${Object.keys(searchKinds).join(', ')} can.`;
}

/** Reads the extensions of the host. Throws a TypeError for a mistake in them. */
export const createFields = (
  extensions: HostExtensions,
  settings: { readonly places: FieldPlaces; readonly extensionBase: string },
): Fields => {
  const fields = new Map<string, Map<string, Map<string, Field>>>();
  const searches = new Set<string>();
  for (const [url, extension] of Object.entries(extensions)) {
    const [mistake] = isObject(extension) ? findMistakes(url, extension, settings) : ['must be an object.'];
    if (mistake !== undefined) throw new TypeError(`extensions: ${url} ${mistake}`);
    const [type = ''] = extension.on.split('.');
    const ofType = fields.get(type) ?? new Map<string, Map<string, Field>>();
    const name = elementOf(extension);
    const search = `${type}.${extension.search}`;
    if (extension.search !== undefined && searches.has(search))
      throw new TypeError(`extensions: ${url} is searched by ${extension.search}, as another one is.`);
    searches.add(search);
    const ofElement = ofType.get(name) ?? new Map<string, Field>();
    fields.set(type, ofType.set(name, ofElement.set(url, createField(url, extension))));
  }
  return fields;
};
