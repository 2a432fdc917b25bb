import type { ClinicalStore } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { ada, bob, lab, participant, team } from '../builders.ts';
import { createRecords, dietitian, nurse, openClinic } from '../clinic.ts';
import { membersOf } from '../response-helpers.ts';
import { sourceCareTeam } from './importer/source-resources.ts';

/** A clinic whose patient Amy has Ada in her team, Bob suspended, and the laboratory among those who left. */
const openTeam = async () => {
  const store = createMemoryStore();
  const { records, clock } = await openClinic(store);
  const { update, setParticipantStatus } = records.careTeams;
  await update('amy', team(ada, lab));
  await update('amy', team(ada));
  await setParticipantStatus('amy', 'Practitioner/bob', 'suspended', { role: nurse });
  return { store, records, clock };
};

/** Which records of care teams are read and written meanwhile. */
const watching = async () => {
  const { store, clock } = await openTeam();
  const read = new Set<string>();
  const written = new Set<string>();
  const watched: ClinicalStore = {
    ...store,
    read: (ref) => {
      if (ref.type === 'CareTeam') read.add(ref.id);
      return store.read(ref);
    },
    readResource: (ref) => {
      if (ref.type === 'CareTeam') read.add(ref.id);
      return store.readResource(ref);
    },
    commit: (commit) => {
      for (const { type, id } of commit.changes) if (type === 'CareTeam') written.add(id);
      return store.commit(commit);
    },
  };
  return { records: createRecords(watched, { clock: clock.now }), read, written };
};

describe('a change of a team reads all its parts, and writes those that change', () => {
  type Watched = Awaited<ReturnType<typeof watching>>;
  const changes: readonly [string, (watched: Watched['records']) => Promise<unknown>, string[]][] = [
    [
      'another role of an active member',
      async ({ careTeams }) => careTeams.update('amy', team(participant('Practitioner/ada', dietitian))),
      ['amy'],
    ],
    ['the same again', async ({ careTeams }) => careTeams.update('amy', team(ada)), []],
    [
      'the same again, by an import',
      async ({ importer }) => importer.load([sourceCareTeam('amy', [ada])]),
      [],
    ],
    [
      'one who is suspended',
      async ({ careTeams }) => careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'suspended'),
      ['amy', 'amy.suspended'],
    ],
    [
      'one who joins, and can be in any part',
      async ({ careTeams }) => careTeams.setParticipantStatus('amy', 'Organization/home', 'active'),
      ['amy'],
    ],
    [
      'nobody is active',
      async ({ careTeams }) => careTeams.update('amy', team()),
      ['amy', 'amy.suspended', 'amy.inactive'],
    ],
    [
      'a new name of an active member',
      async ({ directory }) => directory.put('Practitioner', { id: 'ada', lastName: 'King', firstName: 'A' }),
      ['amy'],
    ],
    [
      'a new name of one who left',
      async ({ directory }) => directory.put('Organization', { id: 'lab', name: 'Laboratory' }),
      ['amy', 'amy.inactive'],
    ],
    [
      'the patient under the same name',
      async ({ directory }) => directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' }),
      [],
    ],
    [
      'a new name of the patient, which every part shows',
      async ({ directory }) => directory.put('Patient', { id: 'amy', lastName: 'Lee', firstName: 'Amy' }),
      ['amy', 'amy.suspended', 'amy.inactive'],
    ],
  ];
  test.each(changes)('%s', async (_what, change, ids) => {
    const { records, written } = await watching();
    await change(records);
    expect(written).toEqual(new Set(ids));
  });

  test('all parts are read for a change, and each status by itself', async () => {
    const { records, read } = await watching();
    await records.careTeams.read('amy');
    expect([...read]).toEqual(['amy']);
    await records.careTeams.read('amy.inactive');
    expect([...read]).toEqual(['amy', 'amy.inactive']);
    await records.careTeams.update('amy', team(ada, lab));
    expect([...read].toSorted()).toEqual([
      'amy',
      'amy.entered-in-error',
      'amy.inactive',
      'amy.proposed',
      'amy.suspended',
    ]);
  });
});

describe('the parts that a change has read are of one moment', () => {
  /** Records on whose store something happens once, when a part of the team is about to be read. */
  const meeting = async (
    part: string,
    meet: (records: Awaited<ReturnType<typeof openTeam>>['records']) => PromiseLike<unknown>,
  ) => {
    const { store, records, clock } = await openTeam();
    let isMet = false;
    const before = async (id: string) => {
      if (id !== part || isMet) return;
      isMet = true;
      await meet(records);
    };
    const met: ClinicalStore = {
      ...store,
      read: async (ref) => {
        await before(ref.id);
        return store.read(ref);
      },
      readResource: async (ref) => {
        await before(ref.id);
        return store.readResource(ref);
      },
    };
    return { records: createRecords(met, { clock: clock.now }), others: records };
  };

  test('also if it then changes nothing', async () => {
    const { records, others } = await meeting('amy.suspended', async ({ careTeams }) =>
      careTeams.setParticipantStatus('amy', 'Practitioner/bob', 'proposed'),
    );
    await others.careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'inactive');
    await records.careTeams.update('amy', team());
    expect(membersOf(await others.careTeams.read('amy.proposed'))).toEqual([]);
    expect(membersOf(await others.careTeams.read('amy.inactive'))).toContain('Practitioner/bob');
  });

  test('an empty list inactivates a participant who became active meanwhile, even if no other was active', async () => {
    const { records, others } = await meeting('amy.suspended', async ({ careTeams }) =>
      careTeams.update('amy', team(bob)),
    );
    await others.careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'inactive');
    await records.careTeams.update('amy', team());
    expect(membersOf(await others.careTeams.read('amy'))).toEqual([]);
    expect(membersOf(await others.careTeams.read('amy.inactive'))).toEqual([
      'Organization/lab',
      'Practitioner/ada',
      'Practitioner/bob',
    ]);
  });

  test('a participant who joins while being inactivated elsewhere has one status', async () => {
    const { records } = await meeting('amy.inactive', async ({ careTeams }) =>
      careTeams.update('amy', team(ada, lab)),
    );
    const { careTeams } = records;
    await careTeams.setParticipantStatus('amy', 'Organization/lab', 'suspended');
    expect(membersOf(await careTeams.read('amy'))).toEqual(['Practitioner/ada']);
    expect(membersOf(await careTeams.read('amy.inactive'))).toEqual([]);
    expect(membersOf(await careTeams.read('amy.suspended'))).toEqual([
      'Practitioner/bob',
      'Organization/lab',
    ]);
  });
});
