import type { ClinicalRecordsError } from '@clinical-records/core';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  goal,
  hemoglobin,
  immunize,
  influenza,
  lab,
  labOrder,
  leadExtension,
  noteIdExtension,
  participant,
  snomed,
  statement,
  team,
} from '../../builders.ts';
import { type Clinic, cardiologist, extensionBase, nurse } from '../../clinic.ts';
import { sourceGoal, sourceImmunization, sourceOrder } from '../../library/importer/source-resources.ts';
import { withoutMeta } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

/** A row of a table of fields, and what a resource has there: of a path through arrays, each value that there is. */
type Row = readonly [row: string, value: unknown];

const calcium = { system: 'http://loinc.org', code: '17861-6', display: 'Calcium' } as const;
const measles = { system: 'unstructured', code: 'measles', display: 'Measles' } as const;
const achievementSystem = 'http://terminology.hl7.org/CodeSystem/goal-achievement';
const prioritySystem = 'http://terminology.hl7.org/CodeSystem/goal-priority';
const reasonSystem = 'http://terminology.hl7.org/CodeSystem/v3-ActReaso';

const amy = { reference: 'Patient/amy', type: 'Patient' };
const ada = { reference: 'Practitioner/ada', type: 'Practitioner', display: 'Ada Byron' };
const bob = { reference: 'Practitioner/bob', type: 'Practitioner', display: 'Bob Gray' };

