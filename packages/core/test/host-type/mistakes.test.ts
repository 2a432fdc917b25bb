import { expect, test } from 'vitest';
import * as z from 'zod';
import {
  anyConcept,
  defineResource,
  element,
  elementReference,
  list,
  reference,
} from '../../src/define-resource.ts';

const spec = {
  type: 'FamilyMemberHistory',
  name: 'familyHistories',
  patient: 'patient',
  profile: 'http://hl7.org/fhir/StructureDefinition/FamilyMemberHistory',
  elements: {
    patient: reference('Patient'),
    status: anyConcept,
    condition: list(element({ code: anyConcept })),
  },
  choices: [],
  identity: { concept: 'condition.code' },
  search: { code: { kind: 'token', at: 'condition.code' } },
  references: {},
  people: [],
  mandatory: ['status', 'born[x]'],
  summary: [],
  inError: 'status.coding.code',
  isEnd: () => false,
  otherVersions: [],
  writes: ['create'],
} as const;

/** Plain JavaScript can make each mistake that the compiler finds. */
const define = (change: object) => () => defineResource({ ...spec, ...change } as typeof spec);

test('without a mistake, it is a type with a name', () => {
  expect(define({})()).toEqual({ type: 'FamilyMemberHistory', name: 'familyHistories' });
});

test('a date of which no resource has several can say so', () => {
  const seen = element({ at: z.string(), period: element({ start: z.string().optional() }) }).optional();
  for (const at of ['seen.at', 'seen.period.start', ['seen.period']])
    expect(
      define({
        elements: { ...spec.elements, seen },
        search: { seen: { kind: 'date', isSingle: true, at } },
      }),
    ).not.toThrow();
});

const withElement = (schema: unknown) => ({ elements: { ...spec.elements, more: schema } });

test.each<[string, object, string]>([
  ['a misspelt property', { sumary: [] }, 'there is no sumary. There are type, name,'],
  ['a missing one', { people: undefined }, 'people is missing, or not valid.'],
  ['a name that the records have', { name: 'chart' }, 'The records have chart already.'],
  ['a name that every object has', { name: 'constructor' }, 'name is missing, or not valid.'],
  ['the name of a promise', { name: 'then' }, 'The records have then already.'],
  ['a type of the library', { type: 'Goal' }, "The type Goal is one of the library's own."],
  ['a type of the directory', { type: 'Patient' }, "The type Patient is one of the library's own."],
  ['a type of another record', { type: 'Note' }, "The type Note is one of the library's own."],
  ['a type that no FHIR has', { type: 'family-history' }, 'type is missing, or not valid.'],
  [
    'a long type',
    { type: 'MedicinalProductAuthorization' },
    'initial must have at most 22 letters, as the ids of Provenances begin with it.',
  ],
  ['a profile that is no URL', { profile: 'FamilyMemberHistory' }, 'profile is missing, or not valid.'],
  [
    'a patient who may be missing',
    { elements: { ...spec.elements, patient: reference('Patient').optional() } },
    "elements.patient must be reference('Patient'): each resource belongs to the chart of one.",
  ],
  [
    'a patient who may be only a name',
    { elements: { ...spec.elements, patient: elementReference('Patient') } },
    "elements.patient must be reference('Patient'): each resource belongs to the chart of one.",
  ],
  [
    'no patient',
    { patient: 'subject' },
    "elements.subject must be reference('Patient'): each resource belongs to the chart of one.",
  ],
  [
    'a choice of one element',
    { choices: ['status[x]'] },
    'choices has status[x], of which there are not two elements.',
  ],
  [
    'an identity of what it does not have',
    { identity: { concept: 'name' } },
    'identity.concept leads to no element.',
  ],
  ['an identity of something else', { identity: { code: 'status' } }, 'identity.code leads to no element.'],
  ['a forgotten identity', { identity: undefined }, 'identity is missing, or not valid.'],
  ['a choice without [x]', { choices: ['status'] }, 'choices is missing, or not valid.'],
  ['an element that every type has', withElement(undefined), 'elements.more must be a schema.'],
  [
    'an element that is not a schema',
    { elements: { ...spec.elements, meta: anyConcept } },
    'elements cannot have meta.',
  ],
  [
    'an object that drops what it does not know',
    withElement(z.object({ a: z.string() })),
    'elements.more drops elements that it does not know. Make it with element().',
  ],
  [
    'one within others',
    withElement(
      list(element({ inner: list(z.union([z.string(), z.object({ a: z.string() })])).optional() })),
    ),
    'elements.more.inner drops elements that it does not know. Make it with element().',
  ],
  [
    'one that keeps everything',
    withElement(z.looseObject({})),
    'elements.more drops elements that it does not know. Make it with element().',
  ],
  [
    'a schema that changes what was sent',
    withElement(z.string().transform((sent) => sent.trim())),
    'elements.more has a schema of the kind pipe, which does not return what was sent.',
  ],
  [
    'a value that JSON does not have',
    withElement(z.date()),
    'elements.more has a schema of the kind date, which does not return what was sent.',
  ],
  [
    'a parameter without a path',
    { search: { code: { kind: 'token' } } },
    'search.code.at leads to no element.',
  ],
  [
    'a single value of a list',
    {
      elements: { ...spec.elements, seen: list(element({ at: z.string() })) },
      search: { seen: { kind: 'date', isSingle: true, at: 'seen.at' } },
    },
    'search.seen cannot have isSingle: at may lead to several values.',
  ],
  [
    'a single value of two elements',
    { search: { seen: { kind: 'date', isSingle: true, at: ['status', 'status'] } } },
    'search.seen cannot have isSingle: at may lead to several values.',
  ],
  [
    'a misspelt path',
    { search: { code: { kind: 'token', at: 'condition.cod' } } },
    'search.code.at leads to no element.',
  ],
  [
    'a kind that is none',
    { search: { code: { kind: 'number', at: 'status' } } },
    'search.code.kind must be one of token, reference, date, string.',
  ],
  [
    'a function without a version',
    { search: { code: { kind: 'token', at: () => [] } } },
    'search.code computes its values, so it needs a version.',
  ],
  [
    'a parameter that every type has',
    { search: { patient: { kind: 'token', at: 'status' } } },
    'search cannot have patient.',
  ],
  [
    'a reference that leads nowhere',
    { references: { relative: 'relatives' } },
    'references.relative leads to no element.',
  ],
  [
    'a place of the error that leads nowhere',
    { inError: 'verificationStatus' },
    'inError leads to no element.',
  ],
  ['people in no element', { people: ['recorder'] }, 'people names recorder, which is not an element.'],
  [
    'a mandatory element that is none',
    { mandatory: ['code'] },
    'mandatory names code, which is not an element.',
  ],
  ['a write that is none', { writes: ['delete'] }, 'writes is missing, or not valid.'],
])('refused: %s', (_, change, sentence) => {
  expect(define(change)).toThrow(TypeError);
  expect(define(change)).toThrow(sentence);
});

test('a long type has an initial of its own', () => {
  expect(define({ type: 'MedicinalProductAuthorization', initial: 'MPA' })).not.toThrow();
});
