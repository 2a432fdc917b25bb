import { describe, expect, test } from 'vitest';
import { statusOf } from '../../src/chart/command.ts';
import { utc } from '../../src/fhir/date-time.ts';
import { deriveGoal } from '../../src/goal/record.ts';
import { createGoalSourceReader } from '../../src/goal/source.ts';
import { expectInvalid, rightOf } from '../results.ts';

const extensionBase = 'https://clinic.example/fhir/extensions';
const derive = deriveGoal(extensionBase);

const now = () => Date.UTC(2026, 5, 1);
let made = 0;
const newId = () => `made-${++made}`;
const read = createGoalSourceReader({ now, newId, zone: utc, extensionBase });
const foreign = (rest: object = {}) => ({
  resourceType: 'Goal',
  id: 'g1',
  lifecycleStatus: 'active',
  description: { text: 'Walk every day' },
  subject: { reference: 'Patient/p1' },
  ...rest,
});
const goal = (rest: object = {}) => derive(rightOf(read(foreign(rest))).value);
const issuesOf = (rest: object) =>
  rightOf(read(foreign(rest))).issues.map(({ rule, expression }) => `${rule} at ${expression}`);

test.each([
  ['proposed', 'active'],
  ['planned', 'active'],
  ['accepted', 'active'],
  ['active', 'active'],
  ['on-hold', 'active'],
  ['completed', 'completed'],
  ['cancelled', 'completed'],
  ['rejected', 'completed'],
  ['entered-in-error', 'entered-in-error'],
])('a goal that is %s in the source is %s here', (lifecycleStatus, here) => {
  expect(goal({ lifecycleStatus })?.lifecycleStatus).toBe(here);
});

test('if a goal is entered in error, only its goal command is', () => {
  const rest = { lifecycleStatus: 'entered-in-error', note: [{ text: 'Better' }] };
  const { commands } = rightOf(read(foreign(rest))).value;
  expect(commands.map(statusOf)).toEqual(['entered-in-error', 'committed']);
});

test('a goal that the library has returned is read as itself', () => {
  const ours = {
    ...foreign(),
    lifecycleStatus: 'completed',
    achievementStatus: {
      coding: [
        {
          system: 'http://terminology.hl7.org/CodeSystem/goal-achievement',
          code: 'achieved',
          display: 'Achieved',
        },
      ],
    },
    priority: {
      coding: [
        {
          system: 'http://terminology.hl7.org/CodeSystem/goal-priority',
          code: 'low-priority',
          display: 'Low Priority',
        },
      ],
    },
    subject: { reference: 'Patient/p1', type: 'Patient' },
    startDate: '2026-01-02',
    target: [{ dueDate: '2026-12-31' }],
    expressedBy: { reference: 'Practitioner/dr-1', type: 'Practitioner', display: 'Dr One' },
    note: [
      {
        id: 'n1',
        authorReference: { reference: 'Practitioner/dr-2', type: 'Practitioner' },
        time: '2026-02-03T04:05:06.789+00:00',
        text: 'Better',
      },
    ],
  };
  expect(rightOf(read(ours)).issues).toEqual([]);
  expect(derive(rightOf(read(ours)).value)).toEqual(ours);
});

test('the description is the text, or else the first display', () => {
  const coding = [{ code: '1' }, { code: '2', display: 'Walking' }];
  expect(goal({ description: { coding } })?.description.text).toBe('Walking');
  expect(goal({ description: { text: 'Walk', coding } })?.description.text).toBe('Walk');
});

test('a note with a future time is committed now, and its time is reported as it was sent', () => {
  const ahead = { startDate: '2026-01-02', note: [{ text: 'Better', time: '2126-01-01' }] };
  expect(goal(ahead)?.note?.[0]?.time).toBe('2126-01-01');
  const { commands } = rightOf(read(foreign(ahead))).value;
  expect(commands.map(({ committed }) => committed?.at)).toEqual([Date.UTC(2026, 0, 2), now()]);
});

