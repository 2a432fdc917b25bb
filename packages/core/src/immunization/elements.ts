import { z } from 'zod';
import { anyConcept } from '../fhir/coding.ts';
import { date, dateTime } from '../fhir/date-time.ts';
import { element, list, nonEmptyElement, oneOf, text } from '../fhir/element.ts';
import { positiveInteger } from '../fhir/number.ts';
import { simpleQuantity } from '../fhir/quantity.ts';
import { elementReference } from '../fhir/reference.ts';
import { named, type SchemaOutput } from '../fhir/schema-output.ts';
import { createElementStorer } from '../fhir/stored-elements.ts';

const performer = element(
  {
    /** The part that the performer took, such as giving the vaccine. */
    function: anyConcept.optional(),
    /** The practitioner or the organization. */
    actor: elementReference('Practitioner', 'PractitionerRole', 'Organization'),
  },
  [],
);

/** Somebody who took part in a vaccination. */
export interface ImmunizationPerformer extends SchemaOutput<typeof performer> {}

const reaction = nonEmptyElement(
  {
    /** When the reaction began: a FHIR `dateTime`. */
    date: dateTime.optional(),
    /** The observation of it. */
    detail: elementReference('Observation').optional(),
    /** Whether the patient reported it. */
    reported: z.boolean().optional(),
  },
  ['_date', '_reported'],
);

/** A reaction to a vaccine. */
export interface ImmunizationReaction extends SchemaOutput<typeof reaction> {}

const protocolSchema = nonEmptyElement(
  {
    /** The name of the series. */
    series: text.optional(),
    /** The publisher of the protocol. */
    authority: elementReference('Organization').optional(),
    /** The diseases against which the vaccine protects. */
    targetDisease: list(anyConcept).optional(),
    /** The number of the dose in the series. */
    doseNumberPositiveInt: positiveInteger.optional(),
    /** The number of the dose in the series, as a text. */
    doseNumberString: text.optional(),
    /** How many doses are recommended. */
    seriesDosesPositiveInt: positiveInteger.optional(),
    /** How many doses are recommended, as a text. */
    seriesDosesString: text.optional(),
  },
  '_series _doseNumberPositiveInt _doseNumberString _seriesDosesPositiveInt _seriesDosesString'.split(' '),
);

/** The protocol that a vaccination follows. */
export interface ImmunizationProtocol extends SchemaOutput<typeof protocolSchema> {}

const protocol = oneOf(
  oneOf(named<ImmunizationProtocol>(protocolSchema), 'doseNumberPositiveInt', 'doseNumberString'),
  'seriesDosesPositiveInt',
  'seriesDosesString',
);

/** The elements of an immunization that are stored as they were sent. No rule looks at them. FHIR R4, Immunization, 9.5.5. */
export const immunizationElements = {
  /** When it was first recorded, where another system says so: a FHIR `dateTime`. */
  recorded: dateTime.optional(),
  /** Where a reported vaccination is known from. */
  reportOrigin: anyConcept.optional(),
  /** Where the vaccine was given. */
  location: elementReference('Location').optional(),
  /** The manufacturer of the vaccine. */
  manufacturer: elementReference('Organization').optional(),
  /** The lot number of the vaccine. */
  lotNumber: text.optional(),
  /** When the vaccine expires: a FHIR `date`. */
  expirationDate: date.optional(),
  /** Where in the body it was given. */
  site: anyConcept.optional(),
  /** How it entered the body. */
  route: anyConcept.optional(),
  /** How much was given. */
  doseQuantity: simpleQuantity.optional(),
  /** The people and organizations that took part. */
  performer: list(named<ImmunizationPerformer>(performer)).optional(),
  /** Why it was given. */
  reasonCode: list(anyConcept).optional(),
  /** The conditions and observations for which it was given. */
  reasonReference: list(elementReference('Condition', 'Observation', 'DiagnosticReport')).optional(),
  /** The reactions that followed. */
  reaction: list(named<ImmunizationReaction>(reaction)).optional(),
  /** The protocols that were followed. */
  protocolApplied: list(protocol).optional(),
};

const elementGroup = z.object(immunizationElements);

/** The elements of an immunization that are stored as they were sent. */
export interface ImmunizationElements extends SchemaOutput<typeof elementGroup> {}

/** The elements of an immunization as they are stored; undefined if there are none. */
export const storeImmunizationElements = createElementStorer<ImmunizationElements>(immunizationElements);
