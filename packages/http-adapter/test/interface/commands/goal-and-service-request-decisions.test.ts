import type { ChartCommandInput, ClinicalStore, PractitionerReference } from '@clinical-records/core';
import { exactVersion, orThrow } from '@clinical-records/core/store';
import { describe, expect, test } from 'vitest';
import { goal, labOrder, oneCommandOfEach, withoutId } from '../../builders.ts';
import { createHandler, createSender } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { expectError, expectNotFound, idsOf, withoutMeta } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const withoutNames = (text: string, names: readonly string[]) =>
  JSON.stringify(JSON.parse(text, (name, value) => (names.includes(name) ? undefined : value)));

/** Writes goals and orders as they were kept and read before the names of their authors were. */
const removeNames = async (store: ClinicalStore) => {
  const records = await orThrow(store.scan({ limit: 1_000 }));
  const changes = records
    .filter(({ type }) => type === 'Goal' || type === 'ServiceRequest')
    .map(({ position: _, version, ...record }) => {
      const resource = JSON.parse(record.resource ?? 'null');
      const authors = [resource.requester, resource.expressedBy, resource.note?.[0].authorReference];
      for (const author of authors) delete author?.display;
      return {
        ...record,
        state: withoutNames(record.state, ['byDisplay', 'requesterDisplay']),
        resource: JSON.stringify(resource),
        expects: exactVersion(version),
      };
    });
  await orThrow(store.commit({ changes, versionChecks: [] }));
};

