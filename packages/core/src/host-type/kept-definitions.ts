import type { AnyResource } from '../resource-definition.ts';
import type { HostType } from './model.ts';

const definitions = new WeakMap<object, AnyResource | RetiredType>();

/** A type whose records are kept, and not served. */
type RetiredType = { readonly retired: string };

const isRetired = (definition: AnyResource | RetiredType): definition is RetiredType =>
  'retired' in definition;

/** Keeps the definition of a type that is handed to the host. */
export const keepDefinition = <Type extends HostType>(
  type: Type,
  definition: AnyResource | RetiredType,
): Type => {
  definitions.set(type, definition);
  return type;
};

const allOf = (types: readonly HostType[]): readonly (AnyResource | RetiredType)[] =>
  types.flatMap((type) => definitions.get(type) ?? []);

/** The definitions of the types that are served. */
export const definitionsOf = (types: readonly HostType[]): readonly AnyResource[] =>
  allOf(types).flatMap((definition) => (isRetired(definition) ? [] : [definition]));

/** The names of the types that are retired. */
export const retiredTypesOf = (types: readonly HostType[]): readonly string[] =>
  allOf(types).flatMap((definition) => (isRetired(definition) ? [definition.retired] : []));

/** Whether a value has types that `defineResource` returned, each type and each name once. */
export const areHostTypes = (types: unknown): boolean =>
  Array.isArray(types) &&
  types.every((type) => definitions.has(type)) &&
  new Set(types.map(({ type }) => type)).size === types.length &&
  new Set(types.map(({ type, name = type }) => name)).size === types.length;
