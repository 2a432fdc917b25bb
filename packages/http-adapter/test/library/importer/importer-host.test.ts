import { setImmediate } from 'node:timers/promises';
import type { ImportIssue } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test, vi } from 'vitest';
import { noteIdExtension, statement } from '../../builders.ts';
import { createRecords } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { sourceEncounter, sourceGoal, sourcePatient } from './source-resources.ts';

const patients = Array.from({ length: 4000 }, (_, at) => sourcePatient(`p${at}`));

/** How many turns others had while resources were loaded. */
const turnsWhile = async (load: PromiseLike<unknown>): Promise<number> => {
  let turns = 0;
  let isLoading = true;
  const others = (async () => {
    while (isLoading) {
      await setImmediate();
      turns += 1;
    }
  })();
  await load;
  isLoading = false;
  await others;
  return turns;
};

test('an import yields to others, whatever happens to its resources', async () => {
  const { importer } = createRecords();
  const devices = patients.map(({ id }) => ({ resourceType: 'Device', id }));
  const nothing = patients.map(() => '{');
  for (const resources of [patients, patients, devices, nothing]) {
    expect(await turnsWhile(importer.load(resources))).toBeGreaterThanOrEqual(4);
  }
});

test('a host that cannot respond ends an import with its cause; earlier resources stay imported, and their issues are reported', async () => {
  const cause = new Error('down');
  const { importer, directory } = createRecords(createMemoryStore(), {
    resolve: (type) => (type === 'Practitioner' ? Promise.reject(cause) : null),
  });
  const goal = sourceGoal('p0', { expressedBy: { reference: 'Practitioner/12' } });
  const faults = [{ rule: 'resolve-failed' }];
  const withoutText = { ...goal, id: 'without-text', description: {} };
  const onIssue = vi.fn<(issue: ImportIssue) => void>();
  expect(await outcomeOf(importer.load([patients[0], withoutText, goal], { onIssue }))).toMatchObject({
    left: { _tag: 'StoreFailure', issues: faults, cause },
  });
  expect(await directory.read('Patient', 'p0')).toMatchObject({ lastName: 'Hill' });
  expect(onIssue.mock.calls).toMatchObject([[{ id: 'without-text', outcome: 'rejected' }]]);
});

test.each([
  ['nothing', undefined],
  ['a resource', patients[0]],
  ['a promise', Promise.resolve(patients)],
])(
  'a load of %s is a Misuse that says what to pass, and not a failure of the source',
  async (_, resources) => {
    const { importer } = createRecords();
    expect(await outcomeOf(importer.load(resources as never))).toMatchObject({
      left: {
        _tag: 'Misuse',
        issues: [{ message: expect.stringContaining('argument of importer.load must be an array') }],
      },
    });
  },
);

test('an exception of newId or the clock ends an import as itself, and not as a failure of the source', async () => {
  const { importer } = createRecords(createMemoryStore(), { newId: () => 'no id' });
  const goal = sourceGoal('p0', { note: [{ text: 'Well' }] });
  await expect(outcomeOf(importer.load([patients[0], goal]))).rejects.toThrow('newId');
  const timeless = createRecords(createMemoryStore(), { clock: () => new Date(Number.NaN) });
  await expect(outcomeOf(timeless.importer.load([patients[0]]))).rejects.toThrow('clock');
});

test('an immunization is in the note of the host, even if the encounter of the note is imported later', async () => {
  const immunization = statement({
    ...{ resourceType: 'Immunization', id: 'shot' },
    extension: noteIdExtension('note'),
  });
  const { importer, immunizations } = createRecords(createMemoryStore(), {
    resolve: (type, id) => (type === 'Note' ? { id, patientId: 'amy', encounterId: 'visit' } : null),
  });
  const { issues } = await importer.load([
    immunization,
    sourceEncounter('visit', 'amy'),
    sourcePatient('amy'),
  ]);
  expect(issues).toEqual([]);
  expect(await immunizations.read('shot')).toMatchObject({
    extension: [{ valueId: 'note' }],
    encounter: { reference: 'Encounter/visit' },
  });
});

test('the elements of a resource of another system have no limit', async () => {
  const { importer } = createRecords();
  const extension = Array.from({ length: 6000 }, () => ({ url: 'urn:x' }));
  const { imported, issues } = await importer.load([{ ...patients[0], extension }]);
  expect([imported, issues]).toEqual([{ Patient: 1 }, []]);
});