onEveryStore('Decisions: Goal and ServiceRequest', (clinic) => {
  const stage = async (command: ChartCommandInput) => (await clinic().stage(command)).id;
  const commit = (id: string, by: PractitionerReference = 'Practitioner/ada') => clinic().commit(id, by);
  const record = async (command: ChartCommandInput) => (await clinic().record(command)).id;
  const update = (fields: object) => record({ kind: 'updateGoal', goalId: 'walk', ...fields });
  const undo = (id: string) => clinic().enterInError(id);
  const get = (path = 'Goal/walk') => clinic().get(`/${path}`);
  const read = async (path?: string) => (await get(path)).json;
  const priority = async () => (await read()).priority?.coding[0].code;

  test('only a committed goal command makes a goal', async () => {
    const id = await stage(goal());
    expectNotFound(await clinic().get('/Goal/walk'), 'Goal', 'walk');
    expect(idsOf(await clinic().get('/Goal'))).toEqual([]);
    await commit(id);
    expect(idsOf(await clinic().get('/Goal'))).toEqual(['walk']);
  });

  test('Ids made by clients are refused over HTTP, for commands too', async () => {
    const send = createSender(createHandler(clinic().records, { chartCommands: true }));
    for (const body of oneCommandOfEach({ id: 'mine' })) {
      expectError(await send('POST', '/commands', { body }), 400, 'Command.id');
      expect((await send('POST', '/commands', { body: withoutId(body) })).status).toBe(201);
    }
  });

  test('A staged command changes only the version and the time of a goal, with an entry in its history and in the feed', async () => {
    const { records, clock } = clinic();
    clock.at('2026-03-05T10:00:00Z');
    await record(goal({ priority: 'low-priority' }));
    const [before, search] = [await get(), await clinic().get('/Goal?patient=amy')];
    clock.at('2026-03-06T10:00:00Z');
    const fields = { priority: 'high-priority', dueDate: '2026', progress: 'x' } as const;
    const update = await stage({ kind: 'updateGoal', goalId: 'walk', ...fields });
    await stage({ kind: 'closeGoal', goalId: 'walk', achievementStatus: 'achieved', barriers: 'y' });
    await clinic().discard(update);
    const { json, headers } = await get();
    expect(withoutMeta(json)).toEqual(withoutMeta(before.json));
    expect(json.meta).toEqual({
      ...before.json.meta,
      versionId: '4',
      lastUpdated: '2026-03-06T10:00:03.000+00:00',
    });
    expect(headers).toEqual({
      ...before.headers,
      etag: 'W/"4"',
      'last-modified': 'Fri, 06 Mar 2026 10:00:03 GMT',
    });
    const found = (await clinic().get('/Goal?patient=amy')).json;
    expect(found).toEqual({ ...search.json, entry: [{ ...search.json.entry[0], resource: json }] });
    const resource = withoutMeta(json);
    const versions = [4, 3, 2, 1].map((version) => ({ version, resource }));
    expect(await records.goals.history('walk')).toMatchObject(versions);
    const changes = [];
    for await (const change of records.changes()) if (change.id === 'walk') changes.push(change);
    expect(changes).toMatchObject(versions.toReversed());
  });

  describe('"Latest committed"', () => {
    test('means latest by commit time', async () => {
      await record(goal());
      const first = await stage({ kind: 'updateGoal', goalId: 'walk', priority: 'high-priority' });
      const second = await stage({ kind: 'updateGoal', goalId: 'walk', priority: 'low-priority' });
      await commit(second);
      await commit(first);
      expect(await priority()).toBe('high-priority');
    });
    test('A commit is never dated earlier than the previous change of its record, even if the clock was set back', async () => {
      await record(goal({ priority: 'low-priority' }));
      const staged = await stage({ kind: 'updateGoal', goalId: 'walk', achievementStatus: 'achieved' });
      await update({ priority: 'medium-priority', achievementStatus: 'improving', progress: 'one' });
      clinic().clock.at('2026-02-01T08:00:00.000Z');
      await update({ priority: 'high-priority', progress: 'two' });
      await commit(staged);
      const { achievementStatus, note } = await read();
      expect([await priority(), achievementStatus.coding[0].code]).toEqual(['high-priority', 'achieved']);
      expect(note[1].time).toBe(note[0].time);
      const dates = (await clinic().records.goals.history('walk')).map(({ at }) => at);
      expect(dates).toEqual(dates.toSorted().toReversed());
    });
    test('among those not entered in error', async () => {
      await record(goal({ priority: 'low-priority' }));
      const later = await update({ priority: 'high-priority', dueDate: '2026-06-01', progress: 'gone' });
      await undo(later);
      const { note, target } = await read();
      expect([await priority(), note, target]).toEqual(['low-priority', undefined, undefined]);
    });
    test('that state the field', async () => {
      await record(
        goal({ priority: 'low-priority', dueDate: '2026-06-01', achievementStatus: 'in-progress' }),
      );
      await update({ priority: 'high-priority' });
      await update({ dueDate: '2026-07-01' });
      const { achievementStatus, target } = await read();
      expect([await priority(), achievementStatus.coding[0].code, target]).toEqual([
        'high-priority',
        'in-progress',
        [{ dueDate: '2026-07-01' }],
      ]);
    });
    test('an explicit null due date clears it', async () => {
      await record(goal({ dueDate: '2026-06-01' }));
      await update({ dueDate: null });
      expect(await read()).not.toHaveProperty('target');
    });
  });

  test('A close command entered in error reopens the goal', async () => {
    await record(goal());
    const close = await record({ kind: 'closeGoal', goalId: 'walk', achievementStatus: 'achieved' });
    expect((await read()).lifecycleStatus).toBe('completed');
    await undo(close);
    const { lifecycleStatus, achievementStatus } = await read();
    expect([lifecycleStatus, achievementStatus]).toEqual(['active', undefined]);
    await record({ kind: 'closeGoal', goalId: 'walk' });
    expect((await read()).lifecycleStatus).toBe('completed');
  });

  describe('ServiceRequest', () => {
    const status = async () => (await read('ServiceRequest/hb')).status;
    test('staged is draft, committed is active, completed when the order is completed, entered-in-error when the command is', async () => {
      const id = await stage(labOrder({ id: 'hb' }));
      expect(await status()).toBe('draft');
      await commit(id);
      expect(await status()).toBe('active');
      await clinic().completeOrder(id);
      expect(await status()).toBe('completed');
      await undo(id);
      expect(await status()).toBe('entered-in-error');
    });
    test('No transition leaves entered-in-error', async () => {
      const id = await record(labOrder({ id: 'hb' }));
      await undo(id);
      for (const step of ['commit', 'completeOrder', 'reopenOrder', 'discard'] as const) {
        expect(await outcomeOf(clinic().records.chart[step](id, { by: 'Practitioner/ada' }))).toMatchObject({
          _tag: 'Left',
          left: { _tag: 'RuleViolation' },
        });
      }
      await undo(id);
      expect(await status()).toBe('entered-in-error');
    });
    test('A completed order that is reopened is active again, for readers and searches', async () => {
      const id = await record(labOrder({ id: 'hb' }));
      await clinic().completeOrder(id);
      expect(idsOf(await get('ServiceRequest?status=active'))).toEqual([]);
      await clinic().reopenOrder(id);
      expect(await status()).toBe('active');
      expect(idsOf(await get('ServiceRequest?status=active'))).toEqual(['hb']);
      expect(idsOf(await get('ServiceRequest?status=completed'))).toEqual([]);
    });
  });

  describe('A time is stored with fractional seconds and an offset in digits, and searched as that millisecond. A date stays a date', () => {
    test.each([
      ['2026-02-03T10:00:00Z', '2026-02-03T10:00:00.000+00:00'],
      ['2026-02-03T10:00:00-05:00', '2026-02-03T10:00:00.000-05:00'],
      ['2026-02-03T10:00:00.5+05:45', '2026-02-03T10:00:00.500+05:45'],
      ['2026-02-03T10:00:00.123456Z', '2026-02-03T10:00:00.123456+00:00'],
      ['2016-12-31T23:59:60Z', '2016-12-31T23:59:60.000+00:00'],
      ['2026-02-03', '2026-02-03'],
      ['2026-02', '2026-02'],
      ['2026', '2026'],
    ])('%s: %s', async (authoredOn, answered) => {
      await record(labOrder({ id: 'hb', authoredOn }));
      expect((await read('ServiceRequest/hb')).authoredOn).toBe(answered);
      for (const said of [authoredOn, answered]) {
        const path = `/ServiceRequest?authored=${encodeURIComponent(said)}`;
        expect(idsOf(await clinic().get(path))).toEqual(['hb']);
      }
    });
    test('for a time that was staged with seconds, the prefixes find the same as before', async () => {
      await record(labOrder({ id: 'hb', authoredOn: '2026-02-03T10:00:00Z' }));
      for (const [prefix, ids] of [
        ...['eq', 'ge', 'le', 'ap'].map((prefix) => [prefix, ['hb']] as const),
        ...['ne', 'gt', 'lt', 'sa', 'eb'].map((prefix) => [prefix, []] as const),
      ]) {
        const answer = await clinic().get(`/ServiceRequest?authored=${prefix}2026-02-03T10:00:00Z`);
        expect([prefix, idsOf(answer)]).toEqual([prefix, ids]);
      }
    });
  });

  test('Each progress and each barriers text of a committed command is a `note` with its own id, committer and commit time, in commit order', async () => {
    clinic().clock.at('2026-03-05T10:00:00.250Z');
    await record(goal({ progress: 'one', barriers: 'two' }));
    const later = await stage({ kind: 'updateGoal', goalId: 'walk', barriers: 'four' });
    await record({ kind: 'updateGoal', goalId: 'walk', progress: 'three' });
    clinic().clock.at('2026-03-06T10:00:00.250Z');
    await commit(later, 'Practitioner/bob');
    const { note } = await read();
    const seen = note.map((one: { text: string; time: string; authorReference: { reference: string } }) => [
      one.text,
      one.time,
      one.authorReference.reference,
    ]);
    expect(seen).toEqual([
      ['one', '2026-03-05T10:00:01.250+00:00', 'Practitioner/ada'],
      ['two', '2026-03-05T10:00:01.250+00:00', 'Practitioner/ada'],
      ['three', '2026-03-05T10:00:03.250+00:00', 'Practitioner/ada'],
      ['four', '2026-03-06T10:00:01.250+00:00', 'Practitioner/bob'],
    ]);
    expect(new Set(note.map(({ id }: { id: string }) => id)).size).toBe(4);
    await update({ progress: 'five' });
    expect((await read()).note.slice(0, 4)).toEqual(note);
  });

  const referenceTo = (id: string) => ({ reference: `Practitioner/${id}`, type: 'Practitioner' });
  const marry = () =>
    clinic().records.directory.put('Practitioner', { id: 'ada', lastName: 'Lovelace', firstName: 'Ada' });

  test('The reference to that person carries a `display`: the name in the directory at the time of the commit', async () => {
    const [walk, hb] = [await stage(goal({ progress: 'one' })), await stage(labOrder({ id: 'hb' }))];
    await marry();
    for (const id of [walk, hb]) await commit(id);
    const ada = { ...referenceTo('ada'), display: 'Ada Lovelace' };
    expect(await read()).toMatchObject({ expressedBy: ada, note: [{ authorReference: ada }] });
    expect((await read('ServiceRequest/hb')).requester).toEqual(ada);
  });

  test('Of a requester whom the order names, it is the name at the time of staging', async () => {
    const hb = await stage(labOrder({ id: 'hb', requesterId: 'ada' }));
    await marry();
    await commit(hb, 'Practitioner/bob');
    const { requester } = await read('ServiceRequest/hb');
    expect(requester).toEqual({ ...referenceTo('ada'), display: 'Ada Byron' });
  });

  test('A later change of the name changes nothing that was signed before', async () => {
    await record(goal({ progress: 'one' }));
    const hb = await record(labOrder({ id: 'hb' }));
    const signed = await Promise.all(['Goal/walk', 'ServiceRequest/hb'].map(get));
    await marry();
    expect(await Promise.all(['Goal/walk', 'ServiceRequest/hb'].map(get))).toEqual(signed);
    await clinic().completeOrder(hb);
    expect((await read('ServiceRequest/hb')).requester.display).toBe('Ada Byron');
    await update({ progress: 'two' });
    const { expressedBy, note } = await read();
    expect([expressedBy, ...note.map((one: { authorReference: object }) => one.authorReference)]).toEqual([
      { ...referenceTo('ada'), display: 'Ada Byron' },
      { ...referenceTo('ada'), display: 'Ada Byron' },
      { ...referenceTo('ada'), display: 'Ada Lovelace' },
    ]);
  });

  test('A record that was written before names were kept has no `display`', async () => {
    await record(goal({ progress: 'one' }));
    await record(labOrder({ id: 'hb' }));
    await record(labOrder({ id: 'iron', requesterId: 'ada' }));
    await removeNames(clinic().store);
    const ada = referenceTo('ada');
    for (const id of ['hb', 'iron']) expect((await read(`ServiceRequest/${id}`)).requester).toEqual(ada);
    const { discrepancies } = await clinic().records.verify();
    expect(discrepancies).toEqual([]);
    await commit(await stage({ kind: 'updateGoal', goalId: 'walk', progress: 'two' }), 'Practitioner/bob');
    const { expressedBy, note } = await read();
    expect([expressedBy, ...note.map((one: { authorReference: object }) => one.authorReference)]).toEqual([
      ...[ada, ada],
      { ...referenceTo('bob'), display: 'Bob Gray' },
    ]);
  });

  test("`priority.coding.system` is the goal-priority code system; displays are FHIR's own (In Progress, High Priority …)", async () => {
    await record(goal({ priority: 'medium-priority', achievementStatus: 'not-attainable' }));
    const { priority: concept, achievementStatus } = await read();
    expect(concept.coding).toEqual([
      {
        system: 'http://terminology.hl7.org/CodeSystem/goal-priority',
        code: 'medium-priority',
        display: 'Medium Priority',
      },
    ]);
    expect(achievementStatus.coding[0].display).toBe('Not Attainable');
  });
});
