import { setImmediate } from 'node:timers/promises';
import type { ClinicalStore, ImportProgress } from '@clinical-records/core';
import type { StoreError } from '@clinical-records/core/adapter';
import { createMemoryStore } from '@clinical-records/store-memory';
import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import { ada, participant } from '../../builders.ts';
import { cardiologist, createRecords, openClinic } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { namesOf } from '../../response-helpers.ts';
import { night, sourceCareTeam, sourceGoal, sourcePatient, sourcePractitioner } from './source-resources.ts';

const unavailable: StoreError = { _tag: 'Unavailable', message: 'gone', cause: null };

/** A clinic, with `eve`, who was imported, in the teams of some patients, and an importer whose searches and commits are counted. */
const openCounted = async (patients = 0) => {
  const store = createMemoryStore();
  const { records } = await openClinic(store);
  const ids = Array.from({ length: patients }, (_, at) => `p${at}`);
  if (patients > 0) await records.importer.load([sourcePractitioner('eve', 'Eve Hill', night(1))]);
  for (const id of ids) {
    await records.directory.put('Patient', { id, lastName: 'Shaw', firstName: id });
    await records.careTeams.setParticipantStatus(id, 'Practitioner/eve', 'active', { role: cardiologist });
  }
  const counts = { searches: 0, commits: 0 };
  /** How often records are read, where those of one turn are read together. */
  const turns = { reading: 0 };
  let isReading = false;
  /** The number of a commit that fails. */
  let failing = 0;
  const counted: ClinicalStore = {
    ...store,
    read: async (ref) => {
      if (!isReading) turns.reading += 1;
      isReading = true;
      await setImmediate();
      isReading = false;
      return store.read(ref);
    },
    search: (query) => {
      counts.searches += 1;
      return store.search(query);
    },
    commit: async (commit) => {
      counts.commits += 1;
      // The size of a commit that every store accepts.
      expect(Math.max(commit.changes.length, commit.versionChecks.length)).toBeLessThanOrEqual(1_000);
      return counts.commits === failing ? E.left(unavailable) : store.commit(commit);
    },
  };
  const { importer } = createRecords(counted);
  const load = (resources: readonly object[], onProgress?: (progress: ImportProgress) => void) => {
    Object.assign(counts, { searches: 0, commits: 0 });
    return outcomeOf(importer.load(resources, onProgress && { onProgress }));
  };
  const failAt = (commit: number) => {
    failing = commit;
  };
  const namesIn = async (id: string) => namesOf(await records.careTeams.read(id));
  return { records, ids, load, counts, turns, failAt, namesIn };
};

describe('Decisions: Import', () => {
  test('Resources are imported in batches of any types. A batch is one commit, and a record that changes twice in it has one version more, not two', async () => {
    const { records, load, counts } = await openCounted();
    const mixed = Array.from({ length: 50 }, (_, at) => [
      sourceGoal(`new-${at}`, { id: `g${at}` }),
      sourceCareTeam(`new-${at}`, [participant('Practitioner/eve', cardiologist)]),
      sourcePatient(`new-${at}`, 'Eve Hill', night(1)),
      sourcePatient(`new-${at}`, 'Eve Moss', night(2)),
    ]).flat();
    const progress: ImportProgress[] = [];
    await load([...mixed, sourcePractitioner('eve')], (reached) => progress.push(reached));
    expect(progress).toEqual([{ read: 201, imported: 201, waiting: 0 }]);
    expect(counts.commits).toBe(1);
    expect(await records.careTeams.history('new-0')).toHaveLength(1);
    expect(await records.careTeams.read('new-0')).toMatchObject({ name: 'Care Team for Moss, Eve' });
  });

  test('Once in a load, care teams are searched for an unchanged member, too: an interrupted load may have renamed the member in some teams', async () => {
    const { load, counts, failAt, namesIn } = await openCounted(150);
    const moss = sourcePractitioner('eve', 'Eve Moss', night(2));
    failAt(2);
    expect(await load([moss])).toMatchObject({ left: { _tag: 'StoreFailure' } });
    expect(await namesIn('p149')).toEqual(['Eve Hill']);
    failAt(0);
    expect(await load([moss])).toMatchObject({ right: { unchanged: { Practitioner: 1 } } });
    expect(await namesIn('p149')).toEqual(['Eve Moss']);

    await load([moss]);
    const { searches } = counts;
    await load(Array(600).fill(moss));
    expect(counts).toEqual({ searches, commits: 0 });
  });
});

test('a new member needs no search for care teams, and members are committed together', async () => {
  const { load, counts } = await openCounted();
  await load(Array.from({ length: 200 }, (_, at) => sourcePractitioner(`new-${at}`)));
  expect(counts).toEqual({ searches: 0, commits: 1 });
});

test('a member who joins a team in the same batch is shown with the last name in the end', async () => {
  const { load, namesIn } = await openCounted();
  const team = sourceCareTeam('amy', [participant('Practitioner/eve', cardiologist)]);
  const [before, after] = [
    sourcePractitioner('eve', 'Eve Hill', night(1)),
    sourcePractitioner('eve', 'Eve Moss', night(2)),
  ];
  await load([before, team, after]);
  expect(await namesIn('amy')).toEqual(['Eve Moss']);
});

test('a member of more than a hundred teams is shown with the new name in all of them once the load returns', async () => {
  const { ids, load, namesIn } = await openCounted(150);
  await load([sourcePractitioner('eve', 'Eve Moss', night(2))]);
  const names = await Promise.all(ids.map(namesIn));
  expect(names.flat()).toEqual(ids.map(() => 'Eve Moss'));
});

test.each([10, 100])('%i patients and what refers to them are read in three turns', async (count) => {
  const { load, turns } = await openCounted();
  const ids = Array.from({ length: count }, (_, at) => `new-${at}`);
  await load(ids.map((id) => sourcePatient(id)));
  const resources = ids.flatMap((id) => [sourceGoal(id, { id: `goal-of-${id}` }), sourceCareTeam(id, [ada])]);
  await load(resources);
  // One for each load, and one for the practitioner.
  expect(turns.reading).toBe(3);
});

test('care teams are committed together', async () => {
  const { load, counts } = await openCounted();
  const patients = Array.from({ length: 100 }, (_, at) => `new-${at}`);
  await load(patients.map((id) => sourcePatient(id)));
  const report = await load(patients.map((id) => sourceCareTeam(id, [ada])));
  expect(report).toMatchObject({ right: { imported: { CareTeam: 100 } } });
  expect(counts.commits).toBe(1);
});

test('a batch that writes or checks more records than a commit can have is committed in parts', async () => {
  const { records, load, counts } = await openCounted();
  const organizations = Array.from({ length: 1_280 }, (_, at) => ({
    resourceType: 'Organization',
    id: `o${at}`,
    name: `Ward ${at}`,
  }));
  await load(organizations);
  const teams = Array.from({ length: 250 }, (_, at) =>
    sourceCareTeam(
      `p${at}`,
      [0, 1, 2, 3, 4].map((nth) => participant(`Organization/o${at * 5 + nth}`, null)),
    ),
  );
  const progress: ImportProgress[] = [];
  const report = await load([...teams.map((_, at) => sourcePatient(`p${at}`)), ...teams], (reached) =>
    progress.push(reached),
  );
  expect(report).toMatchObject({ right: { imported: { Patient: 250, CareTeam: 250 }, issues: [] } });
  expect(progress).toHaveLength(1);
  expect(counts.commits).toBeGreaterThan(2);
  expect((await records.careTeams.read('p249')).participant).toHaveLength(5);
});
