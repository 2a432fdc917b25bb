import { type Fault, faultsOf } from '../errors.ts';
import type { Source } from './report.ts';

export const importRules = {
  'no-json': 'This is no JSON.',
  'no-resource': 'This is no FHIR resource with a resourceType and an id.',
  'modifier-extension': 'A modifierExtension, which is not understood, may change what the resource means.',
} as const;

const importFault = faultsOf(importRules);

/** A resource as it came in, not looked into any further; or what was wrong with what is none. */
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

/** Whether there is a modifierExtension anywhere in it. Source: FHIR R4, Extensibility, 2.4.0.1.1. */
const isModified = (content: unknown): boolean =>
  typeof content === 'object' &&
  content !== null &&
  (Object.hasOwn(content, 'modifierExtension') || Object.values(content).some(isModified));

/** The resources in an item of a load: itself, those of a Bundle, or those of either as JSON text; a blank text has none. */
export function* unpack(sent: unknown, item: number): Iterable<Unpacked> {
  if (typeof sent === 'string' && sent.trim() === '') return;
  const content = parsed(sent);
  const { resourceType: type, id, entry } = isObject(content) ? content : {};
  if (type === 'Bundle' && (entry === undefined || Array.isArray(entry))) {
    for (const held of entry ?? []) yield* unpack(isObject(held) ? held.resource : held, item);
  } else if (typeof type === 'string') {
    const fault = isModified(content) ? importFault('modifier-extension') : null;
    yield { type, id: typeof id === 'string' ? id : '', item, content, fault };
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
