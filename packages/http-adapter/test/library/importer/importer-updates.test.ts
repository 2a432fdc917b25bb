import { describe, expect, test } from 'vitest';
import { goal as goalCommand } from '../../builders.ts';
import { onEveryStore } from '../../stores.ts';
import {
  night,
  sourceGoal,
  sourceImmunization,
  sourceOrder,
  sourcePatient,
  sourcePractitioner,
} from './source-resources.ts';

const walk = (rest: object = {}) => sourceGoal('amy', { id: 'g', ...rest });
const dose = (rest: object = {}) => sourceImmunization('amy', { id: 'i', ...rest });
const order = (rest: object = {}) => sourceOrder('amy', { id: 's', ...rest });

onEveryStore('Decisions: Import', (clinic) => {
  type Options = { readonly updates?: 'newer' | 'all' | 'none' };
  const load = async (resources: readonly object[], options: Options = {}) => {
    const report = await clinic().records.importer.load(resources, options);
    const { imported, updated, unchanged, removedElements } = report;
    const problems = [...report.issues, ...report.warnings].map(({ id, severity, rule }) =>
      [id, severity, rule].join(' '),
    );
    return { imported, updated, unchanged, removedElements, problems };
  };
  const versionsOf = async (path: string) => (await clinic().get(`/${path}/_history`)).json.total;

  test('A record that only imports have written is updated by what the source has changed since, by its `meta.lastUpdated`, in one new version', async () => {
    const first = [
      walk({ ...night(1), note: [{ text: 'Begun', time: '2025-12-01' }, { text: 'Slow' }] }),
      dose(night(1)),
      order(night(1)),
    ];
    expect((await load(first)).imported).toEqual({ Goal: 1, Immunization: 1, ServiceRequest: 1 });
    const before = (await clinic().records.goals.read('g')).note ?? [];
    const feed = await clinic().feed();
    expect(await load(first)).toMatchObject({
      unchanged: { Goal: 1, Immunization: 1, ServiceRequest: 1 },
      problems: [],
    });
    expect(await clinic().feed()).toEqual(feed);

    const second = [
      walk({
        ...night(2),
        ...{ lifecycleStatus: 'completed', description: { text: 'Walk 5 km' }, statusDate: '2026-01-02' },
        note: [{ text: 'Slow' }, { text: 'Done', time: '2026-01-02' }],
      }),
      dose({ ...night(2), occurrenceDateTime: '2012-02-09', lotNumber: 'L1' }),
      first[2] as object,
    ];
    expect(await load(second)).toEqual({
      ...{ imported: {}, updated: { Goal: 1, Immunization: 1 }, unchanged: { ServiceRequest: 1 } },
      ...{ removedElements: {}, problems: [] },
    });
    const { goals, immunizations } = clinic().records;
    const read = await goals.read('g');
    expect(read).toMatchObject({ lifecycleStatus: 'completed', description: { text: 'Walk 5 km' } });
    expect(read.note?.map(({ text }) => text)).toEqual(['Slow', 'Done']);
    expect(read.note?.[0]?.id).toBe(before[1]?.id);
    expect(await immunizations.read('i')).toMatchObject({
      occurrenceDateTime: '2012-02-09',
      lotNumber: 'L1',
    });
    expect([await versionsOf('Goal/g'), await versionsOf('Immunization/i')]).toEqual([2, 2]);
    const earlier = await clinic().get('/Goal/g/_history/1');
    expect(earlier.json).toMatchObject({ lifecycleStatus: 'active', description: { text: 'Walk' } });
    expect((await clinic().get('/Provenance?target=Goal/g')).json.total).toBe(2);
    expect(await clinic().records.verify()).toMatchObject({ discrepancies: [] });

    const third = [
      walk({ ...night(3), description: { text: 'Swim' } }),
      second[1] as object,
      order({ ...night(3), priority: 'stat' }),
    ];
    expect(await load(third)).toMatchObject({
      updated: { Goal: 1, ServiceRequest: 1 },
      unchanged: { Immunization: 1 },
      removedElements: { 'Goal.note': 1, 'Goal.statusDate': 1 },
      problems: [],
    });
    expect(await goals.read('g')).toMatchObject({ lifecycleStatus: 'active', description: { text: 'Swim' } });
  });

  test('An earlier or an equal source changes nothing', async () => {
    await load([walk(night(2))]);
    for (const day of [1, 2]) {
      expect(await load([walk({ ...night(day), description: { text: 'Other' } })])).toMatchObject({
        unchanged: { Goal: 1 },
        problems: [],
      });
    }
    expect((await clinic().records.goals.read('g')).description.text).toBe('Walk');
  });

  test('So of several in one load, the latest counts, in any order', async () => {
    const days = [1, 3, 2].map((day) => walk({ ...night(day), description: { text: `Day ${day}` } }));
    expect(await load(days)).toMatchObject({
      imported: { Goal: 1 },
      updated: { Goal: 1 },
      unchanged: { Goal: 1 },
    });
    expect((await clinic().records.goals.read('g')).description.text).toBe('Day 3');
    expect(await versionsOf('Goal/g')).toBe(1);
  });

  describe('Without a time, or with one in the future, what differs is reported, and the record stays as it is', () => {
    test.each<[what: string, before: object, after: object]>([
      ['neither has one', {}, {}],
      ['only the first has one', night(1), {}],
      ['only the second has one', {}, night(1)],
      ['the second is in the future', night(1), { meta: { lastUpdated: '2090-01-01T00:00:00Z' } }],
    ])('%s', async (_what, before, after) => {
      await load([walk(before)]);
      const { problems } = await load([walk({ ...after, description: { text: 'Swim' } })]);
      expect(problems).toEqual(['g error undated-change']);
      expect((await load([walk(after)])).problems).toEqual([]);
      expect((await clinic().records.goals.read('g')).description.text).toBe('Walk');
    });
  });

  test('The option `updates` says that the load is newer as a whole, or that it updates nothing', async () => {
    await load([walk(night(2))]);
    const changed = walk({ description: { text: 'Swim' } });
    expect(await load([changed], { updates: 'none' })).toMatchObject({
      unchanged: { Goal: 1 },
      problems: ['g warning not-updated'],
    });
    expect(
      await load([walk({ ...night(3), description: { text: 'Ski' } })], { updates: 'none' }),
    ).toMatchObject({ updated: {} });
    expect(await load([changed], { updates: 'all' })).toMatchObject({ updated: { Goal: 1 }, problems: [] });
    expect(
      await load([walk({ ...night(1), description: { text: 'Ski' } })], { updates: 'all' }),
    ).toMatchObject({
      updated: { Goal: 1 },
    });
    await expect(load([changed], { updates: 'some' as 'all' })).rejects.toMatchObject({ tag: 'Misuse' });
  });

  test('A record that was changed here is not overwritten. That is reported with the elements that differ', async () => {
    await load([walk(night(1)), dose(night(1))]);
    await clinic().record({ kind: 'updateGoal', goalId: 'g', progress: 'Walks' });
    const before = await clinic().records.goals.read('g');
    const later = walk({ ...night(2), description: { text: 'Swim' }, statusReason: 'Tired' });
    const report = await clinic().records.importer.load([later]);
    expect(report).toMatchObject({
      updated: {},
      unchanged: { Goal: 1 },
      issuesByRule: { 'changed-here': 1 },
    });
    expect(report.issues[0]?.message).toMatch(/ sent in Goal\.description\.text, Goal\.statusReason\.$/);
    expect(await clinic().records.goals.read('g')).toEqual(before);
    // The source has changed nothing since the import.
    expect((await load([walk(night(1))])).problems).toEqual([]);
    expect((await load([walk(night(3))])).problems).toEqual([]);
    expect((await load([walk()])).problems).toEqual([]);
  });

  test('So is one that was made here', async () => {
    await clinic().record(goalCommand({ id: 'g', description: 'Walk' }));
    expect((await load([walk(night(1))])).problems).toEqual(['g error changed-here']);
  });

  test('A move, a merge, a new name and a reindexing are not changes here, and no load moves a record back', async () => {
    await load([walk(night(1)), dose(night(1)), sourcePractitioner('gone', 'Gray')]);
    const { corrections, reindex } = clinic().records;
    const correction = { by: 'Practitioner/ada', reason: 'Wrong chart' } as const;
    await corrections.moveToPatient({
      resourceType: 'Immunization',
      resourceId: 'i',
      toPatientId: 'ben',
      ...correction,
    });
    expect((await load([dose({ ...night(2), lotNumber: 'L1' })])).problems).toEqual([
      'i error resource-of-another-patient',
    ]);
    const inNewChart = sourceImmunization('ben', { id: 'i', ...night(2), lotNumber: 'L1' });
    expect((await load([inNewChart])).updated).toEqual({ Immunization: 1 });
    await corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...correction });
    await reindex();
    expect((await load([walk({ ...night(2), description: { text: 'Swim' } })])).updated).toEqual({ Goal: 1 });
    expect(await clinic().records.goals.read('g')).toMatchObject({ subject: { reference: 'Patient/ben' } });
  });

  describe('People and organizations by the same rule', () => {
    const ward = (name: string, rest: object = {}) => ({
      resourceType: 'Organization',
      id: 'eve',
      name,
      ...rest,
    });
    const entryOf = (type: 'Patient' | 'Practitioner' | 'Organization') =>
      clinic().records.directory.read(type, 'eve');

    describe.each([
      ['Patient', (name: string, rest: object = {}) => sourcePatient('eve', name, rest)],
      ['Practitioner', (name: string, rest: object = {}) => sourcePractitioner('eve', name, rest)],
      ['Organization', ward],
    ] as const)('%s', (type, eve) => {
      const nameOf = async () => {
        const entry = await entryOf(type);
        return entry && 'name' in entry ? entry.name : entry?.lastName;
      };

      test('a later source updates, an earlier or an equal one changes nothing, and what is the same makes no version', async () => {
        expect((await load([eve('Hill', night(2))])).imported).toEqual({ [type]: 1 });
        const feed = await clinic().feed();
        for (const resource of [
          eve('Old', night(1)),
          eve('Hill', night(3)),
          eve('Moss', night(2)),
          eve('Hill'),
        ])
          expect(await load([resource])).toMatchObject({ unchanged: { [type]: 1 }, problems: [] });
        expect(await clinic().feed()).toEqual(feed);
        const identifier = [{ value: '12' }];
        expect((await load([eve('Moss', { ...night(3), identifier })])).updated).toEqual({ [type]: 1 });
        expect(await load([eve('Lane', night(4))])).toMatchObject({
          ...{ updated: { [type]: 1 }, removedElements: { [`${type}.identifier`]: 1 } },
        });
        expect([await nameOf(), (await entryOf(type))?.identifier]).toEqual(['Lane', undefined]);
      });

      test('without a time, what differs is reported, and what was not known is added', async () => {
        await load([eve('Hill')]);
        const identifier = [{ value: '12' }];
        expect((await load([eve('Hill', { identifier })])).problems).toEqual([]);
        expect((await load([eve('Moss')])).problems).toEqual(['eve error undated-change']);
        expect([await nameOf(), (await entryOf(type))?.identifier]).toEqual(['Hill', identifier]);
        expect((await load([eve('Moss')], { updates: 'all' })).updated).toEqual({ [type]: 1 });
        expect(await nameOf()).toBe('Moss');
        expect((await load([eve('Lane', night(3))], { updates: 'none' })).problems).toEqual([
          'eve warning not-updated',
        ]);
      });

      test('what the host has put, or has put since, is not overwritten, and what it lacks is added', async () => {
        const put = (lastName: string) => {
          const { directory } = clinic().records;
          return type === 'Organization'
            ? directory.put(type, { id: 'eve', name: lastName })
            : directory.put(type, { id: 'eve', lastName });
        };
        await put('Hill');
        const identifier = [{ value: '12' }];
        expect((await load([eve('Hill', { ...night(1), identifier })])).problems).toEqual([]);
        expect((await load([eve('Moss', night(2))], { updates: 'all' })).problems).toEqual([
          'eve error changed-here',
        ]);
        expect([await nameOf(), (await entryOf(type))?.identifier]).toEqual(['Hill', identifier]);
        await load([{ ...eve('Hill', night(1)), id: 'eva' }]);
        const { directory } = clinic().records;
        await (type === 'Organization'
          ? directory.put(type, { id: 'eva', name: 'Lane' })
          : directory.put(type, { id: 'eva', lastName: 'Lane' }));
        expect((await load([{ ...eve('Moss', night(2)), id: 'eva' }])).problems).toEqual([
          'eva error changed-here',
        ]);
      });
    });

    test('a death is added to what the host has put, and what it says is not taken back', async () => {
      const death = { deceasedDateTime: '2026-01-02T03:04:05Z' };
      expect(
        (
          await load([
            sourcePatient('ben', 'Okoro', { name: [{ family: 'Okoro', given: ['Ben'] }], ...death }),
          ])
        ).problems,
      ).toEqual([]);
      expect((await clinic().records.directory.read('Patient', 'ben'))?.deceased).toBe(
        '2026-01-02T03:04:05Z',
      );
    });

    test('a merge is not a change here, and no load takes it back', async () => {
      await load([sourcePatient('eve', 'Hill', night(1))]);
      await clinic().records.corrections.mergePatients({
        ...{ patientId: 'eve', toPatientId: 'ben', by: 'Practitioner/ada', reason: 'One person' },
      });
      expect((await load([sourcePatient('eve', 'Moss', night(2))])).updated).toEqual({ Patient: 1 });
      expect(await entryOf('Patient')).toMatchObject({ lastName: 'Moss', replacedBy: 'ben' });
    });
  });

  test('A name that the directory has learned since is not a change', async () => {
    const signed = walk({ expressedBy: { reference: 'Practitioner/new' } });
    await load([signed]);
    await load([sourcePractitioner('new', 'Eve Hill')]);
    const feed = await clinic().feed();
    expect((await load([signed])).unchanged).toEqual({ Goal: 1 });
    expect(await clinic().feed()).toEqual(feed);
  });

  test('A dose that its source moves to another encounter goes into the note of that', async () => {
    await load([dose(night(1))]);
    const encounter = { reference: 'Encounter/visit-amy' };
    expect((await load([dose({ ...night(2), encounter })])).updated).toEqual({ Immunization: 1 });
    const { extension } = await clinic().records.immunizations.read('i');
    expect(extension[0]?.valueId).toBe('note-amy');
  });
});