test('a note without an id gets one, and its time is reported as it was sent, or not at all', () => {
  const note = [{ text: 'Better' }, { text: 'Worse', time: '2025' }];
  expect(goal({ startDate: '2026-01-02', note })?.note).toEqual([
    { id: expect.stringMatching(/^made-\d+$/), text: 'Better' },
    { id: expect.stringMatching(/^made-\d+$/), time: '2025', text: 'Worse' },
  ]);
});

test('a note with the id of an earlier note gets another, because ids in a resource are unique', () => {
  const note = ['Better', 'Worse', 'Same'].map((text) => ({ id: 'n1', text }));
  expect(goal({ note })?.note?.map(({ id }) => id)).toEqual([
    'n1',
    expect.stringMatching(/^made-\d+$/),
    expect.stringMatching(/^made-\d+$/),
  ]);
});

test.each(['Patient/p1', 'https://there.example/Practitioner/dr-1', '#dr', undefined])(
  'a person who is not named as a practitioner keeps the name, and is left out and reported without one: %s',
  (reference) => {
    const rest = {
      expressedBy: { reference, display: 'Dr One' },
      note: [{ text: 'Better', authorReference: { reference } }],
    };
    expect(goal(rest)?.expressedBy).toEqual({ display: 'Dr One' });
    expect(goal(rest)?.note?.[0]).not.toHaveProperty('authorReference');
    expect(issuesOf(rest)).toEqual(['left-out at Goal.note[0].authorReference']);
  },
);

test('an author who is named only by a text keeps the name', () => {
  const rest = { note: [{ text: 'Better', authorString: 'Dr One' }] };
  expect(goal(rest)?.note).toMatchObject([{ text: 'Better', authorReference: { display: 'Dr One' } }]);
  expect(issuesOf(rest)).toEqual([]);
});

test.each([
  ['no code', { text: 'fine' }],
  ['a code that FHIR does not know', { coding: [{ code: 'constructor' }] }],
  [
    'a code of another system',
    {
      coding: [
        { system: 'urn:x', code: 'achieved' },
        { system: 'urn:x', code: 'low-priority' },
      ],
    },
  ],
])('an achievement or a priority with %s is left out and reported', (_what, concept) => {
  const rest = { achievementStatus: concept, priority: concept };
  expect(goal(rest)).not.toHaveProperty('achievementStatus');
  expect(goal(rest)).not.toHaveProperty('priority');
  expect(issuesOf(rest)).toEqual(['left-out at Goal.achievementStatus', 'left-out at Goal.priority']);
});

test('a code counts in the system of FHIR, whatever other systems say', () => {
  const system = 'http://terminology.hl7.org/CodeSystem/goal-achievement';
  const coding = [
    { system: 'urn:x', code: 'achieved' },
    { system, code: 'not-achieved' },
  ];
  expect(goal({ achievementStatus: { coding } })?.achievementStatus?.coding[0]?.code).toBe('not-achieved');
  expect(goal({ priority: { coding: [{ code: 'low-priority' }] } })?.priority?.coding[0]?.code).toBe(
    'low-priority',
  );
});

test('a code counts in the system of FHIR under its earlier URL', () => {
  const codedIn = (system: string) => ({
    achievementStatus: { coding: [{ system: `http://hl7.org/fhir/${system}`, code: 'not-achieved' }] },
    priority: { coding: [{ system: 'http://hl7.org/fhir/goal-priority', code: 'low-priority' }] },
  });
  const earlier = codedIn('goal-achievement');
  expect(goal(earlier)).toMatchObject({
    achievementStatus: { coding: [{ code: 'not-achieved' }] },
    priority: { coding: [{ code: 'low-priority' }] },
  });
  expect(issuesOf(earlier)).toEqual([]);
  expect(issuesOf(codedIn('goal-status'))).toEqual(['left-out at Goal.achievementStatus']);
});

