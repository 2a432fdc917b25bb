import type { ClinicalRecords, ClinicalStore } from '@clinical-records/core';
import type { StoreError } from '@clinical-records/core/adapter';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { ada, team } from '../../builders.ts';
import { cardiologist, createRecords, openClinic, readFeed } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { namesOf } from '../../response-helpers.ts';
import { sourceCareTeam } from '../importer/source-resources.ts';

type Unavailable = Extract<StoreError, { _tag: 'Unavailable' }>;

/** A store on which the first answer of a function, once it is armed, waits until it is let go. */
const holdStore = (store: ClinicalStore, name: 'read' | 'search' | 'commit') => {
  const reached = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  let isArmed = false;
  const held: ClinicalStore = {
    ...store,
    [name]: async (of: never) => {
      const answer = await store[name](of);
      if (isArmed) {
        isArmed = false;
        reached.resolve();
        await letGo.promise;
      }
      return answer;
    },
  };
  const arm = () => {
    isArmed = true;
  };
  return { held, arm, reached: reached.promise, letGo: letGo.resolve };
};

describe('after two puts of one member, all teams show the last name, wherever one of the puts is delayed', () => {
  test.each([
    ['after its commit', 'commit', 'King'],
    ['after it has read that nothing changes', 'read', 'Byron'],
    ['after it has looked for teams to mend', 'search', 'Byron'],
  ] as const)('%s', async (_where, name, lastName) => {
    const store = createMemoryStore();
    const { held, arm, reached, letGo } = holdStore(store, name);
    const { records: other } = await openClinic(store);
    const { records } = await openClinic(held);
    await other.careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'active', { role: cardiologist });
    arm();
    const put = Promise.resolve(
      records.directory.put('Practitioner', { id: 'ada', lastName, firstName: 'Ada' }),
    );
    await reached;
    await other.directory.put('Practitioner', { id: 'ada', lastName: 'Lovelace', firstName: 'Ada' });
    letGo();
    await put;
    expect(await other.directory.read('Practitioner', 'ada')).toMatchObject({
      lastName: 'Lovelace',
    });
    expect(namesOf(await other.careTeams.read('amy'))).toEqual(['Ada Lovelace']);
  });
});

test.each([
  ['a PUT', ({ careTeams }: ClinicalRecords) => careTeams.update('amy', team(ada))],
  [
    "a host's screen",
    ({ careTeams }: ClinicalRecords) =>
      careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'active', { role: cardiologist }),
  ],
  ['an import', ({ importer }: ClinicalRecords) => importer.load([sourceCareTeam('amy', [ada])])],
])('a member who joins a team by %s while being renamed is shown with the new name', async (_how, join) => {
  const store = createMemoryStore();
  const { records: other } = await openClinic(store);
  const records = createRecords({
    ...store,
    commit: async (commit) => {
      await other.directory.put('Practitioner', { id: 'ada', lastName: 'King', firstName: 'Ada' });
      return store.commit(commit);
    },
  });
  await join(records);
  expect(namesOf(await other.careTeams.read('amy'))).toEqual(['Ada King']);
});

test('a member who joins with the old name, and leaves after the team was found, is shown with the new one', async () => {
  const store = createMemoryStore();
  const { records: other } = await openClinic(store);
  const meetings = [
    async () => other.careTeams.update('amy', team(ada)),
    async () => other.careTeams.update('amy', team()),
  ];
  const { directory } = createRecords({
    ...store,
    search: async (query) => {
      const answer = await store.search(query);
      await meetings.shift()?.();
      return answer;
    },
  });
  await directory.put('Practitioner', { id: 'ada', lastName: 'King', firstName: 'Ada' });
  expect(meetings).toEqual([]);
  expect(namesOf(await other.careTeams.read('amy.inactive'))).toEqual(['Ada King']);
});

