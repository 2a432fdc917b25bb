import type { AnyResource } from '../resource-definition.ts';
import type { HostType } from './model.ts';

const definitions = new WeakMap<object, AnyResource>();

/** Keeps the definition of a type that is handed to the host. */
export const keepDefinition = <Type extends HostType>(type: Type, definition: AnyResource): Type => {
  definitions.set(type, definition);
  return type;
};

/** The definitions of some types. */
export const definitionsOf = (types: readonly HostType[]): readonly AnyResource[] =>
  types.flatMap((type) => definitions.get(type) ?? []);

/** Whether a value has types that `defineResource` returned, each type and each name once. */
export const areHostTypes = (types: unknown): boolean =>
  Array.isArray(types) &&
  types.every((type) => definitions.has(type)) &&
  new Set(types.map(({ type }) => type)).size === types.length &&
  new Set(types.map(({ name }) => name)).size === types.length;
