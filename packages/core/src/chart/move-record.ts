import { parseReference } from '../fhir/reference.ts';
import { isOneOf } from '../fhir/schema.ts';
import type { ChartRecord } from './command.ts';

/** The types that are in no chart. Every other resource is about one patient, or may be. */
const isSharedType = isOneOf([
  'Practitioner',
  'PractitionerRole',
  'Organization',
  'HealthcareService',
  'Location',
  'Device',
]);

/** The elements whose references can be to what is in a chart. */
const isOfChart = isOneOf([
  'encounter',
  'performer',
  'authorReference',
  'reasonReference',
  'addresses',
  'basedOn',
  'insurance',
  'outcomeReference',
  'relevantHistory',
  'replaces',
  'supportingInfo',
  'specimen',
  'detail',
]);

/** Whether a part refers to what is in a chart, or may do so: a reference can be only a `display`. */
const isChartReference = (part: object, name: string): boolean => {
  const target = 'reference' in part ? parseReference(`${part.reference}`) : null;
  if (target !== null) return !isSharedType(target.type);
  const isReference = isOfChart(name) && ('display' in part || 'type' in part);
  return isReference && !('type' in part && isSharedType(part.type));
};

const omitFrom = (part: unknown, name: string): unknown => {
  if (typeof part !== 'object' || part === null) return part;
  if (isChartReference(part, name)) return undefined;
  if (Array.isArray(part)) {
    const elements = part
      .map((element) => omitFrom(element, name))
      .filter((element) => element !== undefined);
    return elements.length === 0 ? undefined : elements;
  }
  const entries = Object.entries(part)
    .map(([key, value]) => [key, omitFrom(value, key)] as const)
    .filter(([, value]) => value !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

/**
 * Elements without their references to what is in a chart, such as conditions and encounters. An object or a list that has
 * nothing else is left out; undefined if nothing remains.
 */
export const omitChartReferences = <Elements>(elements: Elements): Elements | undefined =>
  omitFrom(elements, '') as Elements | undefined;

/** A record of commands in the chart of another patient. `moveBody` leaves out what belongs to the chart that it leaves. */
export const moveRecord = <Body>(
  record: ChartRecord<Body>,
  patientId: string,
  moveBody: (body: Body) => Body = (body) => body,
): ChartRecord<Body> => ({
  ...record,
  patientId,
  commands: record.commands.map((command) => ({ ...command, body: moveBody(command.body) })),
});
