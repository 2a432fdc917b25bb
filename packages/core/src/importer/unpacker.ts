import type { Issue } from '../errors.ts';
import { bodyIssue } from '../fhir/issues.ts';
import { hasModifierExtension } from '../fhir/modifier-extension.ts';
import { type BundleEntry, entriesIn, entryOf, findServer, isObject } from './bundle-entries.ts';
import type { ItemLocation } from './import-report.ts';
import { importIssue } from './issues.ts';
import { isLocated } from './located-item.ts';
import { findUnreadableIssue } from './unreadable-text.ts';

/** A resource as it came in, not looked into any further; or what is wrong with what is none. */
export type UnpackedResource = BundleEntry & {
  readonly location: ItemLocation;
  /** Its share of the text that it came in, in characters; 0 where it came as an object, which somebody holds anyway. */
  readonly length: number;
};

const parseItem = (item: unknown): unknown => {
  if (typeof item !== 'string') return item;
  try {
    // A byte order mark may come before it. Source: RFC 8259, 8.1.
    return JSON.parse(item.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
};

/** What an item holds, and what it is where that is no resource. */
const entryOfItem = (sent: unknown): BundleEntry => {
  const issue = findUnreadableIssue(sent);
  if (issue !== null) return { type: '', id: '', content: {}, issue };
  const content = parseItem(sent);
  if (ArrayBuffer.isView(sent)) return entryOf(content, 'bytes');
  return entryOf(
    content,
    typeof sent === 'string' && content === undefined ? 'invalid-json' : 'not-a-resource',
  );
};

/**
 * Whether a resource is tagged as only a part of what its server has, whatever the system of the tag: there were several.
 * Source: FHIR R4, Search, "Summary".
 */
const isSubsetted = ({ meta }: Readonly<Record<string, unknown>>): boolean =>
  (isObject(meta) ? [meta.tag].flat() : []).some((tag) => isObject(tag) && tag.code === 'SUBSETTED');

/**
 * Whether an item can have a `modifierExtension`: a text only where it says so, or has escapes that may spell it. A look at
 * the text costs far less than one at every part of what it holds.
 */
const canModify = (sent: unknown): boolean =>
  typeof sent !== 'string' || sent.includes('modifierExtension') || sent.includes('\\u00');

type Json = Readonly<Record<string, unknown>>;

const findIssue = (content: Json, isModifiable: boolean): Issue | null => {
  if (content.implicitRules !== undefined) return bodyIssue('implicit-rules');
  if (isSubsetted(content)) return importIssue('subsetted');
  return isModifiable && hasModifierExtension(content) ? bodyIssue('modifier-extension') : null;
};

/** What is wrong with a Bundle outside of its resources. */
const findBundleIssue = (bundle: Json, entries: readonly unknown[], isModifiable: boolean): Issue | null => {
  if (bundle.type === 'history') return importIssue('history-bundle');
  const entry = entries.map((entry) => (isObject(entry) ? { ...entry, resource: undefined } : entry));
  return findIssue({ ...bundle, entry }, isModifiable);
};

/** Takes the items of one load apart. All of its Bundles are to be of one server. */
export type Unpacker = (item: unknown, number: number) => Iterable<UnpackedResource>;

/** The resources in an item, which may be JSON text: itself, or those of a Bundle; a blank text has none. */
export const createUnpacker = (): Unpacker => {
  let server: string | undefined;
  return function* (item, number) {
    const sent = isLocated(item) ? item.item : item;
    if (typeof sent === 'string' && sent.trim() === '') return;
    // No recursion: Bundles lie in Bundles as deep as whoever sends them likes, or in themselves. The last comes next.
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
