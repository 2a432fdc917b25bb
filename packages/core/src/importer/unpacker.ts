import type { Issue } from '../errors.ts';
import { isSubsetted } from '../fhir/common-elements.ts';
import { hasModifierExtension } from '../fhir/element.ts';
import { bodyIssue } from '../fhir/issues.ts';
import { readJson } from '../fhir/read-json.ts';
import { idPattern, parseReference } from '../fhir/reference.ts';
import { isObject, type JsonObject } from '../fhir/schema.ts';
import { type ImportRule, type ItemLocation, importIssue } from './import-report.ts';
import { notJsonIssue } from './other-formats.ts';

const readText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The type and the id in a resource; empty if absent. */
const readTypeAndId = ({ resourceType, id }: JsonObject) => ({
  type: readText(resourceType),
  id: readText(id),
});

/** The content of an item or an entry, or its issue, with its type and id if they are known. */
type BundleEntry = {
  readonly type: string;
  readonly id: string;
  readonly content: JsonObject;
  readonly issue: Issue | null;
};

/** Makes an entry of a value. If it is not a resource, the entry has an issue of the rule. */
const toBundleEntry = (sent: unknown, rule: ImportRule = 'not-a-resource'): BundleEntry => {
  const content = isObject(sent) ? sent : {};
  const name = readTypeAndId(content);
  return { ...name, content, issue: name.type === '' ? importIssue(rule) : null };
};

/** The depth of the deepest reference that is read: `participant`, its index, `member`, `reference`. */
const referenceDepth = 4;

type ReferenceReader = (reference: string) => string;

const mapReferences = (resource: JsonObject, read: ReferenceReader, depth = referenceDepth): JsonObject =>
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
  if (Array.isArray(part)) return part.map((element) => mapPartReferences(element, read, depth - 1));
  return isObject(part) ? mapReferences(part, read, depth) : part;
};

/** The address of a resource on a server, or of a version of it. */
const resourceAddress = new RegExp(
  `^(https?://.+)/[A-Z][A-Za-z]*/${idPattern.source.slice(1, -1)}(/_history/[^/]+)?$`,
);

/** The server in an address. The address of another server may begin with it. */
const readServer = (url: unknown): string | undefined => resourceAddress.exec(readText(url))?.[1];

/** The server of the entries of a Bundle, from the first entry that names one. */
const findServer = (entries: readonly unknown[]): string | undefined =>
  entries
    .map((entry) => (isObject(entry) ? readServer(entry.fullUrl) : undefined))
    .find((server) => server !== undefined);

/** The `fullUrl` of a resource that gets its id from the server to which it is sent. */
const uuidPattern = /^urn:uuid:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** An entry whose resource has an id: its own, or the UUID of its `fullUrl`. Source: FHIR R4, Bundle, 2.36.4.4. */
const withId = (entry: unknown): unknown => {
  if (!isObject(entry) || !isObject(entry.resource) || entry.resource.id !== undefined) return entry;
  const [, uuid] = uuidPattern.exec(readText(entry.fullUrl)) ?? [];
  return uuid === undefined ? entry : { ...entry, resource: { ...entry.resource, id: uuid.toLowerCase() } };
};

/** Maps each `fullUrl` to its `Type/id`, or to null if different resources have the same `fullUrl`. */
const readNames = (entries: readonly JsonObject[]): ReadonlyMap<string, string | null> => {
  const names = new Map<string, string | null>();
  for (const { fullUrl, resource } of entries) {
    if (typeof fullUrl !== 'string' || !isObject(resource)) continue;
    const { type, id } = readTypeAndId(resource);
    if (type === '' || id === '') continue;
    const name = `${type}/${id}`;
    names.set(fullUrl, names.has(fullUrl) && names.get(fullUrl) !== name ? null : name);
  }
  return names;
};

