import type { ClinicalRecords, FeedPosition, ResourceChange } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { ada, goal, immunizationStatement, labOrder, statement, team } from '../../builders.ts';
import { createRecords, openClinic } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('records: history and changes', (clinic) => {
  const closedGoal = async () => {
    const { stage, commit, record } = clinic();
    const staged = await stage(goal({ id: 'g' }));
    await commit(staged.id);
    await record({ kind: 'closeGoal', goalId: 'g' }, 'Practitioner/bob');
  };
  const changesOf = async (
    { changes }: Pick<ClinicalRecords, 'changes'>,
    since: FeedPosition | undefined,
  ) => {
    const seen: ResourceChange[] = [];
    for await (const change of changes({ since })) seen.push(change);
    return seen;
  };
  const changes = (since?: FeedPosition) => changesOf(clinic().records, since);
  const unknownPosition = {
    tag: 'InvalidRequest',
    issues: [{ rule: 'unknown-position', expression: 'since' }],
  };

  test('a history has every version, newest first, with its author and time', async () => {
    await closedGoal();
    const versions = await clinic().records.goals.history('g');
    expect(versions.map(({ version, by, resource }) => [version, by, resource?.lifecycleStatus])).toEqual([
      [3, 'Practitioner/bob', 'completed'],
      [2, 'Practitioner/ada', 'active'],
      [1, null, undefined],
    ]);
    expect(versions[0]?.at).toMatch(/^2026-03-01T08:\d\d:\d\d\.250\+00:00$/);
    await expect(async () => clinic().records.goals.history('nope')).rejects.toMatchObject({
      tag: 'NotFound',
    });
    const within = { within: 'ben' };
    await expect(async () => clinic().records.goals.history('g', within)).rejects.toMatchObject({
      error: { _tag: 'NotFound', id: 'g' },
    });
    expect(await clinic().records.careTeams.history('amy')).toHaveLength(1);
  });

  test('a status of a team in which nobody ever was has no versions', async () => {
    const { careTeams } = clinic().records;
    await careTeams.update('amy', team(ada));
    const read = await careTeams.read('amy.proposed');
    expect([read.id, read.participant, read.meta]).toEqual(['amy.proposed', undefined, undefined]);
    expect(await careTeams.history('amy.proposed')).toEqual([]);
    await expect(async () => careTeams.history('nope.proposed')).rejects.toMatchObject({
      error: { _tag: 'NotFound', id: 'nope.proposed' },
    });
    const within = { within: 'ben' };
    await expect(async () => careTeams.history('amy.proposed', within)).rejects.toMatchObject({
      tag: 'Forbidden',
    });
  });

  test('within another chart, a history shows no more than a read', async () => {
    const { careTeams, goals, immunizations, serviceRequests } = clinic().records;
    const within = { within: 'ben' };
    await clinic().stage(goal({ id: 'staged' }));
    await clinic().record(goal({ id: 'g' }));
    const staged = await clinic().stage(immunizationStatement());
    const draft = await clinic().stage(labOrder());
    await careTeams.setParticipantStatus('amy', 'Organization/lab', 'suspended');
    const ids = [
      ...['amy', 'amy.suspended', 'amy.proposed', 'nobody', 'nobody.suspended'].map(
        (id) => [careTeams, id] as const,
      ),
      ...['staged', 'g', 'nothing'].map((id) => [goals, id] as const),
      [immunizations, staged.resourceId] as const,
      [serviceRequests, draft.resourceId] as const,
    ];
    for (const [reads, id] of ids) {
      const read = await outcomeOf(reads.read(id, within));
      expect(read).toMatchObject({ _tag: 'Left' });
      expect(await outcomeOf(reads.history(id, within)), id).toEqual(read);
    }
  });

  test('the JSON texts of a history have the same content, and nothing of the states', async () => {
    await closedGoal();
    const { goals } = clinic().records;
    const texts = await goals.asJson.history('g');
    const parsed = texts.map(({ resource, ...entry }) => ({
      ...entry,
      resource: resource === null ? null : JSON.parse(resource),
    }));
    expect(parsed).toEqual(await goals.history('g'));
  });

  test('changes since an invalid position are refused', async () => {
    await closedGoal();
    const [{ position } = {}, ...others] = await changes();
    const [place, digest] = `${position}`.split(':');
    const wrong = ['', '1', 'x', `${position} `, `:${digest}`, `${place}:`, `${place}0000:${digest}`];
    for (const since of [
      ...wrong,
      `${others[0]?.position.split(':')[0]}:${digest}`,
      null,
      0,
      1,
      Number.NaN,
    ]) {
      await expect(changes(since as FeedPosition)).rejects.toMatchObject(unknownPosition);
    }
    expect(await changes(undefined)).toHaveLength(others.length + 1);
  });

  test('changes since a position of another store are refused', async () => {
    await closedGoal();
    const all = await changes();
    const other = createMemoryStore();
    const { records, record } = await openClinic(other);
    await record(goal({ id: 'other' }));
    const last = await changesOf(records, undefined);
    await expect(changes(last.at(-1)?.position)).rejects.toMatchObject(unknownPosition);
    await expect(changesOf(records, all.at(-1)?.position)).rejects.toMatchObject(unknownPosition);
  });

  test('the head that a verification reports is a position, after which later commits follow', async () => {
    const { head } = await clinic().records.verify();
    const before = await changes();
    await closedGoal();
    expect(await changes(head)).toEqual((await changes()).slice(before.length));
    const start = await createRecords(createMemoryStore()).verify();
    expect(await changes(start.head)).toEqual(await changes());
  });

  test('the end of the feed is a position, after which only later commits follow', async () => {
    await clinic().record(goal({ id: 'earlier' }));
    const since = await clinic().records.feedEnd();
    expect(await changes(since)).toEqual([]);
    await clinic().record(goal({ id: 'later' }));
    expect((await changes(since)).map(({ id }) => id)).toEqual(['later']);
    const empty = createRecords(createMemoryStore());
    const start = await empty.feedEnd();
    await empty.directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
    expect(await changesOf(empty, start)).toMatchObject([{ resourceType: 'CareTeam', id: 'amy' }]);
  });

  test('changes yields every version of every resource in the order of commits, and continues after a position', async () => {
    await closedGoal();
    const all = await changes();
    expect(all.map(({ resourceType, id, version }) => `${resourceType}/${id}/${version}`)).toEqual([
      'CareTeam/amy/1',
      'CareTeam/ben/1',
      'Goal/g/1',
      'Goal/g/2',
      'Goal/g/3',
    ]);
    expect(await changes(all[2]?.position)).toEqual(all.slice(3));
    expect(await changes(all.at(-1)?.position)).toEqual([]);
  });

  test('changes yields all of them, however many there are', async () => {
    const before = await changes();
    const ids = Array.from({ length: 1100 }, (_, index) => `p${index}`);
    const { directory } = clinic().records;
    await Promise.all(ids.map(async (id) => directory.put('Patient', { id, lastName: id, firstName: '' })));
    const seen = await changes(before.at(-1)?.position);
    expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(ids));
    expect(seen).toHaveLength(ids.length);
  });

  test('the typed reads and searches return the same as HTTP', async () => {
    await closedGoal();
    const { goals } = clinic().records;
    const read = await clinic().get('/Goal/g');
    expect(await goals.read('g')).toEqual(read.json);
    const found = await clinic().get('/Goal?patient=amy&_count=1');
    expect(await goals.search({ patient: 'amy', _count: 1 })).toEqual(found.json);
  });

  test('a create and an update return the resource as it is then', async () => {
    const { immunizations } = clinic().records;
    const body = {
      status: 'completed',
      vaccineCode: { coding: [{ system: 'unstructured', code: 'Flu shot' }] },
      patient: { reference: 'Patient/amy' },
      occurrenceDateTime: '2024-10-02',
      primarySource: false,
    } as const;
    const created = await immunizations.create(body, { by: 'Practitioner/ada' });
    expect(created).toEqual(await immunizations.read(created.id));
    const update = { ...body, id: created.id, status: 'entered-in-error' } as const;
    const updated = await immunizations.update(created.id, update);
    expect(updated).toEqual(await immunizations.read(created.id));
    expect(updated.meta?.versionId).toBe('2');
    expect(updated).toMatchObject({ ...created, meta: {}, status: 'entered-in-error' });
  });

  test('and as JSON texts the version that is read', async () => {
    const { careTeams, immunizations } = clinic().records;
    const updated = await careTeams.asJson.update('amy', team(ada));
    expect(updated).toEqual(await careTeams.asJson.read('amy'));
    const created = await immunizations.asJson.create(statement());
    expect(created).toEqual(await immunizations.asJson.read(created.id));
  });

  test('an unknown command, kind or id is reported', async () => {
    const { chart } = clinic().records;
    const by = { by: 'Practitioner/ada' } as const;
    const noCommand = (id: string) => ({ left: { _tag: 'NotFound', resourceType: 'Command', id } });
    expect(await outcomeOf(chart.commit('Goal/nope/0', by))).toMatchObject(noCommand('Goal/nope/0'));
    await expect(async () => chart.completeOrder('Goal/g/0', by)).rejects.toMatchObject({
      tag: 'NotSupported',
      issues: [{ rule: 'not-an-order', expression: 'Command.kind' }],
    });
    await expect(async () => chart.record({ kind: 'updateGoal', goalId: 'nope' }, by)).rejects.toMatchObject({
      issues: [{ rule: 'unknown-goal' }],
    });
    await closedGoal();
    expect(await outcomeOf(chart.commit('Goal/g/2', by))).toMatchObject(noCommand('Goal/g/2'));
    await expect(async () => chart.record({ kind: 'closeGoal', goalId: 'g' }, by)).rejects.toMatchObject({
      issues: [{ rule: 'goal-closed' }],
    });
    await expect(async () => chart.commit('Goal/g/1', by)).rejects.toMatchObject({
      issues: [{ rule: 'not-staged' }],
    });
    const again = { kind: 'goal', id: 'g', patientId: 'amy', description: 'Run' } as const;
    await expect(async () => chart.record(again, by)).rejects.toMatchObject({
      issues: [{ rule: 'command-exists' }],
    });
    await expect(async () => chart.stage(null as never)).rejects.toMatchObject({
      issues: [{ rule: 'command-kind', expression: 'Command.kind' }],
    });
    const order = labOrder({ occurrencePeriod: {} });
    await expect(async () => chart.stage(order)).rejects.toMatchObject({ tag: 'InvalidRequest' });
  });

  test.each([
    ...[undefined, {}, { by: null }, { by: 12 }],
    ...[{ by: 'ada' }, { by: 'Practitioner/' }, { by: 'Organization/lab' }, { by: 'Practitioner/ada/1' }],
  ])('the chart refuses an author who is not a reference to a practitioner: %j', async (author) => {
    const { chart } = clinic().records;
    const walk = { kind: 'goal', patientId: 'amy', description: 'Walk' } as const;
    await expect(async () => chart.record(walk, author as never)).rejects.toMatchObject({
      tag: 'InvalidRequest',
      issues: [{ rule: 'by-required', expression: 'by' }],
    });
  });
});
