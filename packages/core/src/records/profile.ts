import type { ResourceFacts } from './resource-facts.ts';

/** A derived resource as it is stored. */
export type StoredText = { readonly id: string; readonly resource: string };

type DerivedResource = { readonly resourceType: string; readonly id: string; readonly meta?: unknown };

/**
 * A derived resource, with its US Core profile if it conforms. It is stored so, because each read shows it, of earlier
 * versions, too, and no read looks into a resource.
 */
export const withProfile = <Resource extends DerivedResource>(
  { profile, conforms }: Pick<ResourceFacts<never, Resource>, 'profile' | 'conforms'>,
  resource: Resource,
): Resource => {
  if (!conforms(resource)) return resource;
  const { resourceType, id, ...elements } = resource;
  return { resourceType, id, meta: { profile: [profile] }, ...elements } as unknown as Resource;
};

/** The beginning of the `meta` of a stored resource, after its type and its id. It has nothing but the profile. */
export const storedMeta = ',"meta":{';

/** The length of the text of a resource up to its id, with which it begins. */
export const lengthToId = (type: string, id: string): number =>
  '{"resourceType":"","id":""'.length + type.length + id.length;

/** Whether the text of a stored resource says that it conforms to its profile. */
export const isStoredAsConforming = (type: string, { id, resource }: StoredText): boolean =>
  resource.startsWith(storedMeta, lengthToId(type, id));
