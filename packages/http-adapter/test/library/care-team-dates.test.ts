import type { ClinicalStore } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { ada, bob, lab, participant, team } from '../builders.ts';
import { cardiologist, createRecords, nurse, openClinic } from '../clinic.ts';
import { outcomeOf } from '../outcome-of.ts';
import { membersOf } from '../response-helpers.ts';
import { sourceCareTeam } from './importer/source-resources.ts';

const at = (time: string) => new Date(`2026-03-05T${time}Z`);

/** Records with a clock that stands still, but for the three seconds that the host needs whenever it is asked for an entry. */
const openRecords = async (store: ClinicalStore = createMemoryStore()) => {
  await openClinic(store);
  let now = at('10:00:00.600');
  /** How long each change of a team had been decided when it was committed, in milliseconds. */
  const waits: number[] = [];
  const watched: ClinicalStore = {
    ...store,
    commit: (commit) => {
      const teams = commit.changes.filter(({ type }) => type === 'CareTeam');
      waits.push(...teams.map((change) => now.getTime() - change.at));
      return store.commit(commit);
    },
  };
  const records = createRecords(watched, {
    clock: () => now,
    resolve: (type, id) => {
      now = new Date(now.getTime() + 3_000);
      return type === 'Practitioner' ? { id, lastName: id, firstName: '' } : null;
    },
  });
  const modified = async () => (await records.careTeams.asJson.read('amy')).lastModified;
  const setClock = (time: string) => {
    now = at(time);
  };
  return { records, waits, modified, setClock };
};

