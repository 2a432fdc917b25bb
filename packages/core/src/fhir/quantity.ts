import * as z from 'zod';
import { anyConcept } from './coding.ts';
import { dateTime, period } from './date-time.ts';
import {
  code,
  decimal,
  essential,
  essentialElements,
  list,
  nonEmptyElement,
  oneOf,
  positiveInteger,
  text,
  unsignedInteger,
} from './element.ts';
import type { BodyRule } from './issues.ts';
import { named, type SchemaOutput } from './schema.ts';

const amount = {
  /** The number. */
  value: decimal.optional(),
  /** The unit, for people. */
  unit: essential(text.optional()),
  /** The URI of the system that defines the `code` of the unit, such as `http://unitsofmeasure.org`. */
  system: essential(text.optional()),
  /** The unit, for programs. */
  code: essential(code.optional()),
};

const unstored = ['_value', '_unit', '_system', '_code'];

const simpleQuantitySchema = nonEmptyElement(amount, unstored);

/** An amount in a unit. FHIR R4, Datatypes, 2.24.0.7.1. */
export interface SimpleQuantity extends SchemaOutput<typeof simpleQuantitySchema> {}

/** The schema of an amount in a unit. */
export const simpleQuantity = named<SimpleQuantity>(simpleQuantitySchema);
const quantitySchema = nonEmptyElement(
  {
    ...amount,
    /** How the amount compares with the `value`, if it is not exact. */
    comparator: essential(z.enum(['<', '<=', '>=', '>']).optional()),
  },
  [...unstored, '_comparator'],
);

/** An amount in a unit, which may be a bound. FHIR R4, Datatypes, 2.24.0.7. */
export interface Quantity extends SchemaOutput<typeof quantitySchema> {}

/** The schema of an amount, which may be a bound. */
export const quantity = named<Quantity>(quantitySchema);

const rangeSchema = nonEmptyElement(
  {
    /** The least amount. */
    low: essential(simpleQuantity.optional()),
    /** The greatest amount. */
    high: essential(simpleQuantity.optional()),
  },
  [],
);

/** A range of amounts, both included. FHIR R4, Datatypes, 2.24.0.9. */
export interface Range extends SchemaOutput<typeof rangeSchema> {}

/** The schema of a range of amounts. */
export const range = named<Range>(rangeSchema);

const ratioSchema = nonEmptyElement(
  {
    /** The amount that is divided. */
    numerator: essential(quantity.optional()),
    /** The amount by which it is divided. */
    denominator: essential(quantity.optional()),
  },
  [],
);

/** An amount for each other amount. FHIR R4, Datatypes, 2.24.0.10. */
export interface Ratio extends SchemaOutput<typeof ratioSchema> {}

/** The schema of a ratio of amounts. */
export const ratio = named<Ratio>(ratioSchema);

const unitOfTime = z.enum(['s', 'min', 'h', 'd', 'wk', 'mo', 'a']);

const dayOfWeek = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);

const timePattern = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?$/;

const time = z
  .string()
  .refine((sent) => timePattern.test(sent), {
    params: { rule: 'value' satisfies BodyRule, allowed: ['a time such as 08:30:00'] },
  })
  .meta({ pattern: timePattern.source, examples: ['08:30:00'] });

const partsOfDay = ['MORN', 'AFT', 'EVE'].flatMap((part) => [part, `${part}.early`, `${part}.late`]);
const meals = ['', 'M', 'D', 'V'].flatMap((meal) => [`C${meal}`, `AC${meal}`, `PC${meal}`]);

/** FHIR R4, ValueSet EventTiming. */
const eventTiming = z.enum([...partsOfDay, 'NOON', 'NIGHT', 'PHS', 'HS', 'WAKE', ...meals]);

const repeatSchema = nonEmptyElement(
  essentialElements({
    /** How long the timing holds, as a duration. */
    boundsDuration: quantity.optional(),
    /** How long the timing holds, as a range of durations. */
    boundsRange: range.optional(),
    /** From when to when the timing holds. */
    boundsPeriod: period.optional(),
    /** How often it happens in all. */
    count: positiveInteger.optional(),
    /** How often it happens in all, at most. */
    countMax: positiveInteger.optional(),
    /** How long it takes each time. */
    duration: decimal.optional(),
    /** How long it takes each time, at most. */
    durationMax: decimal.optional(),
    /** The unit of the duration, such as `min`. */
    durationUnit: unitOfTime.optional(),
    /** How often it happens in each period. */
    frequency: positiveInteger.optional(),
    /** How often it happens in each period, at most. */
    frequencyMax: positiveInteger.optional(),
    /** The length of a period. */
    period: decimal.optional(),
    /** The length of a period, at most. */
    periodMax: decimal.optional(),
    /** The unit of the period, such as `d`. */
    periodUnit: unitOfTime.optional(),
    /** The days of the week on which it happens. */
    dayOfWeek: list(essential(dayOfWeek)).optional(),
    /** The times of the day at which it happens: FHIR `time`s. */
    timeOfDay: list(essential(time)).optional(),
    /** The daily events at which it happens, such as `ACM` for before breakfast. */
    when: list(essential(eventTiming)).optional(),
    /** How many minutes it happens before or after the event. */
    offset: unsignedInteger.optional(),
  }),
  [
    '_count',
    '_countMax',
    '_duration',
    '_durationMax',
    '_durationUnit',
    '_frequency',
    '_frequencyMax',
    '_period',
    '_periodMax',
    '_periodUnit',
    '_dayOfWeek',
    '_timeOfDay',
    '_when',
    '_offset',
  ],
);

/** How something is repeated. */
export interface TimingRepeat extends SchemaOutput<typeof repeatSchema> {}

const timingSchema = nonEmptyElement(
  {
    /** When it happens: FHIR `dateTime`s. */
    event: list(dateTime).optional(),
    /** How it is repeated. */
    repeat: oneOf(
      named<TimingRepeat>(repeatSchema),
      'boundsDuration',
      'boundsRange',
      'boundsPeriod',
    ).optional(),
    /** The timing as a code, such as `BID`. */
    code: anyConcept.optional(),
  },
  ['_event'],
);

/** When something happens that may happen more than once. FHIR R4, Datatypes, 2.24.0.13. */
export interface Timing extends SchemaOutput<typeof timingSchema> {}

/** The schema of when something happens. */
export const timing = named<Timing>(timingSchema);
