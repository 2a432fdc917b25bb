import * as z from 'zod';
import { anyConcept } from '../fhir/coding.ts';
import { date } from '../fhir/date-time.ts';
import { integer, list, nonEmptyElement, oneOf, text } from '../fhir/element.ts';
import { quantity, range, ratio } from '../fhir/quantity.ts';
import { anyReference, elementReference } from '../fhir/reference.ts';
import { named, type SchemaOutput } from '../fhir/schema.ts';
import { createElementStorer } from '../fhir/stored-element.ts';

/** The elements of a goal that are stored as they were sent. No rule looks at them. FHIR R4, Goal, 9.2.5. */
export const goalElements = {
  /** The kinds of the goal, such as dietary. */
  category: list(anyConcept).optional(),
  /** The event with which its pursuit begins. Instead of a `startDate`. */
  startCodeableConcept: anyConcept.optional(),
  /** The problems and orders that the goal is about. */
  addresses: list(
    elementReference(
      'Condition',
      'Observation',
      'MedicationStatement',
      'NutritionOrder',
      'ServiceRequest',
      'RiskAssessment',
    ),
  ).optional(),
  /** The outcomes, as codes. */
  outcomeCode: list(anyConcept).optional(),
  /** The outcomes, of any type. */
  outcomeReference: list(anyReference).optional(),
};

const elementsSchema = z.object(goalElements);

/** The elements of a goal that are stored as they were sent. */
export interface GoalElements extends SchemaOutput<typeof elementsSchema> {}

/** The elements of a goal as they are stored; undefined if there are none. */
export const storeGoalElements = createElementStorer<GoalElements>(goalElements);

/** The elements of a target other than its `dueDate`, of which rules decide. */
const measureElements = {
  /** The value that is to be reached, such as the body weight. */
  measure: anyConcept.optional(),
  /** The value to reach, as an amount. */
  detailQuantity: quantity.optional(),
  /** The values within which it is to be. */
  detailRange: range.optional(),
  /** The value to reach, as a concept. */
  detailCodeableConcept: anyConcept.optional(),
  /** The value to reach, in words. */
  detailString: text.optional(),
  /** The value to reach. */
  detailBoolean: z.boolean().optional(),
  /** The value to reach, as a whole number. */
  detailInteger: integer.optional(),
  /** The value to reach, as a ratio. */
  detailRatio: ratio.optional(),
  /** How long it should take from the start, where there is no due date. */
  dueDuration: quantity.optional(),
};

const unstoredTargetElements = ['_detailString', '_detailBoolean', '_detailInteger'];

const detailNames = [
  'detailQuantity',
  'detailRange',
  'detailCodeableConcept',
  'detailString',
  'detailBoolean',
  'detailInteger',
  'detailRatio',
] as const;

const measureSchema = nonEmptyElement(measureElements, unstoredTargetElements);

/** The measure of a goal, and the value to reach. */
export interface GoalMeasure extends SchemaOutput<typeof measureSchema> {}

/** The measure in a command, and in a stored goal. */
export const goalMeasure = oneOf(named<GoalMeasure>(measureSchema), ...detailNames);

export const targetElements = {
  ...measureElements,
  /** When the goal should be reached: a FHIR `date`. */
  dueDate: date.optional(),
};

const targetSchema = nonEmptyElement(targetElements, [...unstoredTargetElements, '_dueDate']);

/** The target of a goal. */
export interface GoalTarget extends SchemaOutput<typeof targetSchema> {}

/** The target of a goal of another system, and in a response. */
export const goalTarget = oneOf(
  oneOf(named<GoalTarget>(targetSchema), ...detailNames),
  'dueDate',
  'dueDuration',
);
