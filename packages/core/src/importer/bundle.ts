import type { Fault } from '../errors.ts';
import { idPattern, parseReference } from '../fhir/reference.ts';
import { type ImportRule, importFault } from './faults.ts';

type Json = Readonly<Record<string, unknown>>;

export const isObject = (content: unknown): content is Json =>
  typeof content === 'object' && content !== null && !Array.isArray(content);

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The type and the id that a resource says it has; empty where it says none. */
const nameIn = ({ resourceType, id }: Json) => ({ type: textIn(resourceType), id: textIn(id) });

/** What an item or an entry holds; or what is wrong with it, and its type and id as far as they are known. */
export type Held = {
  readonly type: string;
  readonly id: string;
  readonly content: Json;
  readonly fault: Fault | null;
};

/** What was sent, where it is a resource; else the rule that says what it is. */
export const heldAs = (sent: unknown, rule: ImportRule = 'no-resource'): Held => {
  const content = isObject(sent) ? sent : {};
  const name = nameIn(content);
  return { ...name, content, fault: name.type === '' ? importFault(rule) : null };
};

/** No reference that is read lies deeper: `participant`, its place, `member`, `reference`. */
const deepest = 4;

type ReadReference = (reference: string) => string;

const withReferences = (resource: Json, read: ReadReference, depth = deepest): Json =>
  Object.fromEntries(
    Object.entries(resource).map(([name, part]) => [
      name,
      name === 'reference' && typeof part === 'string'
        ? read(part)
        : partWithReferences(part, read, depth - 1),
    ]),
  );

const partWithReferences = (part: unknown, read: ReadReference, depth: number): unknown => {
  if (depth === 0) return part;
  if (Array.isArray(part)) return part.map((one) => partWithReferences(one, read, depth - 1));
  return isObject(part) ? withReferences(part, read, depth) : part;
};

/** The address of a resource on a server, or of a version of it. */
const address = new RegExp(
  `^(https?://.+)/[A-Z][A-Za-z]*/${idPattern.source.slice(1, -1)}(/_history/[^/]+)?$`,
);

/** The server in an address; another may lie below it. */
const serverIn = (url: unknown): string | undefined => address.exec(textIn(url))?.[1];

/** The server that the entries of a Bundle are of, by the first that tells. */
export const serverOf = (entries: readonly unknown[]): string | undefined =>
  entries
    .map((entry) => (isObject(entry) ? serverIn(entry.fullUrl) : undefined))
    .find((server) => server !== undefined);

/** What each `fullUrl` names as `Type/id`; null where several have it, and differ, so that nobody can tell which is meant. */
const namesIn = (entries: readonly Json[]): ReadonlyMap<string, string | null> => {
  const names = new Map<string, string | null>();
  for (const { fullUrl, resource } of entries) {
    if (typeof fullUrl !== 'string' || !isObject(resource)) continue;
    const { type, id } = nameIn(resource);
    if (type === '' || id === '') continue;
    const name = `${type}/${id}`;
    names.set(fullUrl, names.has(fullUrl) && names.get(fullUrl) !== name ? null : name);
  }
  return names;
};

/**
 * What the entries of a Bundle hold, in their order, where resources of one server are taken. References to other entries,
 * by their `fullUrl`, are read as `Type/id`; so are those to the server. Of another server, the same id may mean another
 * patient. Source: FHIR R4, Bundle, 2.36.4.1, "Resolving references in Bundles".
 */
export const heldIn = (entries: readonly unknown[], server: string | undefined): readonly Held[] => {
  const isElsewhere = ({ fullUrl }: Json): boolean => {
    const url = textIn(fullUrl);
    if (server === undefined || !/^https?:/i.test(url)) return false;
    const at = serverIn(url);
    return at === undefined ? !url.startsWith(`${server}/`) : at !== server;
  };
  const names = namesIn(entries.filter(isObject).filter((entry) => !isElsewhere(entry)));
  const local = (reference: string): string => {
    const name = names.get(reference) ?? names.get(`${server}/${reference}`);
    if (name != null) return name;
    const isHere = server !== undefined && serverIn(reference) === server && !names.has(reference);
    return isHere ? reference.slice(server.length + 1) : reference;
  };

  return entries.map((sent): Held => {
    const entry = isObject(sent) ? sent : {};
    const { resource, request } = entry;
    if (isObject(request) && request.method === 'DELETE') {
      const named = parseReference(local(textIn(request.url)));
      return { type: '', id: '', ...named, content: {}, fault: importFault('deleted') };
    }
    const held = heldAs(resource);
    if (isElsewhere(entry)) return { ...held, fault: importFault('other-server') };
    // A Bundle in the Bundle has entries of its own.
    return held.type === 'Bundle' ? held : { ...held, content: withReferences(held.content, local) };
  });
};