describe('a member of many teams is renamed in a hundred of them in one commit', () => {
  /** A clinic in which the laboratory is in a number of teams; every attempt to commit its new name can be met by something. */
  const labIn = async (
    teams: number,
    prepare: (records: ClinicalRecords) => Promise<void> = async () => {},
  ) => {
    const store = createMemoryStore();
    const { records } = await openClinic(store);
    await prepare(records);
    const patients = Array.from({ length: teams }, (_, index) => `p${index}`);
    for (const id of patients) {
      await records.directory.put('Patient', { id, lastName: 'Shaw', firstName: id });
      await records.careTeams.setParticipantStatus(id, 'Organization/lab', 'active');
    }
    /** Answers at how many attempts to commit it arrived. */
    const rename = async (meet: (attempt: number) => Promise<Unavailable | null> = async () => null) => {
      let attempts = 0;
      const { directory } = createRecords({
        ...store,
        commit: async (commit) => {
          attempts += 1;
          const failure = await meet(attempts);
          return failure === null ? store.commit(commit) : { _tag: 'Left', left: failure };
        },
      });
      const { _tag } = await outcomeOf(directory.put('Organization', { id: 'lab', name: 'Laboratory' }));
      return { _tag, attempts };
    };
    /** In how many teams it shows under each name. */
    const shown = async () => {
      const names = new Map<string, number>();
      for (const id of patients) {
        const { participant = [] } = await records.careTeams.read(id);
        const name = participant.find(({ member }) => member.reference === 'Organization/lab')?.member
          .display;
        names.set(`${name}`, (names.get(`${name}`) ?? 0) + 1);
      }
      return Object.fromEntries(names);
    };
    return { records, rename, shown };
  };

  test('up to a hundred teams show the new name as of the commit of the directory entry', async () => {
    const { rename, shown } = await labIn(100);
    expect(await rename()).toEqual({ _tag: 'Right', attempts: 1 });
    expect(await shown()).toEqual({ Laboratory: 100 });
  });

  test('so they do for a practitioner', async () => {
    const store = createMemoryStore();
    const { records } = await openClinic(store);
    await records.careTeams.update('amy', team(ada));
    const before = (await readFeed(store)).length;
    const commits: number[] = [];
    const { directory } = createRecords({
      ...store,
      commit: (commit) => {
        commits.push(commit.changes.length);
        return store.commit(commit);
      },
    });
    await directory.put('Practitioner', { id: 'ada', lastName: 'King', firstName: 'Ada' });
    expect(commits).toEqual([(await readFeed(store)).length - before]);
    expect(namesOf(await records.careTeams.read('amy'))).toEqual(['Ada King']);
  });

  test('all teams show it when the put returns, even if another write comes before each commit', async () => {
    const { records, rename, shown } = await labIn(250);
    const renamed = await rename(async (attempt) => {
      const id = `p${(attempt * 50) % 250}`;
      await records.careTeams.setParticipantStatus(
        id,
        'Organization/home',
        attempt % 2 ? 'active' : 'inactive',
      );
      return null;
    });
    // Two of them were to a team of the group that was being committed.
    expect(renamed).toEqual({ _tag: 'Right', attempts: 5 });
    expect(await shown()).toEqual({ Laboratory: 250 });
  });

  test('a suspended member beyond the current group of teams, who then moves behind it, is renamed, too', async () => {
    const { records, rename } = await labIn(250, async ({ careTeams, directory }) => {
      await directory.put('Patient', { id: 'first', lastName: 'Shaw', firstName: 'First' });
      await careTeams.setParticipantStatus('first', 'Organization/home', 'inactive');
    });
    await records.careTeams.setParticipantStatus('first', 'Organization/lab', 'suspended');
    await rename(async (attempt) => {
      if (attempt === 2) await records.careTeams.update('first', { id: 'first' });
      return null;
    });
    const { participant = [] } = await records.careTeams.read('first.inactive');
    expect(participant.map(({ member }) => member.display)).toContain('Laboratory');
  });

  test('if the store fails before the last team, a second put of the same entry renames the rest', async () => {
    const { rename, shown } = await labIn(250);
    const failure = { _tag: 'Unavailable', message: 'gone', cause: null } as const;
    const { _tag } = await rename(async (attempt) => (attempt === 2 ? failure : null));
    expect(_tag).toBe('Left');
    expect(await shown()).toEqual({ Laboratory: 100, 'Lab Ltd': 150 });
    expect(await rename()).toEqual({ _tag: 'Right', attempts: 2 });
    expect(await shown()).toEqual({ Laboratory: 250 });
  });
});
