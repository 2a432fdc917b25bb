import type { Fault } from '../errors.ts';
import { hasModifierExtension } from '../fhir/modifiers.ts';
import { type Held, heldIn, isObject, nameIn, serverOf } from './bundle.ts';
import { importFault } from './faults.ts';
import type { Source } from './report.ts';

/** A resource as it came in, not looked into any further; or what is wrong with an item that is none. */
export type Unpacked = Source & {
  readonly content: unknown;
  readonly fault: Fault | null;
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

/** Why what was sent, and is `content` once it is parsed, is no resource. */
const ruleAgainst = (sent: unknown, content: unknown) => {
  if (ArrayBuffer.isView(sent)) return 'bytes';
  return typeof sent === 'string' && content === undefined ? 'no-json' : 'no-resource';
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

/** The resources in an item: itself, those of a Bundle, or those of either as JSON text; a blank text has none. */
export const unpacking = (): Unpack => {
  let server: string | undefined;
  return function* (sent, item) {
    // No recursion: Bundles lie in Bundles as deep as whoever sends them likes, or in themselves. The last comes next.
    const waiting: Held[] = [{ content: sent, fault: null }];
    const unpacked = new Set<unknown>();
    let length = typeof sent === 'string' ? sent.length : 0;
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next.fault !== null) {
        yield { ...next, item, content: undefined, length };
        continue;
      }
      if (typeof next.content === 'string' && next.content.trim() === '') continue;
      const content = parsed(next.content);
      const resource = isObject(content) ? content : {};
      const { entry = [] } = resource;
      const { type, id } = nameIn(resource);
      if (type === 'Bundle' && Array.isArray(entry)) {
        if (unpacked.has(content)) continue;
        unpacked.add(content);
        length /= entry.length || 1;
        server ??= serverOf(entry);
        const fault = faultOfBundle(resource, entry);
        if (fault !== null) yield { type, id, item, content, fault, length };
        else for (const held of heldIn(entry, server).toReversed()) waiting.push(held);
      } else if (type !== '') {
        yield { type, id, item, content, fault: faultIn(resource), length };
      } else {
        yield {
          type: '',
          id: '',
          item,
          content,
          fault: importFault(ruleAgainst(next.content, content)),
          length,
        };
      }
    }
  };
};
