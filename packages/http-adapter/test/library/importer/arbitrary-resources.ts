import { type ElementOfType, elementsOf } from '@clinical-records/testing-profiles';
import * as fc from 'fast-check';
import { cardiologist } from '../../clinic.ts';

type Json = fc.JsonValue | object;

/** Stands for a text that is different from every other text of its resource. */
const placeholder = '\u0000';

const dates = ['1999', '2001-02', '2001-02-03'];
const times = ['2001-02-03T04:05:06Z', '2001-02-03T04:05:06.789-05:00'];

const primitives: Readonly<Record<string, fc.Arbitrary<Json>>> = {
  boolean: fc.boolean(),
  integer: fc.integer({ min: -9, max: 9 }),
  unsignedInt: fc.integer({ min: 0, max: 9 }),
  positiveInt: fc.integer({ min: 1, max: 9 }),
  decimal: fc.constantFrom(0.5, 7, 12.25),
  date: fc.constantFrom(...dates),
  dateTime: fc.constantFrom(...dates, ...times),
  instant: fc.constantFrom(...times),
  time: fc.constantFrom('08:30:00', '23:59:59'),
  base64Binary: fc.constant('AAEC'),
  xhtml: fc.constant(`<div xmlns="http://www.w3.org/1999/xhtml">${placeholder}</div>`),
  ...Object.fromEntries(
    ['uri', 'url', 'canonical', 'oid', 'uuid'].map((type) => [type, fc.constant(`urn:x:${placeholder}`)]),
  ),
  ...Object.fromEntries(['string', 'markdown', 'code', 'id'].map((type) => [type, fc.constant(placeholder)])),
};

const isPrimitive = (type: string | null): type is string => type !== null && type in primitives;

const extension = fc.constant([{ url: `urn:x:${placeholder}`, valueString: placeholder }]);

/** Elements that may reverse the meaning of a resource, so that nothing of it is imported. */
const refused = ['modifierExtension', 'implicitRules'];

/** How many types within types there are. */
const maxDepth = 3;

/** A reference to a resource of one of the types: a practitioner can be known. */
const referenceTo = (targets: readonly string[], depth: number): fc.Arbitrary<Json> => {
  const types = targets.includes('Resource') || targets.length === 0 ? ['Basic'] : targets;
  return fc
    .tuple(
      fc.constantFrom(...types),
      fc.boolean(),
      objectOf(() => elementsOf('Reference'), depth),
    )
    .map(([type, isKnown, { reference, type: sentType, ...rest }]) => ({
      ...rest,
      ...(reference !== undefined && {
        reference: type === 'Practitioner' && isKnown ? 'Practitioner/ada' : `${type}/${placeholder}`,
      }),
      ...(sentType !== undefined && { type }),
    }));
};

const arbitraryValue = (
  { type, elements, codes, targets }: ElementOfType,
  depth: number,
): fc.Arbitrary<Json> => {
  if (codes.length > 0) return fc.constantFrom(...codes);
  if (type === 'Extension') return extension.map(([one]) => one as object);
  if (type === 'Resource') return fc.constant({ resourceType: 'Basic', id: placeholder });
  if (type === 'Reference') return referenceTo(targets, depth);
  if (isPrimitive(type)) return primitives[type] as fc.Arbitrary<Json>;
  if (type === 'Period')
    return objectOf(() => elementsOf(type), depth).map((period) =>
      period.end === undefined ? period : { ...period, end: '2002-02' },
    );
  return objectOf(type === null ? elements : () => elementsOf(type), depth);
};

/** A value, or nothing so many times as often. */
const rarely = <Value>(value: fc.Arbitrary<Value>, times: number): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: times, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });

/** One of the types of a choice, with what belongs to a primitive value beside it. */
const choiceOf = (choice: readonly ElementOfType[], depth: number): fc.Arbitrary<object> =>
  fc.constantFrom(...choice).chain((element) => {
    const { name, isList, type } = element;
    const value = arbitraryValue(element, depth + 1);
    const sent = isList ? fc.array(value, { minLength: 1, maxLength: 2 }) : value;
    const isExtended = isPrimitive(type) && !isList && type !== 'id' && type !== 'xhtml';
    return fc
      .tuple(sent, isExtended ? rarely(extension, 20) : fc.constant(null))
      .map(([values, extended]) => ({
        [name]: values,
        ...(extended !== null && { [`_${name}`]: { extension: extended } }),
      }));
  });

/** An object with any of the elements: with all that are required, and at least one. */
const objectOf = (
  elements: () => readonly ElementOfType[],
  depth: number,
): fc.Arbitrary<Record<string, unknown>> => {
  const choices = Object.groupBy(
    elements().filter(({ name, type }) => !refused.includes(name) && (depth < maxDepth || isPrimitive(type))),
    ({ choice }) => choice,
  );
  const parts = Object.entries(choices).map(([name, choice = []]) => {
    const part = choiceOf(choice, depth);
    if (choice[0]?.isRequired === true) return part;
    return rarely(part, depth > 0 && ['id', 'extension'].includes(name) ? 12 : 1 + depth);
  });
  return fc
    .tuple(...parts)
    .map((some) => Object.assign({}, ...some))
    .filter((whole) => Object.keys(whole).length > 0);
};

/** A value with different texts in place of the placeholders. */
const withTexts = (value: unknown): unknown => {
  let number = 0;
  const nextText = (): string => {
    number += 1;
    return `t${number}`;
  };
  const replace = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replaceAll(placeholder, nextText);
    if (Array.isArray(part)) return part.map(replace);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, replace(inner)]));
  };
  return replace(value);
};