test('the first of several known codes counts, and the others are reported', () => {
  const codings = (system: string, ...codes: string[]) => ({
    coding: [{ system: 'urn:x', code: 'x' }, ...codes.map((code) => ({ system, code }))],
  });
  const rest = {
    achievementStatus: codings(
      'http://terminology.hl7.org/CodeSystem/goal-achievement',
      ...['in-progress', 'worsening', 'in-progress', 'unheard-of'],
    ),
    priority: codings('http://terminology.hl7.org/CodeSystem/goal-priority', 'low-priority', 'high-priority'),
  };
  expect(goal(rest)).toMatchObject({
    achievementStatus: { coding: [{ code: 'in-progress' }] },
    priority: { coding: [{ code: 'low-priority' }] },
  });
  expect(issuesOf(rest)).toEqual([
    'left-out at Goal.achievementStatus.coding[2]',
    'left-out at Goal.priority.coding[2]',
  ]);
});

test('the first target with a due date counts, and the others are further targets if they say anything else', () => {
  const dates = ['2027', '2028', '2027', '2026-03'].map((dueDate) => ({ dueDate }));
  const target = [{ measure: { text: 'Weight' } }, ...dates];
  expect(goal({ target })?.target).toEqual([{ dueDate: '2027' }]);
  expect(issuesOf({ target })).toEqual([]);
  const due = (valueDate: string) => ({ url: 'due', valueDate });
  const weight = { url: 'measure', valueCodeableConcept: { text: 'Weight' } };
  expect(goal({ target })?.extension).toMatchObject([
    { extension: [weight] },
    { extension: [due('2028')] },
    { extension: [due('2026-03')] },
  ]);
  const measured = [{ measure: { text: 'Weight' } }, { measure: { text: 'Height' } }];
  expect(goal({ target: measured })?.target).toEqual(measured.slice(0, 1));
  expect(goal({ target: measured })?.extension).toHaveLength(1);
  expect(goal({ target: [] })).not.toHaveProperty('target');
});

test('a target keeps its measure and one value to reach', () => {
  const weight = { text: 'Weight' };
  const amount = { value: 80, unit: 'kg' };
  const due = [{ dueDate: '2027' }, { dueDuration: { value: 6, unit: 'month' } }, {}];
  const details = [
    ...[{ detailQuantity: { ...amount, comparator: '<=' } }, { detailRange: { low: amount } }],
    ...[{ detailCodeableConcept: { text: 'Less' } }, { detailString: 'Less' }, { detailBoolean: false }],
    ...[{ detailInteger: -3 }, { detailRatio: { numerator: amount, denominator: amount } }, {}],
  ];
  for (const dueBy of due) {
    for (const detail of details) {
      const target = [{ measure: weight, ...detail, ...dueBy }];
      expect([goal({ target })?.target, issuesOf({ target })]).toEqual([target, []]);
    }
  }
  const both = { measure: weight, detailString: 'Less', detailBoolean: true };
  const target = [{ dueDate: '2027', dueDuration: amount, ...both }];
  expect(goal({ target })?.target).toEqual([{ dueDate: '2027', measure: weight, detailString: 'Less' }]);
  expect(issuesOf({ target })).toEqual([
    'left-out at Goal.target[0].detailBoolean',
    'left-out at Goal.target[0].dueDuration',
  ]);
});

