import * as E from 'fp-ts/lib/Either.js';
import type { Fault } from '../errors.ts';
import { bodyFault } from '../fhir/faults.ts';
import { hasModifierExtension } from '../fhir/modifiers.ts';
import { type Held, heldAs, heldIn, isObject, serverOf } from './bundle.ts';
import { importFault } from './faults.ts';
import type { Source } from './report.ts';

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

/** The entries of a Bundle, or what is wrong with it outside of its resources. */
const entriesIn = (bundle: Readonly<Record<string, unknown>>): E.Either<Fault, readonly unknown[]> => {
  const { type, entry: entries = [] } = bundle;
  if (!Array.isArray(entries)) return E.left(bodyFault('type', 'Bundle.entry'));
  if (type === 'history') return E.left(importFault('history'));
  const entry = entries.map((held) => (isObject(held) ? { ...held, resource: undefined } : held));
  const fault = faultIn({ ...bundle, entry });
  return fault === null ? E.right(entries) : E.left(fault);
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
      if (next.fault !== null || type !== 'Bundle') {
        yield { ...next, fault: next.fault ?? faultIn(content), item, length };
        continue;
      }
      if (unpacked.has(content)) continue;
      unpacked.add(content);
      const entries = entriesIn(content);
      if (E.isLeft(entries)) {
        yield { ...next, fault: entries.left, item, length };
        continue;
      }
      length /= entries.right.length || 1;
      server ??= serverOf(entries.right);
      for (const held of heldIn(entries.right, server).toReversed()) waiting.push(held);
    }
  };
};