const fields = {
  'ServiceRequest (read-only)': [
    'ServiceRequest/hb',
    [
      ['resourceType | string | Always ServiceRequest', 'ServiceRequest'],
      ['id | string | Identifier of the request', 'hb'],
      ['status | string | One of: active, completed, draft, entered-in-error', 'active'],
      ['intent | string | Only value: order (an order placed by a practitioner)', 'order'],
      [
        'category | array of object | Each has coding (array); the service CT classification',
        [{ coding: [{ system: snomed, code: '108252007', display: 'Laboratory procedure' }] }],
      ],
      ['category[].coding[].system | string | Only value: http://snomed.info/sct', [snomed]],
      ['category[].coding[].code | string | One of: 363679005, 108252007, 386053000', ['108252007']],
      [
        'category[].coding[].display | string | One of: Imaging, Laboratory procedure, Evaluation procedure (procedure)',
        ['Laboratory procedure'],
      ],
      ['code | object | What is requested, with coding (array)', { coding: [hemoglobin, calcium] }],
      [
        'code.coding[].system | string | Only value: http://loinc.org',
        ['http://loinc.org', 'http://loinc.org'],
      ],
      ['code.coding[].code | string | Code of the requested service', ['718-7', '17861-6']],
      ['code.coding[].display | string | Display name', ['Hemoglobin', 'Calcium']],
      ['subject | object | reference (string, `Patient/<patient_id>`), type (string, e.g. Patient)', amy],
      [
        'occurrencePeriod | object | start (datetime, inclusive), end (datetime, inclusive); the window in which the service is to occur',
        { start: '2026-03-02', end: '2026-03-09' },
      ],
      [
        'authoredOn | datetime | When the request was authored (ISO 8601 with fractional seconds and UTC offset)',
        '2026-02-28T10:15:30.123456+00:00',
      ],
      [
        'requester | object | reference (string, `Practitioner/<practitioner_id>`), type (string, e.g. Practitioner)',
        bob,
      ],
      [
        'reasonReference | array of object | Each has reference (string, `Condition/<condition_id>`) and type (string, e.g. Condition; may be omitted)',
        [
          { reference: 'Condition/anemia', type: 'Condition' },
          { reference: 'Condition/fatigue', type: 'Condition' },
        ],
      ],
    ],
  ],
  'Goal (read-only)': [
    'Goal/walk',
    [
      ['resourceType | string | Always Goal', 'Goal'],
      ['id | string | Identifier of the goal', 'walk'],
      ['lifecycleStatus | enum | active, completed, entered-in-error', 'active'],
      [
        'achievementStatus | object | coding (array) of system/code/display',
        { coding: [{ system: achievementSystem, code: 'improving', display: 'Improving' }] },
      ],
      [
        'achievementStatus.coding[].system | string | Only value: http://terminology.hl7.org/CodeSystem/goal-achievement',
        [achievementSystem],
      ],
      ['achievementStatus.coding[].code | string', ['improving']],
      ['achievementStatus.coding[].display | string | Display name', ['Improving']],
      [
        'priority | object | coding (array) of system/code/display',
        { coding: [{ system: prioritySystem, code: 'low-priority', display: 'Low Priority' }] },
      ],
      [
        'priority.coding[].system | string | sample responses carry http://terminology.hl7.org/CodeSystem/goal-priority',
        [prioritySystem],
      ],
      ['priority.coding[].code | string', ['low-priority']],
      ['priority.coding[].display | string | Display name', ['Low Priority']],
      ['description | object | text (string): human-readable goal text', { text: 'Walk a mile' }],
      ['subject | object | reference (string, `Patient/<patient_id>`), type (string)', amy],
      ['startDate | date | When pursuit of the goal begins', '2026-02-01'],
      [
        'target | array of object | At most one element, holding dueDate (date, reach goal on or before)',
        [{ dueDate: '2026-07-01' }],
      ],
      ['expressedBy | object | reference (string, `Practitioner/<practitioner_id>`), type (string)', ada],
      [
        'note | array of object | Progress and barrier comments submitted on goal-related commands',
        ['Half a mile', 'Rain', 'A mile'].map((text) => expect.objectContaining({ text })),
      ],
      [
        'note[].id | string | Identifier of the note',
        Array(3).fill(expect.stringMatching(/^[A-Za-z0-9\-.]{1,64}$/)),
      ],
      [
        'note[].authorReference | object | reference (string, `Practitioner/<practitioner_id>`), type (string)',
        [ada, ada, bob],
      ],
      [
        'note[].time | datetime | When the annotation was made',
        ['2026-03-05T10:00:01.250+00:00', '2026-03-05T10:00:01.250+00:00', '2026-03-06T10:00:01.250+00:00'],
      ],
      ['note[].text | string | Text of the annotation', ['Half a mile', 'Rain', 'A mile']],
    ],
  ],
  CareTeam: [
    'CareTeam/amy',
    [
      ['resourceType | string | Always CareTeam', 'CareTeam'],
      ["id | string | Equals the patient's identifier for the active team", 'amy'],
      ['status | string | One of: proposed, active, suspended, inactive, entered-in-error', 'active'],
      [
        'name | string | Always `Care Team for <patient_last_name>, <patient_first_name>`',
        'Care Team for Shaw, Amy',
      ],
      [
        'subject | object | reference (string, `Patient/<patient_id>`), type (string), display (string, `<patient_last_name>, <patient_first_name>`)',
        { ...amy, display: 'Shaw, Amy' },
      ],
      [
        'participant | array of object | Members of the team',
        ['Ada Byron', 'Bob Gray', 'Lab Ltd'].map((display) =>
          expect.objectContaining({ member: expect.objectContaining({ display }) }),
        ),
      ],
      [
        'participant[].extension | array of object | Lead marker. Each element: url (string, only value {extension_base}/careteam-lead) and valueBoolean (boolean; true marks the participant as lead)',
        [
          [{ url: `${extensionBase}/careteam-lead`, valueBoolean: true }],
          [{ url: `${extensionBase}/careteam-lead`, valueBoolean: false }],
        ],
      ],
      [
        'participant[].role | array of object | Each has coding (array) of system (string), code (string), display (string)',
        [[{ coding: [cardiologist] }], [{ coding: [nurse] }]],
      ],
      [
        'participant[].member | object | reference (string, `Practitioner/<practitioner_id>` or `Organization/<organization_id>`), type (string, Practitioner or Organization), display (string)',
        [ada, bob, { reference: 'Organization/lab', type: 'Organization', display: 'Lab Ltd' }],
      ],
    ],
  ],
  Immunization: [
    'Immunization/shot',
    [
      ['resourceType | string | Always Immunization', 'Immunization'],
      ['id | string | Identifier (UUID) of the immunization', 'shot'],
      [
        "extension | array of object | Note identifier extension; elements have url (only value {extension_base}/note-id) and valueId (string, the note's unique identifier, usable with the Note API)",
        noteIdExtension('note-amy'),
      ],
      ['status | enum | completed, entered-in-error, not-done', 'not-done'],
      [
        'statusReason | object | coding (array) of system/code/display; present only when a reason for not-done is recorded',
        { coding: [{ system: reasonSystem, code: 'PATOBJ', display: 'patient objection' }] },
      ],
      ['vaccineCode | object | coding (array) of system/code/display', { coding: [influenza, measles] }],
      ['vaccineCode.coding[].system | string', ['http://hl7.org/fhir/sid/cvx', 'unstructured']],
      ['vaccineCode.coding[].code | string | Vaccine code', ['140', 'measles']],
      ['vaccineCode.coding[].display | string | Display name', ['Influenza, seasonal', 'Measles']],
      ['patient | object | reference (string, `Patient/<patient_id>`), type (string)', amy],
      [
        'encounter | object | reference (string, `Encounter/<encounter_id>`), type (string, optional)',
        { reference: 'Encounter/visit-amy', type: 'Encounter' },
      ],
      [
        'occurrenceDateTime | date or datetime | When the vaccine was administered or reported as administered',
        '2025-10-01',
      ],
      ['primarySource | boolean | true: administered within the clinic', true],
      ['note | array of object | Each has text (string)', [{ text: 'Left arm' }, { text: 'No fever' }]],
    ],
  ],
} as const satisfies Record<string, readonly [path: string, rows: readonly Row[]]>;

