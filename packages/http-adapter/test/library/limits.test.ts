import type { ChartLimit } from '@clinical-records/core';
import { expect, test } from 'vitest';
import { enteredInError, goal, participant, statement, team } from '../builders.ts';
import { nurse } from '../clinic.ts';
import { onEveryStore } from '../stores.ts';

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

  test('a search parameter without a value finds nothing, and not everything', async () => {
    await goalAndStatement();
    const patient = undefined as unknown as string;
    await expect(async () => clinic().records.goals.search({ patient })).rejects.toMatchObject({
      tag: 'InvalidRequest',
      issues: [{ rule: 'search-reference', expression: 'patient' }],
    });
  });
});