/**
 * The entries of a Bundle, in their order. Only resources of one server are imported: on another server, the same id may
 * mean another patient. References to the `fullUrl` of other entries are read as `Type/id`. References to the server are, too.
 * A resource without an id, such as in a transaction, has the UUID of its `fullUrl`.
 * Source: FHIR R4, Bundle, 2.36.4.1, "Resolving references in Bundles".
 */
const entriesIn = (sent: readonly unknown[], server: string | undefined): readonly BundleEntry[] => {
  const entries = sent.map(withId);
  const isOfOtherServer = ({ fullUrl }: JsonObject): boolean => {
    const url = readText(fullUrl);
    if (server === undefined || !/^https?:/i.test(url)) return false;
    const ofEntry = readServer(url);
    return ofEntry === undefined ? !url.startsWith(`${server}/`) : ofEntry !== server;
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

  return entries.map((each): BundleEntry => {
    const entry = isObject(each) ? each : {};
    const { resource, request } = entry;
    if (isObject(request) && request.method === 'DELETE') {
      const named = parseReference(toLocalReference(readText(request.url)));
      return { type: '', id: '', ...named, content: {}, issue: importIssue('deleted') };
    }
    const content = toBundleEntry(resource);
    if (isOfOtherServer(entry)) return { ...content, issue: importIssue('different-server') };
    // A Bundle in the Bundle has entries of its own.
    return content.type === 'Bundle'
      ? content
      : { ...content, content: mapReferences(content.content, toLocalReference) };
  });
};

/** An item of a load, and its place in its source. */
export type LocatedItem<Item = unknown> = SourcePlace & {
  /** Always `LocatedItem`. */
  readonly _tag: 'LocatedItem';
  readonly item: Item;
};

/** A place in a source, as far as it is known. */
export type SourcePlace = {
  readonly file?: string;
  /** The line, counted from 1. */
  readonly line?: number;
};

/**
 * Names the place of an item in its source. Every issue of the item carries it.
 *
 * @example
 * await records.importer.load([locateItem(text, { file: 'bundle.json' })]);
 */
export const locateItem = <Item>(item: Item, { file, line }: SourcePlace): LocatedItem<Item> => ({
  _tag: 'LocatedItem',
  item,
  ...(file !== undefined && { file }),
  ...(line !== undefined && { line }),
});

/** Whether an item of a load names its place. */
const isLocated = (sent: unknown): sent is LocatedItem =>
  typeof sent === 'object' && sent !== null && '_tag' in sent && sent._tag === 'LocatedItem';

type UnreadableTextRule = Extract<
  ImportRule,
  'invalid-utf-8' | 'too-long' | 'json-of-several-lines' | 'damaged'
>;

/** Replaces a text that could not be read in a load. The load reports it as an issue and continues. */
export type UnreadableText = {
  /** Always `UnreadableText`. */
  readonly _tag: 'UnreadableText';
  /** Why it could not be read: the rule of the issue. */
  readonly rule: UnreadableTextRule;
};

/**
 * A text that is not valid UTF-8 (`invalid-utf-8`), is longer than can be read (`too-long`), or was compressed and is `damaged`.
 *
 * @example
 * await records.importer.load([unreadableText('too-long'), ...others]);
 */
export const unreadableText = (rule: UnreadableTextRule): UnreadableText => ({
  _tag: 'UnreadableText',
  rule,
});

/** The issue of an item that could not be read; null for any other item. */
const findUnreadableIssue = (item: unknown) =>
  typeof item === 'object' && item !== null && '_tag' in item && item._tag === 'UnreadableText'
    ? importIssue((item as UnreadableText).rule)
    : null;

/** A resource as it was sent, without further checks, or the issue of an item that is not a resource. */
export type UnpackedResource = BundleEntry & {
  readonly location: ItemLocation;
  /** Its share of the text that contained it, in characters; 0 for an object, which the caller has in memory anyway. */
  readonly length: number;
};

/** An item whose kind is not known. */
const unknownItem = (issue: Issue): BundleEntry => ({ type: '', id: '', content: {}, issue });

const entryOfText = (text: string): BundleEntry => {
  try {
    // A byte order mark may come before it. Source: RFC 8259, 8.1.
    const { value, issues } = readJson(text.replace(/^\uFEFF/, ''));
    return issues[0] === undefined ? toBundleEntry(value) : unknownItem(issues[0]);
  } catch {
    return unknownItem(notJsonIssue(text));
  }
};

/** The content of an item, with an issue if it is not a resource. */
const entryOfItem = (sent: unknown): BundleEntry => {
  const issue = findUnreadableIssue(sent);
  if (issue !== null) return unknownItem(issue);
  if (typeof sent === 'string') return entryOfText(sent);
  return toBundleEntry(sent, ArrayBuffer.isView(sent) ? 'bytes' : 'not-a-resource');
};

const tagsOf = ({ meta }: Readonly<Record<string, unknown>>): readonly unknown[] =>
  isObject(meta) ? [meta.tag].flat() : [];

/**
 * Whether an item can have a `modifierExtension`. A text can only if it contains the name, or escapes that may spell it.
 * A search in the text costs far less than a visit to every part of its content.
 */
const canModify = (sent: unknown): boolean =>
  typeof sent !== 'string' || sent.includes('modifierExtension') || sent.includes('\\u00');

const findIssue = (content: JsonObject, isModifiable: boolean): Issue | null => {
  if (content.implicitRules !== undefined) return bodyIssue('implicit-rules');
  if (tagsOf(content).some(isSubsetted)) return bodyIssue('subsetted');
  return isModifiable && hasModifierExtension(content) ? bodyIssue('modifier-extension') : null;
};

/** The issue of a Bundle outside of its resources, or null. */
const findBundleIssue = (
  bundle: JsonObject,
  entries: readonly unknown[],
  isModifiable: boolean,
): Issue | null => {
  if (bundle.type === 'history') return importIssue('history-bundle');
  const entry = entries.map((entry) => (isObject(entry) ? { ...entry, resource: undefined } : entry));
  return findIssue({ ...bundle, entry }, isModifiable);
};

/** Unpacks the items of one load. All of its Bundles must come from one server. */
export type Unpacker = (item: unknown, number: number) => Iterable<UnpackedResource>;

/** Yields the resources in an item, which may be JSON text: itself, or the resources of a Bundle. A blank text has none. */
export const createUnpacker = (): Unpacker => {
  let server: string | undefined;
  return function* (item, number) {
    const sent = isLocated(item) ? item.item : item;
    if (typeof sent === 'string' && sent.trim() === '') return;
    // No recursion: a sender may nest Bundles to any depth, or in themselves. The last one is unpacked next.
    const waiting = [entryOfItem(sent)];
    const isModifiable = canModify(sent);
    const unpacked = new Set<unknown>();
    const { file, line } = isLocated(item) ? item : {};
    const location: ItemLocation = {
      item: number,
      ...(file !== undefined && { file }),
      ...(line !== undefined && { line }),
    };
    let length = typeof sent === 'string' ? sent.length : 0;
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { type, content } = next;
      const { entry: entries = [] } = content;
      if (next.issue !== null || type !== 'Bundle') {
        yield { ...next, issue: next.issue ?? findIssue(content, isModifiable), location, length };
      } else if (!Array.isArray(entries)) {
        yield { ...next, issue: bodyIssue('type', 'Bundle.entry', ['array']), location, length };
      } else if (!unpacked.has(content)) {
        unpacked.add(content);
        length /= entries.length || 1;
        server ??= findServer(entries);
        const issue = findBundleIssue(content, entries, isModifiable);
        if (issue !== null) yield { ...next, issue, location, length };
        else for (const held of entriesIn(entries, server).toReversed()) waiting.push(held);
      }
    }
  };
};