/** The elements of which a request or an import of this was refused. */
type Refuse = (clinic: Clinic) => Promise<readonly (string | undefined)[]>;

const imported =
  (resource: object): Refuse =>
  async ({ records }) => {
    const { issues, warnings } = await records.importer.load([resource]);
    return [...issues, ...warnings].map(({ expression }) => expression);
  };

const sent =
  (method: 'POST' | 'PUT', path: string, body: object): Refuse =>
  async ({ send }) => {
    const { status, json } = await send(method, path, { body });
    expect(status).toBe(400);
    return json.issue.flatMap(({ expression }: { readonly expression: string[] }) => expression);
  };

const called =
  (call: (clinic: Clinic) => PromiseLike<unknown>): Refuse =>
  async (clinic) => {
    const refused = await Promise.resolve(call(clinic)).then(
      () => [],
      ({ issues }: ClinicalRecordsError) => issues,
    );
    return refused.map(({ expression }) => expression);
  };

/** A value that each row excludes, and the element at which it is refused. */
const refusals: readonly (readonly [heading: keyof typeof fields, row: string, Refuse, element: string])[] = [
  [
    'ServiceRequest (read-only)',
    'status | string | One of: active, completed, draft, entered-in-error',
    imported(sourceOrder('amy', { status: 'on-hold' })),
    'ServiceRequest.status',
  ],
  [
    'ServiceRequest (read-only)',
    'intent | string | Only value: order (an order placed by a practitioner)',
    imported(sourceOrder('amy', { intent: 'plan' })),
    'ServiceRequest.intent',
  ],
  [
    'ServiceRequest (read-only)',
    'category[].coding[].system | string | Only value: http://snomed.info/sct',
    imported(sourceOrder('amy', { category: [{ coding: [{ system: 'urn:x', code: '108252007' }] }] })),
    'ServiceRequest.category',
  ],
  [
    'ServiceRequest (read-only)',
    'category[].coding[].code | string | One of: 363679005, 108252007, 386053000',
    imported(sourceOrder('amy', { category: [{ coding: [{ system: snomed, code: '103693007' }] }] })),
    'ServiceRequest.category',
  ],
  [
    'ServiceRequest (read-only)',
    'category[].coding[].display | string | One of: Imaging, Laboratory procedure, Evaluation procedure (procedure)',
    called(({ record }) => record(labOrder({ category: [{ text: 'Blood test' }] } as object))),
    'Command.category',
  ],
  [
    'ServiceRequest (read-only)',
    'code.coding[].system | string | Only value: http://loinc.org',
    called(({ record }) =>
      record(labOrder({ code: { coding: [{ system: snomed, code: '718-7' }] } } as object)),
    ),
    'Command.code.coding[0].system',
  ],
  [
    'Goal (read-only)',
    'lifecycleStatus | enum | active, completed, entered-in-error',
    imported(sourceGoal('amy', { lifecycleStatus: 'finished' })),
    'Goal.lifecycleStatus',
  ],
  [
    'Goal (read-only)',
    'achievementStatus.coding[].system | string | Only value: http://terminology.hl7.org/CodeSystem/goal-achievement',
    imported(sourceGoal('amy', { achievementStatus: { coding: [{ system: 'urn:x', code: 'achieved' }] } })),
    'Goal.achievementStatus',
  ],
  [
    'Goal (read-only)',
    'target | array of object | At most one element, holding dueDate (date, reach goal on or before)',
    called(({ record }) => record(goal({ id: 'two', target: [{ detailString: 'x' }, {}] } as object))),
    'Command.target',
  ],
  [
    'CareTeam',
    'status | string | One of: proposed, active, suspended, inactive, entered-in-error',
    called(({ records }) =>
      records.careTeams.setParticipantStatus('amy', 'Practitioner/bob', 'retired' as never),
    ),
    'status',
  ],
  [
    'CareTeam',
    'participant[].extension | array of object | Lead marker. Each element: url (string, only value {extension_base}/careteam-lead) and valueBoolean (boolean; true marks the participant as lead)',
    sent(
      'PUT',
      '/CareTeam/amy',
      team(participant('Practitioner/bob', nurse, [{ url: 'urn:x', valueBoolean: true }])),
    ),
    'CareTeam.participant[0].extension[0].url',
  ],
  [
    'CareTeam',
    'participant[].member | object | reference (string, `Practitioner/<practitioner_id>` or `Organization/<organization_id>`), type (string, Practitioner or Organization), display (string)',
    called(({ records }) =>
      records.careTeams.setParticipantStatus('amy', 'Patient/ben' as never, 'active', { role: nurse }),
    ),
    'member',
  ],
  [
    'Immunization',
    "extension | array of object | Note identifier extension; elements have url (only value {extension_base}/note-id) and valueId (string, the note's unique identifier, usable with the Note API)",
    sent('POST', '/Immunization', statement({ extension: [{ url: 'urn:x', valueId: 'note-amy' }] })),
    'Immunization.extension[0].url',
  ],
  [
    'Immunization',
    'status | enum | completed, entered-in-error, not-done',
    imported(sourceImmunization('amy', { status: 'stopped' })),
    'Immunization.status',
  ],
  [
    'Immunization',
    'statusReason | object | coding (array) of system/code/display; present only when a reason for not-done is recorded',
    called(({ record }) =>
      record(immunize({ id: 'given', status: 'completed', statusReason: { coding: [{ code: 'PATOBJ' }] } })),
    ),
    'Command.statusReason',
  ],
  [
    'Immunization',
    'occurrenceDateTime | date or datetime | When the vaccine was administered or reported as administered',
    sent('POST', '/Immunization', statement({ occurrenceDateTime: 'last autumn' })),
    'Immunization.occurrenceDateTime',
  ],
];

