import { type ExtensionValue, elementOf, type HostExtension, valueNameOf } from './host-extension.ts';

/** An extension of the host, with its URL. */
type DefinedExtension = HostExtension & { readonly url: string };

type ValueOf<Defined extends DefinedExtension> = ExtensionValue<Defined['value']>;

/** The value of an extension, if there is one; or its values, if it can occur several times. */
type FoundIn<Defined extends DefinedExtension> = Defined['max'] extends 1 | undefined
  ? ValueOf<Defined> | undefined
  : 'max' extends keyof Defined
    ? readonly ValueOf<Defined>[]
    : ValueOf<Defined> | undefined;

type WithExtensions = { readonly extension?: readonly Readonly<Record<string, unknown>>[] };

/**
 * Defines an extension of the host, so that `extensionOf` knows the type of its value.
 *
 * @example
 * const consent = defineExtension({ url: 'https://acme.example/consent', on: 'Immunization', value: 'boolean' });
 * const records = createClinicalRecords({ store, extensionBase, careTeamRoles, extensions: { [consent.url]: consent } });
 */
export const defineExtension = <const Defined extends DefinedExtension>(extension: Defined): Defined =>
  extension;

const holderOf = (resource: object, name: string): WithExtensions | undefined =>
  name === '' ? (resource as WithExtensions) : (resource as Readonly<Record<string, WithExtensions>>)[name];

/**
 * The value of an extension of a resource; undefined if it has none. For an extension with a `max` above 1, all of its values.
 *
 * @example
 * const mayShare = extensionOf(dose, consent); // boolean | undefined
 */
export const extensionOf = <Defined extends DefinedExtension>(
  resource: object,
  extension: Defined,
): FoundIn<Defined> => {
  const { url, max = 1 } = extension;
  const valueName = valueNameOf(extension);
  const values = (holderOf(resource, elementOf(extension))?.extension ?? [])
    .filter((sent) => sent.url === url)
    .map((sent) => sent[valueName]);
  return (max === 1 ? values[0] : values) as FoundIn<Defined>;
};

/**
 * A body or a command with other values of an extension. An extension of an element needs the element.
 *
 * @example
 * const sent = withExtension(body, consent, true);
 */
export const withExtension = <Body extends object, Defined extends DefinedExtension>(
  body: Body,
  extension: Defined,
  ...values: readonly ValueOf<Defined>[]
): Body => {
  const { url } = extension;
  const name = elementOf(extension);
  const holder = holderOf(body, name) ?? {};
  const others = (holder.extension ?? []).filter((sent) => sent.url !== url);
  const added = values.map((value) => ({ url, [valueNameOf(extension)]: value }));
  const extended = { ...holder, extension: [...others, ...added] };
  return (name === '' ? extended : { ...body, [name]: extended }) as Body;
};
