import type { ImportDefinitions } from './resource-importer.ts';

/** Types to which others refer come first, so that few resources have to wait. */
const firstTypes = ['Organization', 'Practitioner', 'Patient', 'Encounter'];

type Typed = { readonly type: string };

/** Whether resources of a type are imported after all others. */
export const isLast = (imports: ImportDefinitions, { type }: Typed): boolean =>
  imports.get(type)?.isLast === true;

/** Sorts resources by type, and keeps the order within a type. */
export const sortByImportOrder = <Resource extends Typed>(
  imports: ImportDefinitions,
  resources: readonly Resource[],
): readonly Resource[] => {
  const rankOf = (resource: Typed): number => {
    const rank = firstTypes.indexOf(resource.type);
    return rank === -1 ? firstTypes.length + (isLast(imports, resource) ? 1 : 0) : rank;
  };
  return resources.toSorted((one, other) => rankOf(one) - rankOf(other));
};
