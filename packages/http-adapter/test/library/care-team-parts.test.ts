import type { ClinicalStore } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { ada, bob, lab, participant, team } from '../builders.ts';
import { createRecords, dietitian, nurse, openClinic } from '../clinic.ts';
import { membersOf } from '../response-helpers.ts';
import { sourceCareTeam } from './source-resources.ts';

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

describe('a change of a team reads and writes only the parts that it concerns', () => {
  type Watched = Awaited<ReturnType<typeof watching>>;
  type Concerned = { readonly read: string[]; readonly written: string[] };
  const changes: readonly [string, (watched: Watched['records']) => Promise<unknown>, Concerned][] = [
    [
      'another role of an active member',
      async ({ careTeams }) => careTeams.update('amy', team(participant('Practitioner/ada', dietitian))),
      { read: ['amy'], written: ['amy'] },
    ],
    [
      'the same again',
      async ({ careTeams }) => careTeams.update('amy', team(ada)),
      { read: ['amy'], written: [] },
    ],
    [
      'the same again, by an import',
      async ({ importer }) => importer.load([sourceCareTeam('amy', [ada])]),
      { read: ['amy'], written: [] },
    ],
    [
      'one who is suspended',
      async ({ careTeams }) => careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'suspended'),
      { read: ['amy', 'amy.suspended'], written: ['amy', 'amy.suspended'] },
    ],
    [
      'one who joins, and can be in any part',
      async ({ careTeams }) => careTeams.setParticipantStatus('amy', 'Organization/home', 'active'),
      { read: ['amy', 'amy.suspended', 'amy.inactive'], written: ['amy'] },
    ],
    [
      'nobody is active',
      async ({ careTeams }) => careTeams.update('amy', team()),
      { read: ['amy', 'amy.suspended', 'amy.inactive'], written: ['amy', 'amy.suspended', 'amy.inactive'] },
    ],
    [
      'a new name of an active member',
      async ({ directory }) => directory.put('Practitioner', { id: 'ada', lastName: 'King', firstName: 'A' }),
      { read: ['amy'], written: ['amy'] },
    ],
    [
      'a new name of one who left',
      async ({ directory }) => directory.put('Organization', { id: 'lab', name: 'Laboratory' }),
      { read: ['amy', 'amy.inactive'], written: ['amy', 'amy.inactive'] },
    ],
    [
      'the patient under the same name',
      async ({ directory }) => directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' }),
      { read: [], written: [] },
    ],
    [
      'a new name of the patient, which every part shows',
      async ({ directory }) => directory.put('Patient', { id: 'amy', lastName: 'Lee', firstName: 'Amy' }),
      { read: ['amy', 'amy.suspended', 'amy.inactive'], written: ['amy', 'amy.suspended', 'amy.inactive'] },
    ],
  ];
  test.each(changes)('%s', async (_what, change, concerned) => {
    const { records, read, written } = await watching();
    await change(records);
    expect(read).toEqual(new Set(concerned.read));
    expect(written).toEqual(new Set(concerned.written));
  });

  test('the active team is read without the others', async () => {
    const { records, read } = await watching();
    await records.careTeams.read('amy');
    expect([...read]).toEqual(['amy']);
    await records.careTeams.read('amy.inactive');
    expect([...read]).toEqual(['amy', 'amy.inactive']);
  });
});

describe('a team that is read in parts is read as of one moment', () => {
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

  test('its version is that of the content', async () => {
    const { records, others } = await meeting('amy.inactive', async ({ careTeams }) =>
      careTeams.update('amy', team(ada, lab)),
    );
    const { json, version, lastModified } = await records.careTeams.asJson.read('amy.inactive');
    expect(membersOf(JSON.parse(json))).toEqual([]);
    const active = await others.careTeams.asJson.read('amy');
    expect([version, lastModified]).toEqual([active.version, active.lastModified]);
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
