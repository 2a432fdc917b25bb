import { beforeEach, describe, expect, test } from 'vitest';
import {
  goal,
  hemoglobin,
  immunize,
  influenza,
  labOrder,
  lead,
  noteId,
  participant,
  snomed,
  team,
} from '../builders.ts';
import { cardiologist } from '../clinic.ts';
import { onEveryStore } from '../stores.ts';

type Row = readonly [sentence: string, value: unknown];

const fields = {
  'ServiceRequest/hb': [
    ['resourceType | Always ServiceRequest', 'ServiceRequest'],
    ['id | Identifier of the request', 'hb'],
    ['status | One of: active, completed, draft, entered-in-error', 'active'],
    ['intent | Only value: order', 'order'],
    [
      'category | array of object, each has coding (array)',
      [{ coding: [{ system: snomed, code: '108252007', display: 'Laboratory procedure' }] }],
    ],
    ['code | What is requested, with coding (array)', { coding: [hemoglobin] }],
    [
      'subject | reference (string, `Patient/<patient_id>`), type',
      { reference: 'Patient/amy', type: 'Patient' },
    ],
    [
      'occurrencePeriod | start (datetime, inclusive), end (datetime, inclusive)',
      { start: '2026-03-02', end: '2026-03-09' },
    ],
    ['authoredOn | When the request was authored', '2026-02-28T10:15:30.123456+00:00'],
    [
      'requester | reference (string, `Practitioner/<practitioner_id>`), type',
      { reference: 'Practitioner/bob', type: 'Practitioner' },
    ],
    [
      'reasonReference | Each has reference (string, `Condition/<condition_id>`) and type',
      [{ reference: 'Condition/anemia', type: 'Condition' }],
    ],
  ],
  'Goal/walk': [
    ['resourceType | Always Goal', 'Goal'],
    ['id | Identifier of the goal', 'walk'],
    ['lifecycleStatus | active, completed, entered-in-error', 'active'],
    [
      'achievementStatus | coding (array) of system/code/display',
      {
        coding: [
          {
            system: 'http://terminology.hl7.org/CodeSystem/goal-achievement',
            code: 'improving',
            display: 'Improving',
          },
        ],
      },
    ],
    [
      'priority | coding (array) of system/code/display',
      {
        coding: [
          {
            system: 'http://terminology.hl7.org/CodeSystem/goal-priority',
            code: 'low-priority',
            display: 'Low Priority',
          },
        ],
      },
    ],
    ['description | text (string): human-readable goal text', { text: 'Walk a mile' }],
    [
      'subject | reference (string, `Patient/<patient_id>`), type (string)',
      { reference: 'Patient/amy', type: 'Patient' },
    ],
    ['startDate | When pursuit of the goal begins', '2026-03-01'],
    [
      'target | At most one element, holding dueDate (date, reach goal on or before)',
      [{ dueDate: '2026-06-01' }],
    ],
    [
      'expressedBy | The practitioner who committed the goal command',
      { reference: 'Practitioner/ada', type: 'Practitioner' },
    ],
    [
      'note | id, authorReference, time, text of the annotation',
      [
        {
          id: expect.stringMatching(/^[A-Za-z0-9\-.]{1,64}$/),
          authorReference: { reference: 'Practitioner/ada', type: 'Practitioner' },
          time: expect.stringMatching(/^2026-03-01T08:\d\d:\d\d\.250\+00:00$/),
          text: 'Half a mile',
        },
      ],
    ],
  ],
  'CareTeam/amy': [
    ['resourceType | Always CareTeam', 'CareTeam'],
    ["id | Equals the patient's identifier for the active team", 'amy'],
    ['status | One of: proposed, active, suspended, inactive, entered-in-error', 'active'],
    ['name | Always `Care Team for <patient_last_name>, <patient_first_name>`', 'Care Team for Shaw, Amy'],
    [
      'subject | display (string, `<patient_last_name>, <patient_first_name>`)',
      { reference: 'Patient/amy', type: 'Patient', display: 'Shaw, Amy' },
    ],
    [
      'participant | extension (Lead marker), role, member',
      [
        {
          extension: lead(true),
          role: [{ coding: [cardiologist] }],
          member: { reference: 'Practitioner/ada', type: 'Practitioner', display: 'Ada Byron' },
        },
      ],
    ],
  ],
  'Immunization/shot': [
    ['resourceType | Always Immunization', 'Immunization'],
    ['id | Identifier (UUID) of the immunization', 'shot'],
    ['extension | Note identifier extension', noteId('note-amy')],
    ['status | completed, entered-in-error, not-done', 'not-done'],
    [
      'statusReason | present only when a reason for not-done is recorded',
      { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActReaso', code: 'PATOBJ' }] },
    ],
    ['vaccineCode | coding (array) of system/code/display', { coding: [influenza] }],
    [
      'patient | reference (string, `Patient/<patient_id>`), type (string)',
      { reference: 'Patient/amy', type: 'Patient' },
    ],
    [
      'encounter | reference (string, `Encounter/<encounter_id>`), type',
      { reference: 'Encounter/visit-amy', type: 'Encounter' },
    ],
    ['occurrenceDateTime | When the vaccine was administered or reported as administered', '2025-10-01'],
    ['primarySource | true: administered within the clinic', true],
    ['note | Each has text (string)', [{ text: 'Left arm' }]],
  ],
} as const satisfies Record<string, readonly Row[]>;

onEveryStore('Resources and their fields', (clinic) => {
  beforeEach(async () => {
    await clinic().record(
      labOrder({
        id: 'hb',
        occurrencePeriod: { start: '2026-03-02', end: '2026-03-09' },
        authoredOn: '2026-02-28T10:15:30.123456+00:00',
        requesterId: 'bob',
        reasonConditionIds: ['anemia'],
      }),
    );
    await clinic().record(
      goal({
        startDate: '2026-03-01',
        dueDate: '2026-06-01',
        priority: 'low-priority',
        achievementStatus: 'improving',
        progress: 'Half a mile',
      }),
    );
    await clinic().record(
      immunize({ statusReason: { coding: [{ code: 'PATOBJ' }] }, note: [{ text: 'Left arm' }] }),
    );
    const body = team(participant('Practitioner/ada', cardiologist, lead(true)));
    await clinic().put('/CareTeam/amy', body);
  });

  describe.each(Object.entries(fields))('%s', (path, rows: readonly Row[]) => {
    test.each(rows)('%s', async (sentence, value) => {
      const { json } = await clinic().get(`/${path}`);
      expect(json[sentence.split(' ')[0] ?? '']).toEqual(value);
    });
    test('and no others', async () => {
      const { json } = await clinic().get(`/${path}`);
      expect(Object.keys(json).sort()).toEqual(rows.map(([sentence]) => sentence.split(' ')[0]).sort());
    });
  });
});