test('the elements at which no rule looks are read as they were sent, without those that are not valid', () => {
  const elements = {
    description: { text: 'Walk', coding: [{ system: 'http://snomed.info/sct', code: '281090004' }] },
    category: [{ coding: [{ code: 'dietary' }] }],
    addresses: [{ reference: 'Condition/c', type: 'Condition' }, { display: 'Knee pain' }],
    statusDate: '2026-02-01',
    statusReason: 'She asked for it',
    outcomeCode: [{ text: 'Walks 2 km' }],
    outcomeReference: [{ reference: 'Observation/o', type: 'Observation' }],
    startCodeableConcept: { text: 'Discharge' },
  };
  expect(goal(elements)).toMatchObject(elements);
  expect(issuesOf(elements)).toEqual([]);
  const invalid = {
    description: { text: 'Walk', coding: [{ code: '1', userSelected: 'yes' }] },
    category: [7, { text: 'Dietary' }],
    addresses: [{ reference: 'Patient/p1' }],
    statusReason: '',
    startDate: '2026',
    startCodeableConcept: { text: 'Discharge' },
  };
  expect(goal(invalid)).toMatchObject({
    description: { text: 'Walk', coding: [{ code: '1' }] },
    category: [{ text: 'Dietary' }],
    startDate: '2026',
  });
  expect(goal(invalid)).not.toHaveProperty('startCodeableConcept');
  expect(issuesOf(invalid)).toEqual([
    'left-out at Goal.description.coding[0].userSelected',
    'left-out at Goal.category[0]',
    'left-out at Goal.addresses[0]',
    'left-out at Goal.statusReason',
    'left-out at Goal.startCodeableConcept',
  ]);
});

describe('a status that no goal has here is reported, and is in an extension', () => {
  const url = `${extensionBase}/source-status`;
  test.each(['proposed', 'planned', 'accepted', 'on-hold', 'cancelled', 'rejected'])('%s', (valueCode) => {
    const sent = { lifecycleStatus: valueCode, statusDate: '2026-02-01', statusReason: 'A reason' };
    const read = goal(sent);
    const { lifecycleStatus: _, ...facts } = sent;
    expect(read).toMatchObject({ extension: [{ url, valueCode }], ...facts });
    expect(issuesOf(sent)).toEqual(['nearest-status at Goal.lifecycleStatus']);
    // The goal that was read is imported as itself.
    expect([goal(read ?? {}), issuesOf(read ?? {})]).toEqual([read, []]);
  });
  test('any other status has neither', () => {
    for (const lifecycleStatus of ['active', 'completed', 'entered-in-error']) {
      expect(goal({ lifecycleStatus })).not.toHaveProperty('extension');
      expect(issuesOf({ lifecycleStatus })).toEqual([]);
    }
  });
  test('an extension that contradicts the status is left out and reported', () => {
    const contradicting = { lifecycleStatus: 'active', extension: [{ url, valueCode: 'cancelled' }] };
    const unknown = { lifecycleStatus: 'active', extension: [{ url, valueCode: 'draft' }] };
    for (const sent of [contradicting, unknown]) {
      expect(goal(sent)).not.toHaveProperty('extension');
      expect(issuesOf(sent)).toEqual(['left-out at Goal.extension']);
    }
  });
});

describe('a goal that cannot be imported is refused', () => {
  test.each([
    ['a state that FHIR does not know', { lifecycleStatus: 'closed' }, 'value at Goal.lifecycleStatus'],
    ['a goal without a description', { description: { coding: [] } }, 'required at Goal.description'],
    ['a goal of a group', { subject: { reference: 'Group/1' } }, 'reference at Goal.subject'],
    ['a goal without an id', { id: undefined }, 'required at Goal.id'],
  ])('%s', (_what, rest, fault) => {
    expectInvalid(read(foreign(rest)), fault);
  });
});

test('a part that is not valid is left out, and reported where it was sent', () => {
  const sent = {
    startDate: '2023-02-30',
    statusDate: 'soon',
    target: [{ dueDate: 'later', detailString: 'x' }],
    note: [null, { text: 'a', time: '2026-03-01T09:30' }, { text: '' }, { text: 'b', authorReference: {} }],
  };
  expect(issuesOf(sent)).toEqual(
    [
      'startDate',
      'statusDate',
      'target[0].dueDate',
      'note[0]',
      'note[1].time',
      'note[2]',
      'note[3].authorReference',
    ].map((element) => `left-out at Goal.${element}`),
  );
  expect(goal(sent)).toMatchObject({ target: [{ detailString: 'x' }], note: [{ text: 'a' }, { text: 'b' }] });
  expect(goal(sent)).not.toHaveProperty('startDate');
});
