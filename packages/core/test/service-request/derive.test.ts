import { describe, expect, test } from 'vitest';
import { categories } from '../../src/service-request/model.ts';
import { deriveServiceRequest } from '../../src/service-request/record.ts';
import { committed, completed, extensionBase, inError, orderBody, recordOf, staged } from '../builders.ts';

const derive = (command: ReturnType<typeof staged<ReturnType<typeof orderBody>>>) =>
  deriveServiceRequest(extensionBase)(recordOf(command));

test('an order derives with all of its elements', () => {
  const body = orderBody({
    occurrencePeriod: { start: '2026-02-01', end: '2026-02-28' },
    requesterId: 'dr-2',
    reasonConditionIds: ['c1', 'c2'],
  });
  expect(derive(committed(body, 1))).toEqual({
    resourceType: 'ServiceRequest',
    id: 'r1',
    status: 'active',
    intent: 'order',
    category: [
      {
        coding: [{ system: 'http://snomed.info/sct', code: '108252007', display: 'Laboratory procedure' }],
      },
    ],
    code: { coding: [{ system: 'http://loinc.org', code: '2093-3', display: 'Cholesterol' }] },
    subject: { reference: 'Patient/p1', type: 'Patient' },
    occurrencePeriod: { start: '2026-02-01', end: '2026-02-28' },
    authoredOn: '2026-01-02T03:04:05.678+00:00',
    requester: { reference: 'Practitioner/dr-2', type: 'Practitioner' },
    reasonReference: [
      { reference: 'Condition/c1', type: 'Condition' },
      { reference: 'Condition/c2', type: 'Condition' },
    ],
  });
});

test('fields that are absent are omitted', () => {
  expect(Object.keys(derive(staged(orderBody({ reasonConditionIds: [] }))) ?? {}).toSorted()).toEqual([
    'authoredOn',
    'category',
    'code',
    'id',
    'intent',
    'resourceType',
    'status',
    'subject',
  ]);
});

test('a request needs an order', () => {
  expect(deriveServiceRequest(extensionBase)(recordOf())).toBeNull();
});

describe('status', () => {
  const order = orderBody();
  test.each([
    ['staged is draft', staged(order), 'draft'],
    ['committed is active', committed(order, 1), 'active'],
    ['completed when the order is completed', completed(committed(order, 1)), 'completed'],
    ['entered-in-error when the command is', inError(committed(order, 1)), 'entered-in-error'],
    ['entered-in-error of a draft', inError(staged(order)), 'entered-in-error'],
    [
      'entered-in-error of one that was completed',
      inError(completed(committed(order, 1))),
      'entered-in-error',
    ],
  ] as const)('%s', (_what, command, status) => {
    expect(derive(command)?.status).toBe(status);
  });
});

describe('requester', () => {
  test('is the practitioner who ordered', () => {
    expect(
      derive(committed(orderBody({ requesterId: 'dr-2' }), 1, { by: 'Practitioner/dr-1' }))?.requester
        ?.reference,
    ).toBe('Practitioner/dr-2');
  });

  test('is the practitioner who committed the command, if no orderer is given', () => {
    expect(derive(committed(orderBody(), 1, { by: 'Practitioner/dr-1' }))?.requester).toEqual({
      reference: 'Practitioner/dr-1',
      type: 'Practitioner',
    });
  });

  test('shows the name that is stored with the id, and never the name of the committer for the orderer', () => {
    const displayIn = (body: Parameters<typeof orderBody>[0]) =>
      derive(committed(orderBody(body), 1, { by: 'Practitioner/dr-1', byDisplay: 'Ada King' }))?.requester
        ?.display;
    expect(displayIn({})).toBe('Ada King');
    expect(displayIn({ requesterId: 'dr-2', requesterDisplay: 'Bob Gray' })).toBe('Bob Gray');
    expect(displayIn({ requesterId: 'dr-2' })).toBeUndefined();
  });

  test('is absent while the order is a draft, or if it is not known', () => {
    expect(derive(staged(orderBody()))).not.toHaveProperty('requester');
    expect(derive(committed(orderBody(), 1, { by: null }))).not.toHaveProperty('requester');
  });
});

test.each([
  ['imagingOrder', '363679005', 'Imaging'],
  ['labOrder', '108252007', 'Laboratory procedure'],
  ['referral', '386053000', 'Evaluation procedure (procedure)'],
] as const)('the category of %s is %s, %s', (kind, code, display) => {
  const system = 'http://snomed.info/sct';
  expect(derive(staged(orderBody({ kind })))?.category).toEqual([{ coding: [{ system, code, display }] }]);
});

test('there are no other categories', () => {
  expect(Object.keys(categories)).toHaveLength(3);
});
