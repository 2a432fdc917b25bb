import type { Fault } from '../errors.ts';
import { parseReference } from '../fhir/reference.ts';
import { importFault } from './faults.ts';

type Json = Readonly<Record<string, unknown>>;

export const isObject = (content: unknown): content is Json =>
  typeof content === 'object' && content !== null && !Array.isArray(content);

/** What is found in an item: a resource, or something else; or what stands in the way of an entry's. */
export type Held =
  | { readonly content: unknown; readonly fault: null }
  | { readonly type: string; readonly id: string; readonly fault: Fault };

/** No reference that is read lies deeper: `participant`, its place, `member`, `reference`. */
const deepest = 4;

const withReferences = (value: unknown, read: (reference: string) => string, depth = deepest): unknown => {
  if (depth === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => withReferences(part, read, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name === 'reference' && typeof part === 'string' ? read(part) : withReferences(part, read, depth - 1),
    ]),
  );
};

/** The address of a resource on a server: that of the server, and the type and id. */
const address = /^(?<base>https?:\/\/.+)\/(?<name>[A-Z][A-Za-z]*\/[A-Za-z0-9\-.]{1,64})$/;

const baseOf = ({ fullUrl }: Json): string | undefined =>
  typeof fullUrl === 'string' ? address.exec(fullUrl)?.groups?.base : undefined;

/**
 * What the entries of a Bundle hold, in their order. References to other entries, by their `fullUrl`, are read as
 * `Type/id`; so are those to the server that the entries are of. Of another server, the same id may mean another patient.
 * Source: FHIR R4, Bundle, 2.36.4.1, "Resolving references in Bundles".
 */
export const heldIn = (entries: readonly unknown[]): readonly Held[] => {
  const base = entries
    .filter(isObject)
    .map(baseOf)
    .find((known) => known !== undefined);
  const names = new Map<unknown, string>();
  for (const entry of entries) {
    if (!isObject(entry) || !isObject(entry.resource) || entry.fullUrl === undefined) continue;
    names.set(entry.fullUrl, `${entry.resource.resourceType}/${entry.resource.id}`);
  }
  const local = (reference: string): string =>
    names.get(reference) ??
    (base !== undefined && reference.startsWith(`${base}/`) ? reference.slice(base.length + 1) : reference);

  return entries.map((entry): Held => {
    if (!isObject(entry)) return { content: entry, fault: null };
    const { resource, request } = entry;
    if (isObject(request) && request.method === 'DELETE') {
      const named = parseReference(local(String(request.url)));
      return { type: named?.type ?? '', id: named?.id ?? '', fault: importFault('deleted') };
    }
    // A Bundle in the Bundle has entries of its own.
    if (!isObject(resource) || resource.resourceType === 'Bundle') return { content: resource, fault: null };
    if ((baseOf(entry) ?? base) !== base) {
      const { resourceType: type, id } = resource;
      return { type: String(type), id: String(id), fault: importFault('other-server') };
    }
    return { content: withReferences(resource, local), fault: null };
  });
};
