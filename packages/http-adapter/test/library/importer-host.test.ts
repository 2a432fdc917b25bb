import { setImmediate } from 'node:timers/promises';
import { createClinicalRecords, orThrow, type Resolve } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { extensionBase } from '../clinic.ts';
import { foreignGoal } from './foreign.ts';

const host = (resolve: Resolve) =>
  createClinicalRecords({ store: createMemoryStore(), extensionBase, careTeamRoles: [], resolve });

describe('Decisions: Import', () => {
  describe('What refers to somebody of whom the host cannot be asked is reported, and not taken', () => {
    const goalBy = (id: string) =>
      foreignGoal('amy', {
        id,
        lifecycleStatus: 'active',
        expressedBy: { reference: `Practitioner/${id}` },
      });
    const patient = { resourceType: 'Patient', id: 'amy', name: [{ family: 'Shaw' }] };
    /** The host fails so often when it is asked for one of three. */
    const loadWhereItFails = (times: number) => {
      let failuresLeft = times;
      const { importer } = host((type, id) => {
        if (type !== 'Practitioner') return null;
        if (id === 'down' && failuresLeft-- > 0) throw new Error('down');
        return { id, lastName: id, firstName: '' };
      });
      return orThrow(importer.load([patient, goalBy('12'), goalBy('down'), goalBy('13')]));
    };

    test('and everything else is taken', async () => {
      const { taken, problems } = await loadWhereItFails(Number.POSITIVE_INFINITY);
      expect(taken).toEqual({ Patient: 1, Goal: 2 });
      const reason = 'The host could not be asked for a record that is referred to; nothing was changed.';
      expect(problems).toEqual([{ type: 'Goal', id: 'down', item: 3, reason }]);
    });

    test('unless it can be asked at the end of the load', async () => {
      expect(await loadWhereItFails(1)).toMatchObject({ taken: { Patient: 1, Goal: 3 }, problems: [] });
    });
  });
});

test('to load what is here already gives others a turn after each batch', async () => {
  const { importer } = host(() => null);
  const patients = Array.from({ length: 1000 }, (_, at) =>
    JSON.stringify({ resourceType: 'Patient', id: `p${at}`, name: [{ family: 'Hill' }] }),
  );
  await orThrow(importer.load(patients));
  let turns = 0;
  let isLoading = true;
  const others = (async () => {
    while (isLoading) {
      await setImmediate();
      turns += 1;
    }
  })();
  const turnsAt: number[] = [];
  await orThrow(importer.load(patients, { onProgress: () => turnsAt.push(turns) }));
  isLoading = false;
  await others;
  expect(turnsAt).toHaveLength(4);
  expect(new Set(turnsAt).size).toBe(4);
});
