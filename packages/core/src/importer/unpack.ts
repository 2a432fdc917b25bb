import { z } from 'zod';
import { type Fault, faultsOf } from '../errors.ts';
import type { Source } from './report.ts';

export const importRules = {
  'no-json': 'This is no JSON.',
  'no-resource': 'This is no FHIR resource with a resourceType and an id.',
} as const;

const importFault = faultsOf(importRules);

/** A resource as it came in, not looked into any further; or what was wrong with what is none. */
export type Unpacked = Source & { readonly content: unknown; readonly fault: Fault | null };

const resourceShape = z.object({ resourceType: z.string(), id: z.string().optional() });
const bundleShape = z.object({
  resourceType: z.literal('Bundle'),
  entry: z.array(z.object({ resource: z.unknown() })).optional(),
});

const parsed = (item: unknown): unknown => {
  if (typeof item !== 'string') return item;
  try {
    return JSON.parse(item);
  } catch {
    return undefined;
  }
};

/** The resources in an item of a load: itself, those of a Bundle, or those of either as JSON text; a blank text has none. */
export function* unpack(sent: unknown, item: number): Iterable<Unpacked> {
  if (typeof sent === 'string' && sent.trim() === '') return;
  const content = parsed(sent);
  const bundle = bundleShape.safeParse(content);
  const resource = resourceShape.safeParse(content);
  if (bundle.success) {
    for (const { resource: entry } of bundle.data.entry ?? []) yield* unpack(entry, item);
  } else if (resource.success) {
    yield { type: resource.data.resourceType, id: resource.data.id ?? '', item, content, fault: null };
  } else {
    const fault = importFault(content === undefined ? 'no-json' : 'no-resource');
    yield { type: '', id: '', item, content, fault };
  }
}