describe('Decisions: CareTeam', () => {
  describe('A change of a team is dated when it is decided, after all lookups', () => {
    const foreignTeam = (patientId: string, member: string) =>
      sourceCareTeam(patientId, [participant(`Practitioner/${member}`, cardiologist)], { id: patientId });
    type Records = Awaited<ReturnType<typeof openRecords>>['records'];
    const changes: readonly [string, (records: Records) => Promise<unknown>][] = [
      ['a PUT', ({ careTeams }) => careTeams.update('amy', team(participant('Practitioner/eve', nurse)))],
      [
        "a host's screen",
        ({ careTeams }) =>
          careTeams.setParticipantStatus('amy', 'Practitioner/eve', 'active', { role: nurse }),
      ],
      ['an import', ({ importer }) => importer.load([foreignTeam('amy', 'eve')])],
      [
        'an import of several teams',
        ({ importer }) => importer.load([foreignTeam('amy', 'eve'), foreignTeam('ben', 'fay')]),
      ],
    ];

    test.each(changes)('by %s', async (_, change) => {
      const { records, waits, modified } = await openRecords();
      await change(records);
      expect(Math.max(...waits)).toBe(0);
      const ifUnmodifiedSince = at('10:00:02');
      expect(await modified()).toBeGreaterThan(ifUnmodifiedSince.getTime());
      expect(await outcomeOf(records.careTeams.update('amy', team(), { ifUnmodifiedSince }))).toMatchObject({
        left: { _tag: 'PreconditionFailed' },
      });
    });
  });

  test('if a patient is modified while a team without participants is read, a participant who joins meanwhile is not lost', async () => {
    const store = createMemoryStore();
    let meanwhile = async () => {};
    const { records } = await openRecords({
      ...store,
      read: async (ref) => {
        const answer = await store.read(ref);
        await meanwhile();
        return answer;
      },
    });
    const amy = { id: 'amy', lastName: 'Shaw', firstName: 'Amy', lastModified: at('12:00:00') };
    meanwhile = async () => {
      meanwhile = async () => {};
      await records.careTeams.update('amy', team(ada));
      await records.directory.put('Patient', amy);
    };
    const { json, lastModified } = await records.careTeams.asJson.read('amy');
    expect([JSON.parse(json).participant.length, lastModified]).toEqual([1, at('10:00:00.600').getTime()]);
  });

  describe('Two changes of a team never share a second: the later one is dated at the beginning of the next', () => {
    type Records = Awaited<ReturnType<typeof openRecords>>['records'];
    const stale = { left: { _tag: 'PreconditionFailed' } };
    const changes: readonly [string, (records: Records) => Promise<unknown>][] = [
      ['a PUT', ({ careTeams }) => careTeams.update('amy', team(ada, lab))],
      [
        "a host's screen",
        ({ careTeams }) => careTeams.setParticipantStatus('amy', 'Organization/lab', 'active'),
      ],
      ['an import', ({ importer }) => importer.load([sourceCareTeam('amy', [lab])])],
    ];

    describe('So `If-Unmodified-Since` with the `Last-Modified` that was read is always safe', () => {
      test.each(changes)('a participant who joins by %s in that second is not lost', async (_, join) => {
        const { records, modified, setClock } = await openRecords();
        await records.careTeams.update('amy', team(ada));
        const options = { ifUnmodifiedSince: new Date(await modified()) };
        setClock('10:00:00.900');
        await join(records);
        expect(await modified()).toBe(at('10:00:01.000').getTime());
        expect(await outcomeOf(records.careTeams.update('amy', team(bob), options))).toMatchObject(stale);
        expect(membersOf(await records.careTeams.read('amy'))).toEqual([
          'Practitioner/ada',
          'Organization/lab',
        ]);
        const again = { ifUnmodifiedSince: new Date(await modified()) };
        await records.careTeams.update('amy', team(bob), again);
      });

      test.each(changes)(
        'nor one who joins by %s in the second in which the patient was put',
        async (_, join) => {
          const { records, modified, setClock } = await openRecords();
          await records.directory.put('Patient', { id: 'new', lastName: 'New', firstName: '' });
          await records.directory.put('Patient', {
            ...{ id: 'amy', lastName: 'Shaw', firstName: 'Amy' },
            lastModified: at('10:00:00.700'),
          });
          const options = { ifUnmodifiedSince: new Date(await modified()) };
          setClock('10:00:00.900');
          await join(records);
          expect(await outcomeOf(records.careTeams.update('amy', team(bob), options))).toMatchObject(stale);
        },
      );

      test('nor one who joins an empty team while the patient is modified', async () => {
        const store = createMemoryStore();
        let meanwhile = async () => {};
        const { records, modified } = await openRecords({
          ...store,
          commit: async (commit) => {
            await meanwhile();
            return store.commit(commit);
          },
        });
        let seen = 0;
        meanwhile = async () => {
          meanwhile = async () => {};
          const lastModified = at('10:00:00.700');
          await records.directory.put('Patient', {
            id: 'amy',
            lastName: 'Shaw',
            firstName: 'Amy',
            lastModified,
          });
          seen = await modified();
        };
        await records.careTeams.update('amy', team(ada));
        expect(seen).toBe(at('10:00:00.700').getTime());
        const options = { ifUnmodifiedSince: new Date(seen) };
        expect(await outcomeOf(records.careTeams.update('amy', team(bob), options))).toMatchObject(stale);
      });
    });

    test('Many changes at once are dated a second apart, ahead of the clock; the history and the feed give these dates, too', async () => {
      const { records } = await openRecords();
      const [first] = await records.careTeams.history('amy');
      for (const participants of [[ada], [ada, bob], [ada], []])
        await records.careTeams.update('amy', team(...participants));
      const dates = ['10:00:03.000', '10:00:02.000', '10:00:01.000', '10:00:00.600'].map(
        (time) => `2026-03-05T${time}+00:00`,
      );
      const history = await records.careTeams.history('amy');
      expect(history.map((version) => version.at)).toEqual([...dates, first?.at]);
      const fed: string[] = [];
      for await (const change of records.changes()) if (change.id === 'amy') fed.unshift(change.at);
      expect(fed).toEqual([...dates, first?.at]);
    });
  });

  describe('A clock that was set back makes no difference', () => {
    test('if it was set back, a stale PUT gets a 412', async () => {
      const { records, modified, setClock } = await openRecords();
      await records.careTeams.update('amy', team(ada));
      const seen = new Date(await modified());
      setClock('09:55:00');
      await records.careTeams.update('amy', team(ada, bob));
      expect(await modified()).toBe(at('10:00:01.000').getTime());
      setClock('10:30:00');
      const stale = records.careTeams.update('amy', team(ada), { ifUnmodifiedSince: seen });
      expect(await outcomeOf(stale)).toMatchObject({ left: { _tag: 'PreconditionFailed' } });
      await records.careTeams.update('amy', team(ada));
      expect(await modified()).toBe(at('10:30:00').getTime());
    });

    test('a PUT of a client that read the team before the clock reached that second gets one, too', async () => {
      const { records, setClock } = await openRecords();
      const put = (...participants: object[]) => records.careTeams.update('amy', team(...participants));
      await put(ada);
      setClock('09:55:00');
      await put(ada, bob);
      const { lastModified } = await records.careTeams.asJson.read('amy');
      setClock('10:00:01.200');
      await put(ada, bob, lab);
      setClock('10:30:00');
      const options = { ifUnmodifiedSince: new Date(lastModified) };
      const stale = records.careTeams.update('amy', team(ada, bob), options);
      expect(await outcomeOf(stale)).toMatchObject({ left: { _tag: 'PreconditionFailed' } });
    });

    test('if the clock of the host is ahead, its patient was modified then', async () => {
      const { records, modified } = await openRecords();
      const amy = { id: 'amy', lastName: 'Shaw', firstName: 'Amy', lastModified: at('10:00:04') };
      await records.directory.put('Patient', amy);
      await records.careTeams.update('amy', team(ada));
      expect(await modified()).toBe(at('10:00:05.000').getTime());
    });

    test('if it was set back, and all participants were removed before', async () => {
      const { records, modified, setClock } = await openRecords();
      setClock('10:10:00');
      await records.careTeams.update('amy', team(ada));
      await records.careTeams.removeAllParticipants('amy');
      setClock('10:05:00');
      await records.careTeams.update('amy', team(ada));
      expect(await modified()).toBe(at('10:10:02.000').getTime());
    });

    test('if the patient of a team without members gets another name after it was set back', async () => {
      const { records, modified, setClock } = await openRecords();
      setClock('10:10:00');
      await records.directory.put('Patient', { id: 'amy', lastName: 'Hill', firstName: 'Amy' });
      setClock('10:05:00');
      await records.directory.put('Patient', { id: 'amy', lastName: 'Byron', firstName: 'Amy' });
      expect(await modified()).toBe(at('10:10:00').getTime());
    });

    test('if an import comes after it was set back', async () => {
      const { records, modified, setClock } = await openRecords();
      await records.careTeams.update('amy', team(ada));
      setClock('09:55:00');
      await records.importer.load([sourceCareTeam('amy', [lab])]);
      expect(await modified()).toBe(at('10:00:01.000').getTime());
    });
  });

  describe('A new name is dated no earlier than the version before it, and can share its second', () => {
    test.each(['09:55:00', '10:00:00.600'])('at %s', async (time) => {
      const { records, setClock } = await openRecords();
      await records.careTeams.update('amy', team(ada));
      setClock(time);
      await records.directory.put('Practitioner', { id: 'ada', lastName: 'Lovelace', firstName: 'Ada' });
      const [named, joined] = await records.careTeams.history('amy');
      expect(named?.version).toBe(3);
      const earliest = Math.max(Date.parse(joined?.at ?? ''), at(time).getTime());
      expect(Date.parse(named?.at ?? '')).toBe(earliest);
    });
    test('and never before a team that is dated ahead', async () => {
      const { records } = await openRecords();
      await records.careTeams.update('amy', team(ada));
      await records.careTeams.update('amy', team(ada, lab));
      await records.directory.put('Patient', { id: 'amy', lastName: 'Lee', firstName: 'Amy' });
      const [named] = await records.careTeams.history('amy');
      expect(named?.at).toBe('2026-03-05T10:00:01.000+00:00');
    });
  });
});
