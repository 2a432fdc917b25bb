import type { ChartLimit, ClinicalRecordsError } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { enteredInError, goal, participant, statement, team } from '../../builders.ts';
import { createRecords, nurse } from '../../clinic.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('records: the limit to one chart', (clinic) => {
  const goalAndStatement = async () => {
    await clinic().record(goal({ id: 'g' }));
    const { id } = await clinic().records.immunizations.create(statement());
    return { id };
  };

  // The limits that a host without strict types makes of a session that has lost its patient, or has a number for
  // its id.
  test.each([undefined, null, 7])('`within` of %j reaches no chart in any function', async (within) => {
    const withoutValue = { within } as object as ChartLimit;
    const { goals, careTeams, immunizations } = clinic().records;
    const { id } = await goalAndStatement();
    const refusals: readonly Promise<unknown>[] = [
      goals.read('g', withoutValue),
      goals.asJson.read('g', withoutValue),
      goals.search({}, withoutValue),
      goals.search({ patient: 'amy' }, withoutValue),
      careTeams.search({}, withoutValue),
      goals.history('g', withoutValue),
      careTeams.read('amy', withoutValue),
      careTeams.history('amy', withoutValue),
      careTeams.update('amy', team(participant('Practitioner/ada', nurse)), withoutValue),
      immunizations.create(statement(), withoutValue),
      immunizations.update(id, enteredInError(id), withoutValue),
    ];
    for (const refused of refusals) {
      await expect(async () => refused).rejects.toMatchObject({
        tag: 'Forbidden',
        issues: [{ rule: 'other-chart' }],
      });
    }
    expect(await careTeams.history('amy')).toHaveLength(1);
    expect(await immunizations.history(id)).toHaveLength(1);
  });

  describe('`matching` limits a function to the resources that a search finds', () => {
    const matching = (query: string): ChartLimit => ({ matching: [new URLSearchParams(query)] });
    const error = async (call: Promise<unknown>) => {
      const { tag, issues } = await call.then(
        () => ({ tag: null, issues: [] }),
        (cause: ClinicalRecordsError) => cause,
      );
      return [tag, ...issues.map(({ rule }) => rule)];
    };

    test('in its chart, if there is a limit to charts, too', async () => {
      await goalAndStatement();
      const { goals } = clinic().records;
      const active = matching('lifecycle-status=active');
      expect((await goals.search({}, active)).total).toBe(1);
      expect((await goals.search({}, { ...active, within: 'ben' })).total).toBe(0);
      expect(await error(goals.read('g', { ...active, within: 'ben' }))).toEqual(['NotFound', 'not-found']);
      expect((await goals.read('g', { ...active, within: 'amy' })).id).toBe('g');
      const found = goals.all({}, matching('lifecycle-status=completed'));
      expect(await found.next()).toEqual({ value: undefined, done: true });
    });

    test.each<[ChartLimit, rule: string]>([
      [matching('status=active'), 'unknown-parameter'],
      [matching(''), 'limit-condition'],
      [{ matching: [[['description', 'x']], [['lifecycle-status', 'active']]] }, 'limit-union'],
    ])('and %j is refused', async (limit, rule) => {
      const { id } = await goalAndStatement();
      const { goals, immunizations, provenance } = clinic().records;
      for (const call of [
        goals.read('g', limit),
        goals.search({}, limit),
        goals.history('g', limit),
        provenance.read('G-g-1', limit),
      ]) {
        expect(await error(call)).toEqual(['InvalidRequest', rule]);
      }
      const ofImmunizations = matching('lifecycle-status=active');
      for (const call of [
        immunizations.create(statement(), ofImmunizations),
        immunizations.update(id, enteredInError(id), ofImmunizations),
      ]) {
        expect(await error(call)).toEqual(['InvalidRequest', 'unknown-parameter']);
      }
    });

    test('and without a search, nothing is reached', async () => {
      await goalAndStatement();
      const { goals } = clinic().records;
      for (const limit of [{ matching: [] }, { matching: undefined } as object as ChartLimit]) {
        expect(await error(goals.read('g', limit))).toEqual(['NotFound', 'not-found']);
        expect((await goals.search({}, limit)).total).toBe(0);
      }
    });

    test('and functions that know only charts refuse it', async () => {
      const { directory } = clinic().records;
      const limit = { ...matching('lifecycle-status=active'), within: 'amy' };
      for (const call of [
        directory.readResource('Patient', 'amy', limit),
        directory.readResource('Practitioner', 'ada', limit),
        directory.search('Practitioner', {}, limit),
      ]) {
        expect(await error(call)).toEqual(['Forbidden', 'other-chart']);
      }
    });

    test('and a team that is not stored yet is limited as it is read', async () => {
      const records = createRecords(createMemoryStore(), {
        resolve: { Patient: (id) => (id === 'zoe' ? { id, lastName: 'Zed' } : null) },
      });
      const { careTeams } = records;
      expect((await careTeams.read('zoe', matching('status=active'))).status).toBe('active');
      expect(await careTeams.history('zoe', matching('status=active'))).toHaveLength(1);
      expect(await careTeams.history('zoe.suspended', matching('status=suspended'))).toEqual([]);
      for (const call of [
        careTeams.read('zoe', matching('status=inactive')),
        careTeams.history('zoe', matching('status=inactive')),
        careTeams.history('zoe.suspended', matching('status=active')),
        careTeams.update('zoe', { id: 'zoe' }, matching('status=inactive')),
      ]) {
        expect(await error(call)).toEqual(['NotFound', 'not-found']);
      }
      expect((await careTeams.search({ patient: 'Patient/zoe' }, matching('status=active'))).total).toBe(1);
      expect((await careTeams.search({ patient: 'Patient/zoe' }, matching('status=inactive'))).total).toBe(0);
    });
  });

  test('a search parameter without a value finds nothing, and not everything', async () => {
    await goalAndStatement();
    const patient = undefined as unknown as string;
    await expect(async () => clinic().records.goals.search({ patient })).rejects.toMatchObject({
      tag: 'InvalidRequest',
      issues: [{ rule: 'empty-parameter', expression: 'patient' }],
    });
  });
});
