import { expect, test } from 'vitest';
import { ada, bob, goal, lab, team } from '../../builders.ts';
import { expectError, idsOf, linkOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('Decisions: Search', (clinic) => {
  const search = (type: string, parameters: Readonly<Record<string, string>>) =>
    clinic().get(`/${type}?${new URLSearchParams(parameters)}`);
  const found = async (type: string, parameters: Readonly<Record<string, string>>) =>
    idsOf(await search(type, parameters)).join(' ');

  test('`_lastUpdated` compares the time that `meta.lastUpdated` shows, with all prefixes', async () => {
    const { record, clock } = clinic();
    for (const day of ['01', '02', '03']) {
      clock.at(`2026-05-${day}T08:00:00.250Z`);
      await record(goal({ id: `goal-${day}` }));
    }
    clock.at('2026-05-04T08:00:00.250Z');
    await record({ kind: 'closeGoal', goalId: 'goal-01' });
    for (const [value, ids] of [
      ['2026-05-02', 'goal-02'],
      ['ne2026-05-02', 'goal-01 goal-03'],
      ['gt2026-05-02', 'goal-01 goal-03'],
      ['ge2026-05-03', 'goal-01 goal-03'],
      ['lt2026-05-03', 'goal-02'],
      ['le2026-05-03', 'goal-02 goal-03'],
      ['sa2026-05-03', 'goal-01'],
      ['eb2026-05-03', 'goal-02'],
      ['2026-05-01,2026-05-04', 'goal-01'],
    ] as const) {
      expect(await found('Goal', { _lastUpdated: value }), value).toBe(ids);
      expect(await found('Goal', { _lastUpdated: value, patient: 'amy' }), value).toBe(ids);
    }
    const { json } = await clinic().get('/Goal/goal-01');
    expect(await found('Goal', { _lastUpdated: json.meta.lastUpdated })).toBe('goal-01');
    expectError(await search('Goal', { _lastUpdated: 'yesterday' }), 400, 'http._lastUpdated');
  });

  test('each status of a care team has its own', async () => {
    const { records, clock } = clinic();
    clock.at('2026-05-01T08:00:00Z');
    await records.careTeams.update('amy', team(ada, bob));
    await records.careTeams.update('amy', team(ada));
    clock.at('2026-05-02T08:00:00Z');
    await records.careTeams.update('amy', team(ada, lab));
    expect(await found('CareTeam', { _lastUpdated: '2026-05-02' })).toBe('amy');
    expect(await found('CareTeam', { _lastUpdated: '2026-05-01', patient: 'amy' })).toBe('amy.inactive');
    expect(await found('CareTeam', { _lastUpdated: '2026-05-02', status: 'inactive' })).toBe('');
    await records.careTeams.update('amy', team(ada));
    expect(await found('CareTeam', { _lastUpdated: '2026-05-02' })).toBe('amy amy.inactive');
    const first = await search('CareTeam', { _lastUpdated: 'gt2026-05-01', _count: '1' });
    expect([first.json.total, idsOf(first)]).toEqual([2, ['amy']]);
    const second = await clinic().get(`/${linkOf(first, 'next')}`);
    expect([second.json.total, idsOf(second), linkOf(second, 'next')]).toEqual([
      2,
      ['amy.inactive'],
      undefined,
    ]);
    expect((await search('CareTeam', { _lastUpdated: 'gt2026-05-01', _count: '0' })).json.total).toBe(2);
  });
});
