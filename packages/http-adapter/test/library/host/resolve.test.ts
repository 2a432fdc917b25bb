import { setImmediate } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { ClinicalRecordsOptions, DirectoryInput } from '@clinical-records/core';
import type { StoreError } from '@clinical-records/core/adapter';
import { createMemoryStore } from '@clinical-records/store-memory';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { describe, expect, test } from 'vitest';
import { ada, noteIdExtension, statement, team } from '../../builders.ts';
import { createRecords, readFeed } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';

const host = (
  resolve: NonNullable<ClinicalRecordsOptions['resolve']>,
  options: Partial<ClinicalRecordsOptions> = {},
) => createRecords(createMemoryStore(), { resolve, ...options });

describe('records: what `resolve` returns', () => {
  test('a host with a function for each type is asked only for its types', async () => {
    const { directory } = host({ Patient: (id) => ({ id, lastName: 'Hill', firstName: null, row: 3 }) });
    expect(await directory.read('Patient', 'amy')).toMatchObject({ lastName: 'Hill', firstName: '' });
    expect(await directory.read('Organization', 'lab')).toBeNull();
  });

  test('a patient whom resolve returns has a team with a history, whichever is read first', async () => {
    const { careTeams } = host((_type, id) => ({ id, lastName: 'Hill', firstName: 'Amy' }));
    expect(await careTeams.history('amy')).toMatchObject([{ version: 1 }]);
    expect(await careTeams.history('amy')).toHaveLength(1);
  });

  test('resolve is not called for an invalid id', async () => {
    const resolvedIds: string[] = [];
    const { careTeams } = host((_type, id) => {
      resolvedIds.push(id);
      return null;
    });
    for (const id of ['a\0b', '../secret', 'x'.repeat(65), '']) {
      await expect(async () => careTeams.read(id)).rejects.toMatchObject({ tag: 'NotFound' });
    }
    expect(resolvedIds).toEqual([]);
  });

  test('A search that names no patient finds and counts only stored patients, and asks for nobody', async () => {
    const resolvedIds: string[] = [];
    const { careTeams, directory } = host((_type, id) => {
      resolvedIds.push(id);
      return { id, lastName: 'Shaw' };
    });
    await directory.put('Patient', { id: 'ben', lastName: 'Okoro' });
    expect((await careTeams.search({ status: 'active' })).total).toBe(1);
    expect(resolvedIds).toEqual([]);
  });

  test('resolve is not called for a patient whose id would name a team of another status', async () => {
    const resolvedIds: string[] = [];
    const { careTeams, chart } = host((type, id) => {
      resolvedIds.push(`${type}/${id}`);
      return type === 'Practitioner' ? { id, lastName: 'Byron', firstName: 'Ada' } : null;
    });
    expect((await careTeams.search({ patient: 'amy.inactive' })).total).toBe(0);
    const staged = chart.stage({ kind: 'goal', patientId: 'amy.inactive', description: 'Walk a mile' });
    expect(await outcomeOf(staged)).toMatchObject({ left: { issues: [{ rule: 'unknown-patient' }] } });
    expect(resolvedIds).toEqual([]);
  });

  describe('resolve is called once for each mentioned id, for ten at a time', () => {
    const ids = Array.from({ length: 45 }, (_, index) => `${index}`);
    const recordResolved = () => {
      const resolvedIds: string[] = [];
      const moments: number[] = [];
      let now = 0;
      const records = host(async (type, id) => {
        if (id === 'amy') return { id, lastName: 'Shaw', firstName: 'Amy' };
        resolvedIds.push(`${type}/${id}`);
        now += 1;
        moments.push(now);
        await setImmediate();
        now -= 1;
        return null;
      });
      return { records, resolvedIds, atOnce: () => Math.max(...moments) };
    };

    test('but one after the other in a transaction, on whose connection they are called', async () => {
      const { records, resolvedIds, atOnce } = recordResolved();
      const inside = records.in({
        join: (store) => store,
        connection: { query: async () => ({ rows: [] }), transaction: null },
        watch: () => {},
      });
      await outcomeOf(inside.careTeams.search({ patient: ids.join() }));
      expect(resolvedIds).toHaveLength(45);
      expect(atOnce()).toBe(1);
    });

    test('as members of a care team: repeated members are refused with the unknown ones', async () => {
      const { records, resolvedIds, atOnce } = recordResolved();
      const participant = [...ids, '0'].map((id) => ({
        member: { reference: `Organization/${id}` as const },
      }));
      const refused = await outcomeOf(records.careTeams.update('amy', { id: 'amy', participant }));
      expect(refused).toMatchObject({ left: { _tag: 'RuleViolation' } });
      const rules = (refused._tag === 'Left' ? refused.left.issues : []).map(({ rule }) => rule);
      expect(rules).toEqual([
        ...Array.from({ length: 46 }, () => 'unknown-organization'),
        'participant-once',
        'participant-once',
      ]);
      expect(resolvedIds).toEqual(ids.map((id) => `Organization/${id}`));
      expect(atOnce()).toBe(10);
    });

    test('as patients of a search: the ones that all of its conditions name', async () => {
      const { records, resolvedIds, atOnce } = recordResolved();
      const patient = [[...ids, ...ids].join(','), ['none', ...ids.slice(0, 30)].join(',')];
      expect((await records.careTeams.search({ patient })).total).toBe(0);
      expect(resolvedIds).toEqual(ids.slice(0, 30).map((id) => `Patient/${id}`));
      expect(atOnce()).toBe(10);
    });
  });

  test('resolve is called on first mention, once, and its result is stored', async () => {
    const resolvedIds: string[] = [];
    const { careTeams } = host((type, id) => {
      resolvedIds.push(`${type}/${id}`);
      return type === 'Patient'
        ? { id, lastName: 'Shaw', firstName: 'Amy' }
        : { id, lastName: 'Byron', firstName: 'Ada' };
    });
    expect(await careTeams.read('amy')).toMatchObject({ name: 'Care Team for Shaw, Amy' });
    await careTeams.update('amy', team(ada));
    await careTeams.update('amy', team(ada));
    expect(resolvedIds).toEqual(['Patient/amy', 'Practitioner/ada']);
    expect((await careTeams.read('amy')).participant?.[0]?.member.display).toBe('Ada Byron');
  });

  test.each([
    ['Patient', { lastName: 'Reed', firstName: 'Eve' }, { lastName: 'Gray' }],
    ['Practitioner', { lastName: 'Reed', firstName: 'Eve' }, { lastName: 'Gray' }],
    ['Organization', { name: 'Laboratory' }, { name: 'Lab Ltd' }],
    ['Encounter', { patientId: 'amy', noteId: 'one' }, { noteId: 'another' }],
    ['Note', { patientId: 'amy', title: 'New' }, { title: 'Old' }],
  ] as const)(
    'a result of resolve for a %s does not replace an entry that was put meanwhile',
    async (type, put, late) => {
      const called = Promise.withResolvers<void>();
      const answered = Promise.withResolvers<DirectoryInput[typeof type]>();
      const { directory } = host((mentioned) => {
        if (mentioned !== type) return null;
        called.resolve();
        return answered.promise;
      });
      await directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
      const reading = outcomeOf(directory.read(type, 'new'));
      await called.promise;
      const kept = await outcomeOf(directory.put(type, { id: 'new', ...put } as never));
      expect(kept).toMatchObject({ right: put });
      answered.resolve({ id: 'new', ...put, ...late } as never);
      expect(await reading).toEqual(kept);
      expect(await outcomeOf(directory.read(type, 'new'))).toEqual(kept);
    },
  );

  test('a result of resolve for a note that was created meanwhile adds the missing values', async () => {
    const { directory } = host((type) =>
      type === 'Encounter'
        ? { id: 'visit', patientId: 'amy', noteId: 'story' }
        : type === 'Note'
          ? {
              id: 'story',
              patientId: 'amy',
              encounterId: 'visit',
              title: 'Visit',
              dateOfService: '2026-01-02',
            }
          : null,
    );
    await directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
    expect(await directory.read('Note', 'story')).toEqual({
      id: 'story',
      patientId: 'amy',
      encounterId: 'visit',
      title: 'Visit',
      dateOfService: '2026-01-02',
    });
  });

  describe('an encounter that is put without its note while resolve is running', () => {
    const readWhileAnswering = async (answer: DirectoryInput['Encounter']) => {
      const { directory } = host(async (type) => {
        if (type !== 'Encounter') return null;
        await directory.put('Encounter', { id: 'visit', patientId: 'amy' });
        return answer;
      });
      for (const id of ['amy', 'bob'])
        await directory.put('Patient', { id, lastName: 'Shaw', firstName: '' });
      return { directory, read: await outcomeOf(directory.read('Encounter', 'visit')) };
    };

    test('gets the note of the result', async () => {
      const { read } = await readWhileAnswering({ id: 'visit', patientId: 'amy', noteId: 'story' });
      expect(read).toMatchObject({ right: { noteId: 'story' } });
    });

    test('gets nothing of a result for another patient', async () => {
      const { directory, read } = await readWhileAnswering({
        id: 'visit',
        patientId: 'bob',
        noteId: 'story',
      });
      expect(read).toMatchObject({ left: { issues: [{ rule: 'encounter-of-another-patient' }] } });
      expect(await directory.read('Note', 'story')).toBeNull();
    });
  });

  describe('Calls of the host are kept few: one call for each entry is in flight, and the result "none" is remembered for a second', () => {
    const nobody = (options: Partial<ClinicalRecordsOptions> = {}) => {
      const resolvedIds: string[] = [];
      const records = host(async (_type, id) => {
        resolvedIds.push(id);
        await setImmediate();
        return null;
      }, options);
      return { ...records, resolvedIds };
    };
    const movableClock = () => {
      let now = Date.parse('2026-03-01T08:00:00Z');
      return { clock: () => new Date(now), after: (milliseconds: number) => (now += milliseconds) };
    };

    test('200 simultaneous reads of one unknown patient are one call', async () => {
      let calls = 0;
      const { careTeams } = host(async (_type, id) => {
        calls += 1;
        await setImmediate();
        return { id, lastName: 'Shaw', firstName: 'Amy' };
      });
      const teams = await Promise.all(Array.from({ length: 200 }, async () => careTeams.read('amy')));
      expect(new Set(teams.map(({ name }) => name))).toEqual(new Set(['Care Team for Shaw, Amy']));
      expect(calls).toBe(1);
      expect(await careTeams.history('amy')).toHaveLength(1);
    });
    test('a failed call is over: the next one calls again', async () => {
      let calls = 0;
      const { careTeams } = host((_type, id) => {
        calls += 1;
        if (calls === 1) throw new Error('down');
        return { id, lastName: 'Shaw', firstName: 'Amy' };
      });
      expect(await outcomeOf(careTeams.read('amy'))).toMatchObject({ left: { _tag: 'StoreFailure' } });
      expect(await outcomeOf(careTeams.read('amy'))).toMatchObject({ right: { id: 'amy' } });
    });
    test('the result none expires, by the clock of the host', async () => {
      const { clock, after } = movableClock();
      const { careTeams, resolvedIds } = nobody({ clock });
      for (const milliseconds of [0, 999, 1, -5_000]) {
        after(milliseconds);
        await outcomeOf(careTeams.read('amy'));
      }
      expect(resolvedIds).toEqual(['amy', 'amy', 'amy']);
    });
    test('a put ends it', async () => {
      const { clock } = movableClock();
      const { careTeams, directory, resolvedIds } = nobody({ clock });
      expect(await outcomeOf(careTeams.read('amy'))).toMatchObject({ left: { _tag: 'NotFound' } });
      await directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
      expect(await outcomeOf(careTeams.read('amy'))).toMatchObject({ right: { id: 'amy' } });
      expect(resolvedIds).toEqual(['amy']);
    });
    test('at most a thousand are remembered', async () => {
      const { clock } = movableClock();
      const { directory, resolvedIds } = nobody({ clock });
      const look = (id: number) => outcomeOf(directory.read('Practitioner', `${id}`));
      for (let id = 0; id <= 1_000; id += 1) await look(id);
      for (const id of [1, 1_000, 0]) await look(id);
      expect(resolvedIds.slice(1_001)).toEqual(['0']);
    });
  });

  describe('A search by `patient` stores the patients whom only `resolve` knows, and finds their care teams', () => {
    const knownToHost = async (...stored: readonly string[]) => {
      const store = createMemoryStore();
      const resolvedIds: string[] = [];
      const resolve = (type: string, id: string) => {
        resolvedIds.push(id);
        return type === 'Patient' && id !== 'nobody' ? { id, lastName: id, firstName: '' } : null;
      };
      const records = createRecords(store, { resolve: resolve as never });
      for (const id of stored) await records.directory.put('Patient', { id, lastName: id });
      return { ...records, store, resolvedIds, resolve: resolve as never };
    };
    const idsIn = ({ entry = [] }: { entry?: readonly { resource: { id: string } }[] }) =>
      entry.map(({ resource }) => resource.id);

    test('as a read finds them, and the next search asks for nobody', async () => {
      const { careTeams, directory, resolvedIds } = await knownToHost('two', 'four');
      const parameters = { patient: 'one,four,three,two', _sort: '_id' } as const;
      const found = await careTeams.search(parameters);
      expect([found.total, idsIn(found)]).toEqual([4, ['four', 'one', 'three', 'two']]);
      expect(resolvedIds.toSorted()).toEqual(['one', 'three']);
      expect(await careTeams.search(parameters)).toEqual(found);
      expect(await careTeams.read('one')).toEqual(found.entry?.[1]?.resource);
      expect(await careTeams.history('one')).toHaveLength(1);
      expect((await directory.search('Patient', {})).total).toBe(4);
      expect(resolvedIds).toHaveLength(2);
    });
    test('so does a search by `_id`', async () => {
      const { careTeams } = await knownToHost('two');
      const found = await careTeams.search({ _id: 'one,two,nobody,three.inactive' });
      expect([found.total, idsIn(found).toSorted()]).toEqual([2, ['one', 'two']]);
    });
    test('if its other conditions hold', async () => {
      const { careTeams } = await knownToHost();
      const found = async (parameters: Record<string, string>) =>
        (await careTeams.search({ patient: 'one,two', ...parameters })).total;
      expect(await found({ status: 'active' })).toBe(2);
      expect(await found({ status: 'inactive' })).toBe(0);
      expect(await found({ 'status:not': 'inactive', 'participant:missing': 'true' })).toBe(2);
      expect(await found({ 'status:not': 'active' })).toBe(0);
      expect(await found({ participant: 'Practitioner/ada' })).toBe(0);
      expect(await found({ _lastUpdated: 'lt2020' })).toBe(0);
      expect(await found({ _count: '0' })).toBe(2);
    });
    test.each([
      ['memory', createMemoryStore],
      ['sqlite', () => openSqliteStore({ filename: ':memory:' })],
    ])('page by page, each once (%s)', async (_, openStore) => {
      const store = openStore();
      const { careTeams } = createRecords(store, {
        resolve: (type, id) => (type === 'Patient' ? { id, lastName: id } : null),
      });
      const walked: (readonly string[])[] = [];
      let next: string | undefined = 'patient=five,four,three,two,one&_count=2';
      while (next !== undefined) {
        const page = await careTeams.search(new URLSearchParams(next));
        walked.push(idsIn(page));
        expect(page.total).toBe(5);
        next = page.link.find(({ relation }) => relation === 'next')?.url.split('?')[1];
      }
      expect(walked.map(({ length }) => length)).toEqual([2, 2, 1]);
      expect(walked.flat().toSorted()).toEqual(['five', 'four', 'one', 'three', 'two']);
      await store.close();
    });
    test('by `all`, too', async () => {
      const unknown = Array.from({ length: 40 }, (_, at) => `unknown-${at}`);
      const { careTeams } = await knownToHost('two');
      const walked: string[] = [];
      for await (const { id } of careTeams.all({ patient: ['two', ...unknown].join() })) walked.push(id);
      expect(walked.toSorted()).toEqual(['two', ...unknown].toSorted());
    });
    test('once, if several search at the same time', async () => {
      const { careTeams, store } = await knownToHost();
      const searches = Array.from({ length: 20 }, () => careTeams.search({ patient: 'one,two' }));
      for (const { total } of await Promise.all(searches)) expect(total).toBe(2);
      expect(await readFeed(store)).toHaveLength(4);
    });
    test('in a transaction, which stores them if it succeeds', async () => {
      const { careTeams, transaction, store } = await knownToHost();
      const failing = transaction(async (tx) => {
        expect((await tx.careTeams.search({ patient: 'one,two' })).total).toBe(2);
        throw new Error('The host has changed its mind.');
      });
      await expect(failing).rejects.toThrow('changed its mind');
      expect(await readFeed(store)).toEqual([]);
      await transaction(async (tx) => {
        expect((await tx.careTeams.search({ patient: 'one,two' })).total).toBe(2);
        expect((await tx.careTeams.read('one')).meta?.versionId).toBe('1');
      });
      expect(await readFeed(store)).toHaveLength(4);
      expect(await careTeams.history('one')).toHaveLength(1);
    });
    test('If the host fails for one of them, the search fails, and none is stored', async () => {
      const store = createMemoryStore();
      const { careTeams } = createRecords(store, {
        resolve: (_type, id) => (id === 'two' ? Promise.reject(new Error('down')) : { id, lastName: id }),
      });
      expect(await outcomeOf(careTeams.search({ patient: 'one,two' }))).toMatchObject({
        left: { _tag: 'StoreFailure', issues: [{ rule: 'resolve-failed' }] },
      });
      expect(await readFeed(store)).toEqual([]);
    });
    test('The search asks the host for at most 50 unknown patients; more is a 400', async () => {
      const { careTeams, store, resolvedIds } = await knownToHost('here');
      const patient = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`).join(',');
      const before = await readFeed(store);
      expect(await outcomeOf(careTeams.search({ patient: patient(51) }))).toMatchObject({
        left: { _tag: 'InvalidRequest', issues: [{ rule: 'too-many-unknown', expression: 'patient' }] },
      });
      expect([resolvedIds, await readFeed(store)]).toEqual([[], before]);
      expect((await careTeams.search({ patient: `here,${patient(50)}` })).total).toBe(51);
    });

    describe('Where the records can only be read, it finds the teams that are stored', () => {
      const failing = async (error: StoreError) => {
        const { store, resolve } = await knownToHost('two');
        return createRecords({ ...store, commit: async () => ({ _tag: 'Left', left: error }) }, { resolve });
      };
      const why = { message: 'why', cause: null };
      const parameters = { patient: 'one,two' };

      test.each([
        ['NotWritable', 'store-not-writable'],
        ['Unavailable', 'store-unavailable'],
      ] as const)('a commit is %s: a read of a team that is not stored is %s', async (_tag, rule) => {
        const { careTeams } = await failing({ _tag, ...why });
        const found = await careTeams.search(parameters);
        expect([found.total, idsIn(found)]).toEqual([1, ['two']]);
        const read = await outcomeOf(careTeams.read('one'));
        expect(read).toMatchObject({ left: { _tag: 'StoreFailure', issues: [{ rule }] } });
      });
      test.each([
        ['Locked', 'store-locked'],
        ['OutcomeUnknown', 'outcome-unknown'],
      ] as const)('but a commit that is %s and can be tried again is %s', async (_tag, rule) => {
        const { careTeams } = await failing({ _tag, ...why });
        const found = await outcomeOf(careTeams.search(parameters));
        expect(found).toMatchObject({ left: { _tag: 'StoreFailure', issues: [{ rule }] } });
        expect((await careTeams.search({ patient: 'two' })).total).toBe(1);
      });
    });
  });

  describe('A refused POST writes nothing, not even the people whom the host returned for it', () => {
    const clinic = (options: { readonly encounterOf?: string } = {}) => {
      const store = createMemoryStore();
      const resolvedIds: string[] = [];
      const records = createRecords(store, {
        clock: () => new Date('2026-03-01T08:00:00Z'),
        resolve: (type, id) => {
          resolvedIds.push(`${type}/${id}`);
          if (type === 'Encounter')
            return id === 'none' ? null : { id, patientId: options.encounterOf ?? 'amy' };
          return type === 'Patient' ? { id, lastName: 'Shaw' } : null;
        },
      });
      return { ...records, store, resolvedIds };
    };
    const encounter = { reference: 'Encounter/visit' };

    test.each([
      ['for its note', { encounter, extension: noteIdExtension('none') }],
      ['for its status', { encounter, status: 'not-done' }],
      ['for its date', { encounter, occurrenceDateTime: '9999' }],
    ])('%s', async (_what, fields) => {
      const { immunizations, store } = clinic();
      expect(await outcomeOf(immunizations.create(statement(fields)))).toMatchObject({
        left: { _tag: 'RuleViolation' },
      });
      expect(await readFeed(store)).toEqual([]);
    });
    test('for an encounter of another patient, under any limit', async () => {
      const { immunizations, store } = clinic({ encounterOf: 'ben' });
      for (const limit of [{}, { within: 'amy' }]) {
        const refused = await outcomeOf(immunizations.create(statement({ encounter }), limit));
        expect(refused).toMatchObject({ left: { _tag: 'RuleViolation' } });
      }
      expect(await readFeed(store)).toEqual([]);
    });
    test('an accepted one writes all of them in one commit', async () => {
      const { immunizations, store } = clinic();
      let commits = 0;
      const counting = createRecords(
        {
          ...store,
          commit: (commit) => {
            // The first commit of an empty store is after one that sets its index version.
            if (commit.reindexing === undefined) commits += 1;
            return store.commit(commit);
          },
        },
        { resolve: (type, id) => (type === 'Patient' ? { id, lastName: 'Shaw' } : { id, patientId: 'amy' }) },
      );
      await counting.immunizations.create(statement({ encounter }));
      expect(commits).toBe(1);
      const types = (await readFeed(store)).map(({ type }) => type);
      expect(types.toSorted()).toEqual(['CareTeam', 'Encounter', 'Immunization', 'Note', 'Patient']);
      expect((await immunizations.search({})).total).toBe(1);
    });
    test('under a limit to one chart, the host is called as often for a record of another chart as for an unknown one', async () => {
      const { immunizations, directory, resolvedIds } = clinic({ encounterOf: 'ben' });
      await directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
      await directory.put('Patient', { id: 'ben', lastName: 'Okoro' });
      await directory.put('Encounter', { id: 'known', patientId: 'ben' });
      const refusedFor = async (id: string) => {
        const sent = statement({ encounter: { reference: `Encounter/${id}` } });
        const before = resolvedIds.length;
        const refused = [];
        for (const _ of [1, 2]) refused.push(await outcomeOf(immunizations.create(sent, { within: 'amy' })));
        return { refused, resolvedIds: resolvedIds.slice(before).map((one) => one.replace(id, 'id')) };
      };
      const none = await refusedFor('none');
      expect(none.resolvedIds).toEqual(['Encounter/id']);
      expect(await refusedFor('known')).toEqual(none);
      expect(await refusedFor('of-ben')).toEqual(none);
    });
    test('and it is not called at all if another patient is named', async () => {
      const { immunizations, careTeams, resolvedIds } = clinic();
      const refused = [
        await outcomeOf(immunizations.create(statement({ encounter }), { within: 'ben' })),
        await outcomeOf(careTeams.read('amy', { within: 'ben' })),
        await outcomeOf(careTeams.update('amy', team(ada), { within: 'ben' })),
        await outcomeOf(careTeams.search({ patient: 'amy' }, { within: 'ben' })),
      ];
      for (const one of refused) expect(one).toMatchObject({ left: { _tag: 'Forbidden' } });
      expect(resolvedIds).toEqual([]);
    });
  });

  describe('A patient without a first name is shown by the last name, without a comma', () => {
    test.each([
      ['no', {}],
      ['an empty', { firstName: '' }],
      ['null for a', { firstName: null }],
      ['a blank', { firstName: '  ' }],
      ['an invisible', { firstName: '\u200b' }],
    ])('a patient with %s first name', async (_, name) => {
      const { careTeams } = host((_type, id) => ({ id, lastName: 'Shaw', ...name }) as never);
      expect(await careTeams.read('amy')).toMatchObject({
        name: 'Care Team for Shaw',
        subject: { display: 'Shaw' },
      });
    });
  });

  test.each([
    ['undefined', undefined],
    ['a text', 'down'],
    ['an object', { code: 'DOWN' }],
    ['an Error', new Error('down')],
  ])('the cause of resolve-failed is an Error with a sentence if a host throws %s', async (_, thrown) => {
    const { careTeams } = host(() => Promise.reject(thrown));
    const failed = await outcomeOf(careTeams.read('amy'));
    const cause = 'left' in failed && 'cause' in failed.left ? failed.left.cause : null;
    expect(cause).toBeInstanceOf(Error);
    expect(cause?.message).toMatch(thrown instanceof Error ? /^down$/ : /^A referenced record .+\.$/);
  });

  test('an entry that the host does not know either is not found', async () => {
    const { careTeams } = host(() => null);
    await expect(async () => careTeams.read('amy')).rejects.toMatchObject({
      error: { _tag: 'NotFound', id: 'amy' },
    });
  });

  test('a host that throws is a StoreFailure, and nothing is stored', async () => {
    const { careTeams, immunizations } = host(() => Promise.reject(new Error('down')));
    const failing = { left: { _tag: 'StoreFailure', issues: [{ rule: 'resolve-failed' }] } };
    expect(await outcomeOf(careTeams.read('amy'))).toMatchObject(failing);
    for (const status of ['completed', 'not-done'])
      expect(await outcomeOf(immunizations.create(statement({ status })))).toMatchObject(failing);
  });

  test.each([
    ['returns another id', () => ({ id: 'ben', lastName: 'Okoro', firstName: 'Ben' })],
    ['returns an invalid entry', (_: string, id: string) => ({ id, name: 'Amy' })],
    ['returns something that is not an object', () => 'amy' as never],
  ])('a host that %s is a Misuse, and nothing is stored', async (_, resolve) => {
    const { careTeams, immunizations } = host(resolve);
    const failing = { left: { _tag: 'Misuse', issues: [{ rule: 'misuse' }] } };
    expect(await outcomeOf(careTeams.read('amy'))).toMatchObject(failing);
    for (const status of ['completed', 'not-done'])
      expect(await outcomeOf(immunizations.create(statement({ status })))).toMatchObject(failing);
  });

  describe('the Misuse says what is wrong, without the content of the result', () => {
    const messageOf = async (answer: object) => {
      const error = await outcomeOf(host(() => answer as never).careTeams.read('7')).then((result) =>
        result._tag === 'Left' ? result.left : null,
      );
      expect(inspect(error, { depth: null })).not.toMatch(/Shaw|Amy/);
      return error?.issues.map(({ message }) => message).join();
    };
    const amy = { lastName: 'Shaw', firstName: 'Amy' };

    test.each([7, '8', undefined])('an id of %j, where 7 was requested as a text', async (id) => {
      expect(await messageOf({ id, ...amy })).toMatch(
        / resolve\(\) returned a Patient with another id .+ INTEGER PRIMARY KEY.+String\(id\)\.$/,
      );
    });
    test('an element that is missing or of another type', async () => {
      expect(await messageOf({ id: '7', lastName: ['Shaw', 'Amy'] })).toMatch(
        / resolve\(\) did not return a valid Patient\. Patient\.lastName: The element has the wrong JSON type\. Allowed: string\.$/,
      );
    });
  });

  test('properties that an entry does not have are removed from a result of resolve', async () => {
    const row = {
      id: 'amy',
      lastName: 'Shaw',
      firstName: 'Amy',
      birthDate: '1980-01-02',
      gender: null,
      room: 7,
    };
    const { directory } = host(() => row);
    expect(await directory.read('Patient', 'amy')).toEqual({
      id: 'amy',
      lastName: 'Shaw',
      firstName: 'Amy',
      lastModified: expect.any(Number),
      birthDate: '1980-01-02',
    });
  });

  test('null in a result of resolve counts as missing', async () => {
    const row = { id: 'visit', patientId: 'amy', noteId: null } as unknown as DirectoryInput['Encounter'];
    const { directory } = host((type) =>
      type === 'Patient' ? { id: 'amy', lastName: 'Shaw', firstName: 'Amy' } : row,
    );
    expect(await directory.read('Encounter', 'visit')).toEqual(row);
  });

  describe('results of resolve for encounters and notes', () => {
    const visit = { id: 'visit', patientId: 'amy' };
    /** A host of one patient with one encounter and its note; each answer can be another. */
    const clinicOf = (answers: {
      readonly Encounter: DirectoryInput['Encounter'];
      readonly Note: DirectoryInput['Note'];
    }) =>
      host((type) => {
        if (type === 'Patient') return { id: 'amy', lastName: 'Shaw', firstName: 'Amy' };
        return type === 'Encounter' || type === 'Note' ? answers[type] : null;
      });
    const encounter = { reference: 'Encounter/visit' };
    const extension = noteIdExtension('note');

    test.each([
      ['the encounter', { encounter }],
      ['the note', { extension }],
      ['both', { encounter, extension }],
    ])('the statement goes into the note of the encounter: %s sent', async (_what, sent) => {
      const noteEntry = { id: 'note', patientId: 'amy' };
      for (const answers of [
        { Encounter: { ...visit, noteId: 'note' }, Note: noteEntry },
        { Encounter: { ...visit, noteId: 'note' }, Note: { ...noteEntry, encounterId: 'visit' } },
        ...('extension' in sent ? [{ Encounter: visit, Note: { ...noteEntry, encounterId: 'visit' } }] : []),
      ]) {
        const { immunizations, directory } = clinicOf(answers);
        const made = await immunizations.create(statement(sent));
        expect(made.extension).toEqual(extension);
        await directory.put('Note', { ...noteEntry, encounterId: 'visit' });
      }
    });

    test('a caller who is limited to one chart does not learn from a refused note or encounter about another', async () => {
      const answers: Readonly<Record<string, DirectoryInput['Encounter'] | DirectoryInput['Note']>> = {
        'Encounter/hers': { id: 'hers', patientId: 'ben', noteId: 'taken' },
        'Encounter/first': { id: 'first', patientId: 'ben', noteId: 'taken' },
        'Encounter/ghost': { id: 'ghost', patientId: 'nobody' },
        'Encounter/mine': { id: 'mine', patientId: 'amy', noteId: 'taken' },
        'Note/his': { id: 'his', patientId: 'ben', encounterId: 'first' },
      };
      const records = host((type, id) =>
        type === 'Patient' && id !== 'nobody'
          ? { id, lastName: 'Shaw', firstName: id }
          : (answers[`${type}/${id}`] ?? null),
      );
      await records.directory.read('Encounter', 'first');
      const messageOf = async (sent: object) => {
        const made = await outcomeOf(records.immunizations.create(statement(sent), { within: 'amy' }));
        return 'left' in made
          ? made.left.issues.map(({ rule, expression }) => `${rule} at ${expression}`)
          : [];
      };
      for (const id of ['hers', 'ghost', 'mine', 'none']) {
        expect(await messageOf({ encounter: { reference: `Encounter/${id}` } })).toEqual([
          'unknown-encounter at Immunization.encounter',
        ]);
      }
      for (const id of ['his', 'none']) {
        expect(await messageOf({ extension: noteIdExtension(id) })).toEqual([
          'unknown-note at Immunization.extension[0]',
        ]);
      }
    });

    test('an encounter of a patient whom the host does not know either is a violation at the element that mentions it', async () => {
      const records = host((type, id) => {
        if (type === 'Encounter') return { id, patientId: 'nobody' };
        return id === 'amy' ? { id, lastName: 'Shaw', firstName: 'Amy' } : null;
      });
      const issueAt = (expression: string) => ({
        left: { _tag: 'RuleViolation', issues: [{ rule: 'unknown-patient', expression }] },
      });
      const made = await outcomeOf(records.immunizations.create(statement({ encounter })));
      expect(made).toMatchObject(issueAt('Immunization.encounter'));
      const put = await outcomeOf(
        records.directory.put('Note', {
          id: 'note',
          patientId: 'amy',
          encounterId: 'visit',
        }),
      );
      expect(put).toMatchObject(issueAt('Note.encounterId'));
    });
  });
});
