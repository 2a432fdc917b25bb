import { beforeEach, expect, test } from 'vitest';
import { ada, bob, goal, immunizationStatement, labOrder, team } from '../../builders.ts';
import { cardiologist, nurse } from '../../clinic.ts';
import { expectError, idsOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

type Search = readonly [type: string, parameters: Readonly<Record<string, string>>, ids: string];

/** Every combination of some parameters. */
const combinationsOf = (
  parameters: Readonly<Record<string, string>>,
): readonly Readonly<Record<string, string>>[] =>
  Object.entries(parameters).reduce<readonly Readonly<Record<string, string>>[]>(
    (some, [name, value]) => some.flatMap((one) => [one, { ...one, [name]: value }]),
    [{}],
  );

onEveryStore('Decisions: Search', (clinic) => {
  beforeEach(async () => {
    const { record, records, enterInError } = clinic();
    await record(goal({ id: 'walk', description: 'Walk, a mile', dueDate: '2026-05-01' }));
    await record(goal({ id: 'run', description: 'Run', dueDate: '2026-06' }));
    await record(goal({ id: 'ben', patientId: 'ben', description: 'Run' }));
    await record({ kind: 'closeGoal', goalId: 'run' });
    await record(immunizationStatement({ id: 'flu', occurrenceDateTime: '2025-10-01' }));
    await record(
      immunizationStatement({
        ...{ id: 'no', occurrenceDateTime: '2025-11-02T08:00:00Z' },
        statusReason: { coding: [{ code: 'PATOBJ' }] },
      }),
    );
    const wrong = await record(
      immunizationStatement({ id: 'wrong', patientId: 'ben', occurrenceDateTime: '2024' }),
    );
    await enterInError(wrong.id);
    await record(labOrder({ id: 'order' }));
    await records.careTeams.update('amy', team(ada, bob));
    await records.careTeams.update('amy', team(ada));
  });

  const get = (type: string, parameters: Readonly<Record<string, string>>) =>
    clinic().get(`/${type}?${new URLSearchParams(parameters)}`);
  const post = (type: string, parameters: Readonly<Record<string, string>>) =>
    clinic().post(`/${type}/_search`, new URLSearchParams(parameters).toString(), {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });

  const combinations: readonly Search[] = [
    [
      'Goal',
      { subject: 'amy', 'lifecycle-status': 'completed', 'target-date': '2026-06', description: 'Run' },
      'run',
    ],
    ['Goal', { patient: 'Patient/amy', 'lifecycle-status': 'active', 'target-date': 'lt2026-06' }, 'walk'],
    ['Immunization', { patient: 'amy', status: 'completed', date: '2025' }, 'flu'],
    [
      'CareTeam',
      { subject: 'Patient/amy', patient: 'amy', status: 'inactive', role: nurse.code },
      'amy.inactive',
    ],
    ['ServiceRequest', { subject: 'amy', status: 'active', code: '718-7' }, 'order'],
  ];
  test('the parameters of US Core can be combined, by GET and by POST', async () => {
    for (const [type, parameters, id] of combinations) {
      for (const some of combinationsOf(parameters)) {
        const [got, posted] = await Promise.all([get(type, some), post(type, some)]);
        expect(idsOf(got), JSON.stringify(some)).toContain(id);
        expect(posted.json.entry).toEqual(got.json.entry);
      }
      expect(idsOf(await get(type, parameters))).toEqual([id]);
    }
  });

  const searches: readonly Search[] = [
    ['Goal', { 'lifecycle-status': 'active' }, 'walk ben'],
    ['Goal', { 'lifecycle-status': 'http://hl7.org/fhir/goal-status|active,completed' }, 'walk run ben'],
    ['Goal', { 'target-date': '2026-05-01' }, 'walk'],
    ['Goal', { 'target-date': 'eq2026-06' }, 'run'],
    ['Goal', { 'target-date': 'ne2026-06' }, 'walk'],
    ['Goal', { 'target-date': 'gt2026-05-01' }, 'run'],
    ['Goal', { 'target-date': 'ge2026-05' }, 'walk run'],
    ['Goal', { 'target-date': 'lt2026-06' }, 'walk'],
    ['Goal', { 'target-date': 'le2026-06' }, 'walk run'],
    ['Goal', { 'target-date': 'sa2026-05-01' }, 'run'],
    ['Goal', { 'target-date': 'eb2026-06' }, 'walk'],
    ['Goal', { 'target-date': 'ap2026-06-15' }, 'run'],
    ['Immunization', { date: 'ge2025-10-01' }, 'flu no'],
    ['Immunization', { date: 'lt2025-10-01' }, 'wrong'],
    ['Immunization', { status: 'entered-in-error,not-done' }, 'no wrong'],
    ['CareTeam', { role: cardiologist.code }, 'amy'],
    ['CareTeam', { role: `${nurse.system}|${nurse.code}` }, 'amy.inactive'],
    ['CareTeam', { role: `${nurse.system}|` }, 'amy amy.inactive'],
    ['CareTeam', { role: 'none' }, ''],
  ];
  test('each parameter of US Core finds what it says, dates with all prefixes', async () => {
    for (const [type, parameters, ids] of searches) {
      expect(idsOf(await get(type, parameters)).join(' '), JSON.stringify(parameters)).toBe(ids);
    }
  });

  test('A `description` finds the goals that are described by exactly this text, of 500 characters at most', async () => {
    for (const [description, ids] of [
      ['Run', 'run ben'],
      ['Walk\\, a mile', 'walk'],
      ['run', ''],
      ['Walk', ''],
      ['http://snomed.info/sct|Run', ''],
    ] as const) {
      expect(idsOf(await get('Goal', { description })).join(' '), description).toBe(ids);
    }
    for (const [id, length] of [
      ['long', 500],
      ['longer', 501],
    ] as const) {
      await clinic().record(goal({ id, description: 'x'.repeat(length) }));
    }
    expect(idsOf(await get('Goal', { description: 'x'.repeat(500) }))).toEqual(['long']);
    expect(idsOf(await get('Goal', { description: 'x'.repeat(501) }))).toEqual([]);
  });

  test("A code of FHIR's value set that no resource has here finds nothing; a code outside of it is a 400", async () => {
    const searches: readonly Search[] = [
      [
        'ServiceRequest',
        { status: 'draft,active,on-hold,revoked,completed,entered-in-error,unknown' },
        'order',
      ],
      ['ServiceRequest', { status: 'on-hold' }, ''],
      ['Goal', { 'lifecycle-status': 'proposed,rejected' }, ''],
    ];
    for (const [type, parameters, ids] of searches) {
      expect(idsOf(await get(type, parameters)).join(' ')).toBe(ids);
    }
    for (const [type, name, code] of [
      ['ServiceRequest', 'status', 'finished'],
      ['Goal', 'lifecycle-status', 'done'],
      ['Immunization', 'status', 'active'],
      ['CareTeam', 'status', 'draft'],
    ] as const) {
      expectError(await get(type, { [name]: code }), 400, `http.${name}`);
    }
  });

  test('a 400 for an unknown parameter names those of the resource', async () => {
    const { json } = await get('Goal', { 'acheivement-status': 'improving' });
    expect(json.issue[0].diagnostics).toContain('`lifecycle-status`, `target-date`, `description`');
  });
});
