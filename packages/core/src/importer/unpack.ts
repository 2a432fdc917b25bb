import { z } from 'zod';
import { faultsOf } from '../errors.ts';
import type { ImportProblem } from './report.ts';

export const importRules = {
  'no-json': 'This is no JSON.',
  'no-resource': 'This is no FHIR resource with a resourceType and an id.',
} as const;

const importFault = faultsOf(importRules);

/** A resource as it came in, not looked into any further. */
export type ForeignResource = { readonly type: string; readonly id: string; readonly content: unknown };

const resourceShape = z.object({ resourceType: z.string(), id: z.string().optional() });
const bundleShape = z.object({
  resourceType: z.literal('Bundle'),
  entry: z.array(z.object({ resource: z.unknown() })).optional(),
});

const problem = (rule: keyof typeof importRules): ImportProblem => ({
  type: '',
  id: '',
  reason: importFault(rule).message,
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
export function* unpack(item: unknown): Iterable<ForeignResource | ImportProblem> {
  if (typeof item === 'string' && item.trim() === '') return;
  const content = parsed(item);
  const bundle = bundleShape.safeParse(content);
  const resource = resourceShape.safeParse(content);
  if (content === undefined) yield problem('no-json');
  else if (bundle.success) for (const entry of bundle.data.entry ?? []) yield* unpack(entry.resource);
  else if (resource.success) yield { type: resource.data.resourceType, id: resource.data.id ?? '', content };
  else yield problem('no-resource');
}