const pathIn = (row: string): readonly string[] => (row.split(' ')[0] ?? '').split('.');

/** The values at a path; for an array, those of each of its elements. */
const valueAt = (value: unknown, [step, ...rest]: readonly string[]): unknown => {
  if (step === undefined) return value;
  const inside = (value as Record<string, unknown>)[step.replace('[]', '')];
  if (!step.endsWith('[]')) return valueAt(inside, rest);
  return (inside as readonly unknown[]).flatMap((one) => {
    const found = valueAt(one, rest);
    return found === undefined
      ? []
      : rest.some((later) => later.endsWith('[]'))
        ? (found as unknown[])
        : [found];
  });
};

onEveryStore('Fields', (clinic) => {
  beforeEach(async () => {
    await clinic().record(
      labOrder({
        id: 'hb',
        code: { coding: [hemoglobin, calcium] },
        occurrencePeriod: { start: '2026-03-02', end: '2026-03-09' },
        authoredOn: '2026-02-28T10:15:30.123456+00:00',
        requesterId: 'bob',
        reasonConditionIds: ['anemia', 'fatigue'],
      }),
    );
    clinic().clock.at('2026-03-05T10:00:00.250Z');
    await clinic().record(
      goal({
        startDate: '2026-02-01',
        dueDate: '2026-06-01',
        priority: 'low-priority',
        achievementStatus: 'in-progress',
        progress: 'Half a mile',
        barriers: 'Rain',
      }),
    );
    clinic().clock.at('2026-03-06T10:00:00.250Z');
    const later = { dueDate: '2026-07-01', achievementStatus: 'improving', progress: 'A mile' } as const;
    await clinic().record({ kind: 'updateGoal', goalId: 'walk', ...later }, 'Practitioner/bob');
    await clinic().record(
      immunize({
        vaccineCode: { coding: [influenza, measles] },
        statusReason: { coding: [{ code: 'PATOBJ', display: 'patient objection' }] },
        note: [{ text: 'Left arm' }, { text: 'No fever' }],
      }),
    );
    await clinic().put(
      '/CareTeam/amy',
      team(
        participant('Practitioner/ada', cardiologist, leadExtension(true)),
        participant('Practitioner/bob', nurse),
        lab,
      ),
    );
  });

  describe('Resources and their fields > ServiceRequest (read-only)', () => {
    const row =
      'occurrencePeriod | object | start (datetime, inclusive), end (datetime, inclusive); the window in which the service is to occur';

    test(`${row}: from the beginning of the first day to the end of the last`, async () => {
      const isFound = async (occurrence: string) => {
        const { json } = await clinic().get(`/ServiceRequest?patient=amy&occurrence=${occurrence}`);
        return json.total === 1;
      };
      for (const [occurrence, expected] of [
        ['lt2026-03-02T00:00:00Z', false],
        ['lt2026-03-02T00:00:01Z', true],
        ['gt2026-03-09T23:59:58Z', true],
        ['gt2026-03-09T23:59:59Z', false],
      ] as const)
        expect([occurrence, await isFound(occurrence)]).toEqual([occurrence, expected]);
    });

    test(`${row}: of one moment or one day, if both are the same; an end before the start is refused`, async () => {
      const moment = '2026-03-02T10:00:00Z';
      for (const [id, occurrencePeriod] of [
        ['moment', { start: moment, end: moment }],
        ['day', { start: '2026-03-02', end: '2026-03-02' }],
      ] as const) {
        await clinic().record(labOrder({ id, occurrencePeriod }));
        expect((await clinic().get(`/ServiceRequest/${id}`)).json.occurrencePeriod).toEqual(occurrencePeriod);
      }
      const backwards = { start: moment, end: '2026-03-02T09:59:59Z' };
      await expect(
        clinic().record(labOrder({ id: 'never', occurrencePeriod: backwards })),
      ).rejects.toMatchObject({
        tag: 'RuleViolation',
        issues: [{ rule: 'period-order' }],
      });
    });
  });

  for (const [heading, [path, rows]] of Object.entries(fields)) {
    describe(`Resources and their fields > ${heading}`, () => {
      test.each<Row>(rows)('%s', async (row, value) => {
        const { json } = await clinic().get(`/${path}`);
        expect(valueAt(json, pathIn(row))).toEqual(value);
      });
      test.each(refusals.filter(([one]) => one === heading).map(([, ...refusal]) => refusal))(
        '%s: anything else is refused',
        async (_, refuse, element) => {
          const before = await clinic().get(`/${path}`);
          expect(await refuse(clinic())).toEqual([element]);
          expect((await clinic().get(`/${path}`)).json).toEqual(before.json);
        },
      );
      test('and no others, besides the version', async () => {
        const json = withoutMeta((await clinic().get(`/${path}`)).json);
        const named = rows.map(([row]) => (pathIn(row)[0] ?? '').replace('[]', ''));
        expect(new Set(Object.keys(json))).toEqual(new Set(named));
      });
    });
  }
});