/** Resources of a type of FHIR R4 with any of its elements. All texts in one are different. */
const arbitraryResources = (type: string): fc.Arbitrary<Record<string, unknown>> =>
  objectOf(() => elementsOf(type), 0).map((elements) => ({
    ...(withTexts(elements) as object),
    resourceType: type,
  }));

type Resource = Record<string, unknown>;

/** A reference to somebody known, with what was sent beside it. */
const to = (sent: unknown, reference: string): Resource => {
  const { type: _, ...rest } = (sent ?? {}) as Resource;
  return { ...rest, reference };
};

/** A concept whose first coding is known here. */
const codedIn = (sent: unknown, known: object): Resource => {
  const { coding: [first, ...others] = [], ...concept } = (sent ?? {}) as { coding?: readonly Resource[] };
  return { ...concept, coding: [{ ...first, ...known }, ...others] };
};

const firstOf = (sent: unknown): unknown => (Array.isArray(sent) ? sent[0] : undefined);

/** Performers who are at least named. */
const namePerformers = (sent: unknown): readonly Resource[] =>
  (sent as readonly { readonly actor: Resource }[]).map(({ actor, ...performer }) => ({
    ...performer,
    actor: { display: 'Ada', ...actor },
  }));

const orderStatuses: readonly unknown[] = ['draft', 'active', 'completed', 'entered-in-error'];

/** Gives a resource of a patient, by its type, what it needs to be imported. */
const completed: Readonly<Record<string, (sent: Resource, patientId: string) => Resource>> = {
  Immunization: ({ occurrenceString: _, _occurrenceString, ...sent }, patientId) => ({
    occurrenceDateTime: '2001-02-03',
    ...sent,
    vaccineCode: codedIn(sent.vaccineCode, { system: 'http://hl7.org/fhir/sid/cvx', code: '140' }),
    patient: to(sent.patient, `Patient/${patientId}`),
    ...(sent.encounter !== undefined && { encounter: to(sent.encounter, `Encounter/visit-${patientId}`) }),
    ...(sent.performer !== undefined && { performer: namePerformers(sent.performer) }),
    ...(sent.isSubpotent === true && { isSubpotent: false }),
  }),
  ServiceRequest: (sent, patientId) => ({
    authoredOn: '2001-02-03T04:05:06Z',
    ...sent,
    status: orderStatuses.includes(sent.status) ? sent.status : 'active',
    intent: 'order',
    category: [codedIn(firstOf(sent.category), { system: 'http://snomed.info/sct', code: '108252007' })],
    code: codedIn(sent.code, { system: 'http://loinc.org', code: '718-7' }),
    subject: to(sent.subject, `Patient/${patientId}`),
    ...(sent.doNotPerform === true && { doNotPerform: false }),
  }),
  Goal: (sent, patientId) => ({
    ...sent,
    description: { ...(sent.description as Resource), text: 'Walk' },
    subject: to(sent.subject, `Patient/${patientId}`),
  }),
  CareTeam: (sent, patientId) => {
    const { participant = [{}] } = sent as { participant?: readonly Resource[] };
    const [first, ...others] = participant;
    const ada = (one: Resource) => ({
      ...one,
      role: [codedIn(firstOf(one.role), cardiologist)],
      member: to(one.member, 'Practitioner/ada'),
    });
    return {
      ...sent,
      subject: to(sent.subject, `Patient/${patientId}`),
      participant: [{ ...first, member: to(first?.member, 'Organization/lab') }, ...others.map(ada)],
    };
  },
  Patient: (sent) => sent,
  Practitioner: (sent) => sent,
  Organization: (sent) => ({ name: 'Ward', ...sent }),
  Encounter: (sent, patientId) => ({
    ...sent,
    subject: to(sent.subject, `Patient/${patientId}`),
    ...(sent.status === 'entered-in-error' && { status: 'finished' }),
  }),
};

/** The types of resources that can be imported. */
export const importableTypes = Object.keys(completed);

/** The JSON text of a resource, in which a decimal can end with a zero. */
export const textOf = (resource: object): string => JSON.stringify(resource).replaceAll('12.25', '12.250');

/** Whether all decimals in a text have the digits that were sent. */
export const hasSentDigits = (text: string): boolean => !/12\.25(?!0)/.test(text);

/** A resource with a number, whose texts no resource with another number has. */
export const withNumber = (resource: Resource, number: number): Resource =>
  JSON.parse(JSON.stringify({ ...resource, id: `r${number}` }).replaceAll(/\bt(\d+)\b/g, `t$1r${number}`));

/** Resources of a patient that can be imported, with any elements of FHIR R4. */
export const importableResources = (type: string, patientId = 'amy'): fc.Arbitrary<Resource> =>
  arbitraryResources(type).map((resource) => completed[type]?.(resource, patientId) ?? resource);

/** The paths of the elements of a type, and of those within them that have no type of their own. */
export const pathsOf = (type: string): readonly string[] => {
  const below = (elements: readonly ElementOfType[], parent: string): readonly string[] =>
    elements.flatMap(({ name, type: ofElement, elements: inner }) => {
      const path = `${parent}.${name}`;
      if (refused.includes(name)) return [];
      return [path, ...(ofElement === null && parent.split('.').length < 3 ? below(inner(), path) : [])];
    });
  return below(elementsOf(type), type);
};
