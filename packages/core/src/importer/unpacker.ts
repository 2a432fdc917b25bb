import type { Issue } from '../errors.ts';
import { hasModifierExtension } from '../fhir/element.ts';
import { bodyIssue } from '../fhir/issues.ts';
import { readJson } from '../fhir/read-json.ts';
import { type BundleEntry, entriesIn, entryOf, findServer, isObject } from './bundle-entries.ts';
import type { ItemLocation } from './import-report.ts';
import { importIssue } from './issues.ts';
import { isLocated } from './located-item.ts';
import { findUnreadableIssue } from './unreadable-text.ts';

/** A resource as it was sent, without further checks, or the issue of an item that is not a resource. */
export type UnpackedResource = BundleEntry & {
  readonly location: ItemLocation;
  /** Its share of the text that contained it, in characters; 0 for an object, which the caller has in memory anyway. */
  readonly length: number;
};

/** An item of which it is not known what it is. */
const unknownItem = (issue: Issue): BundleEntry => ({ type: '', id: '', content: {}, issue });

const entryOfText = (text: string): BundleEntry => {
  try {
    // A byte order mark may come before it. Source: RFC 8259, 8.1.
    const { value, issues } = readJson(text.replace(/^\uFEFF/, ''));
    return issues[0] === undefined ? entryOf(value) : unknownItem(issues[0]);
  } catch {
    return unknownItem(importIssue('invalid-json'));
  }
};

/** The content of an item, with an issue if it is not a resource. */
const entryOfItem = (sent: unknown): BundleEntry => {
  const issue = findUnreadableIssue(sent);
  if (issue !== null) return unknownItem(issue);
  if (typeof sent === 'string') return entryOfText(sent);
  return entryOf(sent, ArrayBuffer.isView(sent) ? 'bytes' : 'not-a-resource');
};

/**
 * Whether a resource is tagged as a part of the resource on its server. The system of the tag is ignored, because FHIR has
 * used several.
 * Source: FHIR R4, Search, "Summary".
 */
const isSubsetted = ({ meta }: Readonly<Record<string, unknown>>): boolean =>
  (isObject(meta) ? [meta.tag].flat() : []).some((tag) => isObject(tag) && tag.code === 'SUBSETTED');

/**
 * Whether an item can have a `modifierExtension`. A text can only if it contains the name, or escapes that may spell it.
 * A search in the text costs far less than a visit to every part of its content.
 */
const canModify = (sent: unknown): boolean =>
  typeof sent !== 'string' || sent.includes('modifierExtension') || sent.includes('\\u00');

type Json = Readonly<Record<string, unknown>>;

const findIssue = (content: Json, isModifiable: boolean): Issue | null => {
  if (content.implicitRules !== undefined) return bodyIssue('implicit-rules');
  if (isSubsetted(content)) return importIssue('subsetted');
  return isModifiable && hasModifierExtension(content) ? bodyIssue('modifier-extension') : null;
};

/** The issue of a Bundle outside of its resources, or null. */
const findBundleIssue = (bundle: Json, entries: readonly unknown[], isModifiable: boolean): Issue | null => {
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
        yield { ...next, issue: bodyIssue('type', 'Bundle.entry'), location, length };
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
