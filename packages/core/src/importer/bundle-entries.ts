import type { Issue } from '../errors.ts';
import { idPattern } from '../fhir/id.ts';
import { parseReference } from '../fhir/reference.ts';
import { type ImportRule, importIssue } from './issues.ts';

type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (content: unknown): content is JsonObject =>
  typeof content === 'object' && content !== null && !Array.isArray(content);

const readText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The type and the id in a resource; empty if absent. */
const readName = ({ resourceType, id }: JsonObject) => ({ type: readText(resourceType), id: readText(id) });

/** The content of an item or an entry, or its issue, with its type and id if they are known. */
export type BundleEntry = {
  readonly type: string;
  readonly id: string;
  readonly content: JsonObject;
  readonly issue: Issue | null;
};

/** Makes an entry of a value. If it is not a resource, the entry has an issue of the rule. */
export const entryOf = (sent: unknown, rule: ImportRule = 'not-a-resource'): BundleEntry => {
  const content = isObject(sent) ? sent : {};
  const name = readName(content);
  return { ...name, content, issue: name.type === '' ? importIssue(rule) : null };
};

/** The depth of the deepest reference that is read: `participant`, its index, `member`, `reference`. */
const maxDepth = 4;

type ReferenceReader = (reference: string) => string;

const mapReferences = (resource: JsonObject, read: ReferenceReader, depth = maxDepth): JsonObject =>
  Object.fromEntries(
    Object.entries(resource).map(([name, part]) => [
      name,
      name === 'reference' && typeof part === 'string'
        ? read(part)
        : mapPartReferences(part, read, depth - 1),
    ]),
  );

const mapPartReferences = (part: unknown, read: ReferenceReader, depth: number): unknown => {
  if (depth === 0) return part;
  if (Array.isArray(part)) return part.map((one) => mapPartReferences(one, read, depth - 1));
  return isObject(part) ? mapReferences(part, read, depth) : part;
};

/** The address of a resource on a server, or of a version of it. */
const resourceAddress = new RegExp(
  `^(https?://.+)/[A-Z][A-Za-z]*/${idPattern.source.slice(1, -1)}(/_history/[^/]+)?$`,
);

/** The server in an address. The address of another server may begin with it. */
const readServer = (url: unknown): string | undefined => resourceAddress.exec(readText(url))?.[1];

/** The server of the entries of a Bundle, from the first entry that names one. */
export const findServer = (entries: readonly unknown[]): string | undefined =>
  entries
    .map((entry) => (isObject(entry) ? readServer(entry.fullUrl) : undefined))
    .find((server) => server !== undefined);

/** Maps each `fullUrl` to its `Type/id`, or to null if different resources have the same `fullUrl`. */
const readNames = (entries: readonly JsonObject[]): ReadonlyMap<string, string | null> => {
  const names = new Map<string, string | null>();
  for (const { fullUrl, resource } of entries) {
    if (typeof fullUrl !== 'string' || !isObject(resource)) continue;
    const { type, id } = readName(resource);
    if (type === '' || id === '') continue;
    const name = `${type}/${id}`;
    names.set(fullUrl, names.has(fullUrl) && names.get(fullUrl) !== name ? null : name);
  }
  return names;
};

/**
 * The entries of a Bundle, in their order. Only resources of one server are imported: on another server, the same id may
 * mean another patient. References to the `fullUrl` of other entries are read as `Type/id`. References to the server are, too.
 * Source: FHIR R4, Bundle, 2.36.4.1, "Resolving references in Bundles".
 */
export const entriesIn = (
  entries: readonly unknown[],
  server: string | undefined,
): readonly BundleEntry[] => {
  const isOfOtherServer = ({ fullUrl }: JsonObject): boolean => {
    const url = readText(fullUrl);
    if (server === undefined || !/^https?:/i.test(url)) return false;
    const at = readServer(url);
    return at === undefined ? !url.startsWith(`${server}/`) : at !== server;
  };
  const names = readNames(entries.filter(isObject).filter((entry) => !isOfOtherServer(entry)));
  /** A reference to the address of different resources becomes that address, under which nothing is found. */
  const toLocalReference = (reference: string): string => {
    const address = names.has(reference) ? reference : `${server}/${reference}`;
    const name = names.get(address);
    if (name !== undefined) return name ?? address;
    const isHere = server !== undefined && readServer(reference) === server;
    return isHere ? reference.slice(server.length + 1) : reference;
  };

  return entries.map((sent): BundleEntry => {
    const entry = isObject(sent) ? sent : {};
    const { resource, request } = entry;
    if (isObject(request) && request.method === 'DELETE') {
      const named = parseReference(toLocalReference(readText(request.url)));
      return { type: '', id: '', ...named, content: {}, issue: importIssue('deleted') };
    }
    const content = entryOf(resource);
    if (isOfOtherServer(entry)) return { ...content, issue: importIssue('different-server') };
    // A Bundle in the Bundle has entries of its own.
    return content.type === 'Bundle'
      ? content
      : { ...content, content: mapReferences(content.content, toLocalReference) };
  });
};
