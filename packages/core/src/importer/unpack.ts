import type { Fault } from '../errors.ts';
import { isModified } from '../fhir/modifiers.ts';
import { importFault } from './faults.ts';
import type { Source } from './report.ts';

/** A resource as it came in, not looked into any further; or what is wrong with an item that is none. */
export type Unpacked = Source & { readonly content: unknown; readonly fault: Fault | null };

const parsed = (item: unknown): unknown => {
  if (typeof item !== 'string') return item;
  try {
    return JSON.parse(item);
  } catch {
    return undefined;
  }
};

const isObject = (content: unknown): content is Readonly<Record<string, unknown>> =>
  typeof content === 'object' && content !== null && !Array.isArray(content);

const faultIn = (content: Readonly<Record<string, unknown>>): Fault | null => {
  if (content.implicitRules !== undefined) return importFault('implicit-rules');
  return isModified(content) ? importFault('modifier-extension') : null;
};

/** A Bundle without its resources. */
const wrapping = (bundle: Readonly<Record<string, unknown>>, entries: readonly unknown[]) => ({
  ...bundle,
  entry: entries.map((held) => (isObject(held) ? { ...held, resource: undefined } : held)),
});

/** The resources in an item of a load: itself, those of a Bundle, or those of either as JSON text; a blank text has none. */
export function* unpack(sent: unknown, item: number): Iterable<Unpacked> {
  // Bundles lie in Bundles as deep as whoever sends them likes, or in themselves. What comes next is the last.
  const waiting = [sent];
  const unpacked = new Set<unknown>();
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'string' && next.trim() === '') continue;
    const content = parsed(next);
    const resource = isObject(content) ? content : {};
    const { resourceType: type, id: sentId, entry = [] } = resource;
    const id = typeof sentId === 'string' ? sentId : '';
    if (type === 'Bundle' && Array.isArray(entry)) {
      if (unpacked.has(content)) continue;
      unpacked.add(content);
      const fault = faultIn(wrapping(resource, entry));
      if (fault !== null) yield { type, id, item, content, fault };
      else for (const held of entry.toReversed()) waiting.push(isObject(held) ? held.resource : held);
    } else if (typeof type === 'string' && type !== '') {
      yield { type, id, item, content, fault: faultIn(resource) };
    } else {
      const fault = importFault(
        typeof next === 'string' && content === undefined ? 'no-json' : 'no-resource',
      );
      yield { type: '', id: '', item, content, fault };
    }
  }
}
