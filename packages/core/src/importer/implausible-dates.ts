import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Issue, Outcome } from '../errors.ts';
import { parseInterval, type TimeZone } from '../fhir/date-time.ts';
import type { JsonObject } from '../fhir/schema.ts';
import { elementsAt } from '../search/index-entries.ts';
import type { Interval } from '../store/index-entry.ts';
import { importIssue } from './import-report.ts';

/**
 * The dates of a resource that contradict each other or the clock if one is later than the other. `now` is the present, `birth` and
 * `death` are those of the patient. Source: docs/decisions.md#import.
 */
const orders: Readonly<Record<string, readonly (readonly [earlier: string, later: string])[]>> = {
  Patient: [
    ['birthDate', 'now'],
    ['deceasedDateTime', 'now'],
    ['birthDate', 'deceasedDateTime'],
  ],
  Goal: [
    ['startDate', 'target.dueDate'],
    ['startDate', 'death'],
    ['birth', 'startDate'],
    ['birth', 'statusDate'],
    ['statusDate', 'now'],
    ['note.time', 'now'],
  ],
  ServiceRequest: [
    ['authoredOn', 'now'],
    ['birth', 'authoredOn'],
    ['authoredOn', 'death'],
    ['note.time', 'now'],
  ],
  Immunization: [
    ['birth', 'occurrenceDateTime'],
    ['occurrenceDateTime', 'death'],
    ['occurrenceDateTime', 'expirationDate'],
    ['occurrenceDateTime', 'reaction.date'],
    ['reaction.date', 'now'],
    ['recorded', 'now'],
    ['note.time', 'now'],
  ],
};

/** As far ahead a dose may be dated: the end of tomorrow, anywhere on earth. */
const tolerance = 2 * 24 * 60 * 60 * 1_000;

const words: Readonly<Record<string, string>> = {
  now: 'the present',
  birth: 'the birth of the patient',
  death: 'the death of the patient',
};

/** The facts about the patient on which the dates of a resource depend. */
type LifeDates = { readonly birthDate?: string; readonly deceased?: boolean | string };

type Clock = { readonly now: number; readonly zone: TimeZone };

const lifeNames: readonly string[] = ['birth', 'death'];

/** The pairs of a type of which the resource has both dates, or may have. */
const pairsIn = (type: string, resource: JsonObject) => {
  const isThere = (name: string) => name in words || resource[name.split('.')[0] ?? ''] !== undefined;
  return (orders[type] ?? []).filter((pair) => pair.every(isThere));
};

const contradictionIssue = (type: string, earlier: string, later: string): Issue => {
  const [name, other, relation] =
    earlier === 'birth' ? [later, earlier, 'before'] : [earlier, later, 'after'];
  const issue = importIssue('implausible-date', `${type}.${name}`);
  return { ...issue, message: `${issue.message} It is ${relation} ${words[other] ?? `${type}.${other}`}.` };
};

/** The issues of a resource with dates that contradict each other or the clock. It may be right, so it is imported. */
export const checkDates = (
  type: string,
  resource: JsonObject,
  { now, zone }: Clock,
  { birthDate, deceased }: LifeDates = {},
): readonly Issue[] => {
  const known = new Map<string, readonly Interval[]>([['now', [{ from: now, until: now + tolerance }]]]);
  const textsOf = (name: string): readonly unknown[] => {
    if (lifeNames.includes(name)) return [name === 'birth' ? birthDate : deceased];
    return name.includes('.') ? elementsAt(resource, [name.split('.')]) : [resource[name]];
  };
  const intervalsOf = (name: string): readonly Interval[] => {
    const intervals =
      known.get(name) ??
      textsOf(name).flatMap((text) => (typeof text === 'string' ? (parseInterval(text, zone) ?? []) : []));
    known.set(name, intervals);
    return intervals;
  };
  return pairsIn(type, resource).flatMap(([earlier, later]) =>
    intervalsOf(earlier).some((one) => intervalsOf(later).some((other) => one.from >= other.until))
      ? [contradictionIssue(type, earlier, later)]
      : [],
  );
};

/** Checks the dates of a resource in a chart, also against the life of its patient. */
export const checkChartDates = async (
  directory: DirectoryRecords,
  resource: JsonObject,
  patientId: string,
  { type, ...clock }: Clock & { readonly type: string },
): Outcome<readonly Issue[]> => {
  const pairs = pairsIn(type, resource);
  if (pairs.length === 0) return E.right([]);
  const patient = await directory.find('Patient', patientId);
  if (E.isLeft(patient)) return patient;
  return E.right(checkDates(type, resource, clock, patient.right.state ?? {}));
};
