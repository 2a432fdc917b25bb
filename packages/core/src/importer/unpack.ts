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

/** The resources in an item of a load: itself, those of a Bundle, or those of either as JSON text; a blank text has none. */
export function* unpack(sent: unknown, item: number): Iterable<Unpacked> {
  if (typeof sent === 'string' && sent.trim() === '') return;
  const content = parsed(sent);
  const resource = isObject(content) ? content : {};
  const { resourceType: type, id, entry } = resource;
  if (type === 'Bundle' && (entry === undefined || Array.isArray(entry))) {
    for (const held of entry ?? []) yield* unpack(isObject(held) ? held.resource : held, item);
  } else if (typeof type === 'string' && type !== '') {
    yield { type, id: typeof id === 'string' ? id : '', item, content, fault: faultIn(resource) };
  } else {
    yield {
      type: '',
      id: '',
      item,
      content,
      fault: importFault(content === undefined ? 'no-json' : 'no-resource'),
    };
  }
}
