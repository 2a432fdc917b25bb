import { describe, expect, test } from 'vitest';
import { findFhirIssues, findMissingElements, findProfileIssues } from '../index.ts';

const subject = { reference: 'Patient/7' };
const nurse = { coding: [{ system: 'http://snomed.info/sct', code: '224535009' }] };
const participant = { role: [nurse], member: { reference: 'Practitioner/12' } };

const team = { resourceType: 'CareTeam', status: 'active', subject, participant: [participant] };
const goal = { resourceType: 'Goal', lifecycleStatus: 'active', description: { text: 'Walk' }, subject };
const order = { resourceType: 'ServiceRequest', status: 'active', intent: 'order', code: nurse, subject };
const dose = {
  resourceType: 'Immunization',
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
  patient: subject,
  occurrenceDateTime: '2026-03-01',
};
const author = {
  type: {
    coding: [{ system: 'http://terminology.hl7.org/CodeSystem/provenance-participant-type', code: 'author' }],
  },
  who: { reference: 'Practitioner/12' },
};
const provenance = {
  resourceType: 'Provenance',
  target: [{ reference: 'Goal/1' }],
  recorded: '2026-03-01T08:00:00Z',
  agent: [{ ...author, onBehalfOf: { reference: 'Organization/1' } }],
};

test.each([team, goal, order, dose, provenance])('$resourceType conforms', (resource) => {
  expect([...findFhirIssues(resource), ...findProfileIssues(resource)]).toEqual([]);
});

describe('not valid FHIR', () => {
  test.each([
    ['an element that FHIR does not define', { ...goal, goal: 'x' }, /additional property "goal"/],
    ['a required element that is missing', { ...goal, description: undefined }, /Goal\.description/],
    ['a code that is not of its value set', { ...goal, lifecycleStatus: 'open' }, /lifecycleStatus/],
    ['a date with a time', { ...goal, startDate: '2026-03-01T08:00:00' }, /Goal\.start/],
    [
      'a period that ends before it starts',
      { ...order, occurrencePeriod: { start: '2026-03-02', end: '2026-03-01' } },
      /Period.*start <= end/,
    ],
    ['an extension without a value', { ...goal, extension: [{ url: 'urn:x' }] }, /ext-1/],
  ])('%s', (_, resource, issue) => {
    expect(findFhirIssues(resource).join()).toMatch(issue);
  });
});

describe('not according to US Core', () => {
  const other = (system: string) => ({ ...dose, vaccineCode: { coding: [{ system, code: 'x' }] } });
  test.each([
    ['a team without participants', { ...team, participant: undefined }, /CareTeam\.participant/],
    ['a participant without a role', { ...team, participant: [{ ...participant, role: undefined }] }, /role/],
    ['two roles', { ...team, participant: [{ ...participant, role: [nurse, nurse] }] }, /role/],
    ['a vaccine without a code in CVX', other('http://www.ama-assn.org/go/cpt'), /vaccineCode/],
    ['a code that CVX does not have', other('http://hl7.org/fhir/sid/cvx'), /cvx\|x/],
    ['a system that is not a URL', other('unstructured'), /unstructured\|x/],
    ['an unknown system of HL7', other('http://terminology.hl7.org/CodeSystem/v3-ActReaso'), /ActReaso\|x/],
    ['an unknown code of HL7', other('http://terminology.hl7.org/CodeSystem/v3-ActReason'), /ActReason\|x/],
    ['an order without a code', { ...order, code: undefined }, /ServiceRequest\.code/],
    ['an author who acts for nobody', { ...provenance, agent: [author] }, /onBehalfOf/],
  ])('%s', (_, resource, issue) => {
    expect(findFhirIssues(resource)).toEqual([]);
    expect(findProfileIssues(resource).join()).toMatch(issue);
  });
});

test('the elements that must be supported are looked for in all resources of the type', () => {
  const missing = findMissingElements([
    { ...goal, startDate: '2026-03-01' },
    { ...goal, target: [{ measure: nurse }] },
  ]);
  expect(missing.filter((path) => path.startsWith('Goal.'))).toEqual([
    'Goal.target.dueDate',
    'Goal.expressedBy',
  ]);
});
