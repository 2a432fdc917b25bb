import type { PartialCoding } from '../fhir/coding.ts';
import { parseInterval, type TimeZone } from '../fhir/date-time.ts';

/** The vaccine, the service or the goal, in codes and in words. */
type EventConcept = {
  readonly coding?: readonly PartialCoding[] | undefined;
  readonly text?: string | undefined;
};

/** The facts about a resource that say which event it is: the concept, and when it was, if that matters. */
export type EventFacts = { readonly concept: EventConcept; readonly date?: string };

const wordsOf = (text: string | undefined): string => text?.trim().replace(/\s+/g, ' ').toLowerCase() ?? '';

/** The texts by which a concept is compared: its codings with their systems, and what it is called. */
const namesOf = ({ coding = [], text }: EventConcept): readonly string[] => [
  ...coding.flatMap(({ system = '', code }) => (code === undefined ? [] : [JSON.stringify([system, code])])),
  ...[text, ...coding.map(({ display }) => display)].map(wordsOf).filter((words) => words !== ''),
];

/** Whether two concepts share a coding, or what they are called. */
export const isSameConcept = (one: EventConcept, other: EventConcept): boolean => {
  const names = new Set(namesOf(one));
  return namesOf(other).some((name) => names.has(name));
};

/** Whether two dates are equal, if the more precise one is read as precisely as the other. */
export const isSameDate = (one: string | undefined, other: string | undefined, zone: TimeZone): boolean => {
  const [a, b] = [parseInterval(one ?? '', zone), parseInterval(other ?? '', zone)];
  if (a === null || b === null) return one === other;
  return (a.from <= b.from && b.until <= a.until) || (b.from <= a.from && a.until <= b.until);
};
