import type { Fault } from '../errors.ts';
import { bodyFault } from '../fhir/faults.ts';
import { hasModifierExtension } from '../fhir/modifiers.ts';
import { type Held, heldAs, heldIn, isObject, serverOf } from './bundle.ts';
import { importFault } from './faults.ts';
import type { Source } from './report.ts';
import { faultOfUnreadable } from './unreadable-text.ts';

/** A resource as it came in, not looked into any further; or what is wrong with what is none. */
export type Unpacked = Source &
  Held & {
    /** Its share of the text that it came in, in characters; 0 where it came as an object, which somebody holds anyway. */
    readonly length: number;
  };

const parsed = (item: unknown): unknown => {
  if (typeof item !== 'string') return item;
  try {
    // A byte order mark may come before it. Source: RFC 8259, 8.1.
    return JSON.parse(item.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
};

/** What an item holds, and what it is where that is no resource. */
const heldInItem = (sent: unknown): Held => {
  const fault = faultOfUnreadable(sent);
  if (fault !== null) return { type: '', id: '', content: {}, fault };
  const content = parsed(sent);
  if (ArrayBuffer.isView(sent)) return heldAs(content, 'bytes');
  return heldAs(content, typeof sent === 'string' && content === undefined ? 'no-json' : 'no-resource');
};

/**
 * Whether a resource is tagged as only a part of what its server has, whatever the system of the tag: there were several.
 * Source: FHIR R4, Search, "Summary".
 */
const isSubsetted = ({ meta }: Readonly<Record<string, unknown>>): boolean =>
  (isObject(meta) ? [meta.tag].flat() : []).some((tag) => isObject(tag) && tag.code === 'SUBSETTED');

const faultIn = (content: Readonly<Record<string, unknown>>): Fault | null => {
  if (content.implicitRules !== undefined) return importFault('implicit-rules');
  if (isSubsetted(content)) return importFault('subsetted');
  return hasModifierExtension(content) ? importFault('modifier-extension') : null;
};

/** What is wrong with a Bundle outside of its resources. */
const faultOfBundle = (
  bundle: Readonly<Record<string, unknown>>,
  entries: readonly unknown[],
): Fault | null => {
  if (bundle.type === 'history') return importFault('history');
  const entry = entries.map((held) => (isObject(held) ? { ...held, resource: undefined } : held));
  return faultIn({ ...bundle, entry });
};

/** Takes the items of one load apart. All of its Bundles are to be of one server. */
export type Unpack = (sent: unknown, item: number) => Iterable<Unpacked>;

/** The resources in an item, which may be JSON text: itself, or those of a Bundle; a blank text has none. */
export const unpacking = (): Unpack => {
  let server: string | undefined;
  return function* (sent, item) {
    if (typeof sent === 'string' && sent.trim() === '') return;
    // No recursion: Bundles lie in Bundles as deep as whoever sends them likes, or in themselves. The last comes next.
    const waiting = [heldInItem(sent)];
    const unpacked = new Set<unknown>();
    let length = typeof sent === 'string' ? sent.length : 0;
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { type, content } = next;
      const { entry: entries = [] } = content;
      if (next.fault !== null || type !== 'Bundle') {
        yield { ...next, fault: next.fault ?? faultIn(content), item, length };
      } else if (!Array.isArray(entries)) {
        yield { ...next, fault: bodyFault('type', 'Bundle.entry'), item, length };
      } else if (!unpacked.has(content)) {
        unpacked.add(content);
        length /= entries.length || 1;
        server ??= serverOf(entries);
        const fault = faultOfBundle(content, entries);
        if (fault !== null) yield { ...next, fault, item, length };
        else for (const held of heldIn(entries, server).toReversed()) waiting.push(held);
      }
    }
  };
};
