import { isOneOf } from '../fhir/is-one-of.ts';
import { parseReference } from '../fhir/reference.ts';

/** The types that are in no chart. Every other resource is about one patient, or may be. */
const isSharedType = isOneOf([
  ...(['Practitioner', 'PractitionerRole', 'Organization', 'HealthcareService'] as const),
  ...(['Location', 'Device'] as const),
]);

const isChartReference = (part: object): boolean =>
  'reference' in part &&
  typeof part.reference === 'string' &&
  !isSharedType(parseReference(part.reference)?.type);

const omitFrom = (part: unknown): unknown => {
  if (typeof part !== 'object' || part === null) return part;
  if (isChartReference(part)) return undefined;
  if (Array.isArray(part)) {
    const kept = part.map(omitFrom).filter((one) => one !== undefined);
    return kept.length === 0 ? undefined : kept;
  }
  const kept = Object.entries(part)
    .map(([name, value]) => [name, omitFrom(value)] as const)
    .filter(([, value]) => value !== undefined);
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
};

/**
 * Elements without their references to what is in a chart, such as conditions and encounters. An object or a list that has
 * nothing else is left out; undefined if nothing remains.
 */
export const omitChartReferences = <Elements>(elements: Elements): Elements | undefined =>
  omitFrom(elements) as Elements | undefined;
