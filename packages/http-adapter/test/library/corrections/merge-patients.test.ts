import { type FeedEntry, noVersion, orThrow } from '@clinical-records/core/store';
import { describe, expect, test } from 'vitest';
import {
  ada,
  bob,
  goal,
  immunize,
  labOrder,
  noteIdExtension,
  oneCommandOfEach,
  statement,
  team,
} from '../../builders.ts';
import { cardiologist } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { expectError, idsOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const why = { by: 'Practitioner/cyd', reason: 'Registered twice.' } as const;
const amyIntoBen = { patientId: 'amy', toPatientId: 'ben', ...why } as const;

onEveryStore('records.corrections.mergePatients', (clinic) => {
  const merge = async () => clinic().records.corrections.mergePatients(amyIntoBen);
  const fill = async () => {
    for (const command of oneCommandOfEach({ id: 'x' })) await clinic().record(command);
    await clinic().stage(goal({ id: 'staged' }));
    await clinic().record(immunize());
    await clinic().records.careTeams.update('amy', team(ada, bob));
  };
  const found = async (type: string, patientId: string) =>
    idsOf(await clinic().get(`/${type}?patient=${patientId}`));

  test('every record of the chart is in the other one, under its id, with the author and the time of the merge', async () => {
    await fill();
    const correction = await merge();
    for (const type of ['ServiceRequest', 'Goal', 'Immunization', 'CareTeam']) {
      expect(await found(type, 'amy')).toEqual([]);
    }
    expect(await found('ServiceRequest', 'ben')).toEqual(['x']);
    expect(await found('Goal', 'ben')).toEqual(['x']);
    expect(await found('Immunization', 'ben')).toEqual(['x', 'shot']);
    const [merged] = await clinic().records.goals.history('x');
    expect(merged).toMatchObject({ version: 2, at: correction.at, by: why.by });
    expect(await clinic().commit('Goal/staged/0')).toMatchObject({ patientId: 'ben' });
    const { directory } = clinic().records;
    expect(await directory.read('Encounter', 'visit-amy')).toMatchObject({ patientId: 'ben' });
    expect(await directory.read('Note', 'note-amy')).toMatchObject({ patientId: 'ben' });
  });

  test('is refused for a chart with records of a type that is not defined, which keep their patient', async () => {
    await fill();
    const condition = { type: 'Condition', patientId: 'amy', at: 0, by: null, state: '{}', resource: null };
    const changes = [{ ...condition, id: 'flu', index: [], expects: noVersion }];
    await orThrow(clinic().store.commit({ changes, versionChecks: [] }));
    const before = await clinic().feed();
    expect(await outcomeOf(merge())).toMatchObject({
      left: { _tag: 'RuleViolation', issues: [{ rule: 'undefined-type', expression: 'Condition' }] },
    });
    expect(await clinic().feed()).toEqual(before);
  });

  test('the correction lists the records with their new versions, and is found by both patients', async () => {
    await fill();
    const { careTeams, corrections } = clinic().records;
    const inactive = async (patientId: string, member: `Practitioner/${string}`) =>
      careTeams.setParticipantStatus(patientId, member, 'inactive', { role: cardiologist });
    await inactive('amy', 'Practitioner/cyd');
    await inactive('ben', 'Practitioner/cyd');
    await inactive('ben', 'Practitioner/dan');
    await inactive('amy', 'Practitioner/ada');
    const before = (await clinic().feed()).length;
    const correction = await merge();
    expect(correction).toMatchObject({ kind: 'merge', patientId: 'amy', toPatientId: 'ben', ...why });
    const written = (await clinic().feed())
      .slice(before)
      .map(({ type, id, version }) => ({ type, id, version }));
    const isListed = ({ type }: { readonly type: string }) => type !== 'Patient' && type !== 'Correction';
    expect(correction.records).toEqual(written.filter(isListed));
    expect(correction.records).toContainEqual({ type: 'Goal', id: 'x', version: 2 });
    expect(correction.records).toContainEqual({ type: 'CareTeam', id: 'ben.inactive', version: 3 });
    for (const resourceId of ['amy', 'ben']) {
      expect(await corrections.of({ resourceType: 'Patient', resourceId })).toEqual([correction]);
    }
  });

  test('the members join the other team, and the old team is gone, but for its history', async () => {
    await fill();
    await clinic().records.careTeams.setParticipantStatus('ben', 'Practitioner/dan', 'active', {
      role: cardiologist,
    });
    await merge();
    const members = async (id: string) =>
      (await clinic().records.careTeams.read(id)).participant?.map(({ member }) => member.display);
    expect(await members('ben')).toEqual(['Dan Moss', 'Bob Gray']);
    expect(await members('ben.proposed')).toEqual(['Ada Byron']);
    expect((await clinic().get('/CareTeam/amy')).status).toBe(404);
    expect((await clinic().put('/CareTeam/amy', team(ada))).status).toBe(404);
    const [last, before] = await clinic().records.careTeams.history('amy');
    expect([last?.resource, before?.resource?.participant?.length]).toEqual([null, 2]);
    expect((await clinic().get('/CareTeam/amy.inactive')).status).toBe(404);
    await expect(async () => clinic().records.careTeams.history('amy.inactive')).rejects.toMatchObject({
      tag: 'NotFound',
    });
  });

  test('the patient is inactive, and names the other one; a put of the name does not change that', async () => {
    await merge();
    const { directory } = clinic().records;
    await directory.put('Patient', { id: 'amy', lastName: 'Li', firstName: 'Amy' });
    expect(await directory.readResource('Patient', 'amy')).toMatchObject({
      ...{ active: false, name: [{ family: 'Li' }] },
      link: [{ other: { reference: 'Patient/ben' }, type: 'replaced-by' }],
    });
    expect(await found('CareTeam', 'amy')).toEqual([]);
  });

  describe('a write that names the replaced patient is refused', () => {
    test.each<readonly [string, string, () => Promise<unknown>]>([
      ['a goal', 'Command.patientId', async () => clinic().record(goal())],
      ['an order', 'Command.patientId', async () => clinic().record(labOrder())],
      ['an immunization', 'Command.patientId', async () => clinic().record(immunize({ noteId: undefined }))],
      [
        'an encounter',
        'Encounter.patientId',
        async () => clinic().records.directory.put('Encounter', { id: 'visit-amy', patientId: 'amy' }),
      ],
      [
        'a note',
        'Note.patientId',
        async () => clinic().records.directory.put('Note', { id: 'n', patientId: 'amy' }),
      ],
      [
        'a move',
        'Correction.toPatientId',
        async () =>
          clinic().records.corrections.moveToPatient({
            ...{ resourceType: 'Goal', resourceId: 'bens', toPatientId: 'amy', ...why },
          }),
      ],
      [
        'a merge of another patient into it',
        'Correction.toPatientId',
        async () =>
          clinic().records.corrections.mergePatients({ ...amyIntoBen, patientId: 'ben', toPatientId: 'amy' }),
      ],
    ])('%s', async (_, expression, write) => {
      await clinic().record(goal({ id: 'bens', patientId: 'ben' }));
      await merge();
      await expect(write()).rejects.toMatchObject({ issues: [{ rule: 'replaced-patient', expression }] });
    });

    test('over HTTP, it is a 422', async () => {
      await merge();
      expectError(await clinic().post('/Immunization', statement()), 422, 'Immunization.patient');
    });
  });

  test('a note that something else has written later does not open the old chart again', async () => {
    await merge();
    const note = { id: 'late', patientId: 'amy', encounterId: null, title: null, dateOfService: null };
    await orThrow(
      clinic().store.commit({
        changes: [
          {
            ...{ type: 'Note', id: note.id, patientId: note.patientId, at: 0, by: null },
            ...{ state: JSON.stringify(note), resource: null, index: [], expects: noVersion },
          },
        ],
        versionChecks: [],
      }),
    );
    const extension = noteIdExtension(note.id);
    const { create } = clinic().records.immunizations;
    await expect(async () => create(statement({ extension }))).rejects.toMatchObject({
      issues: [{ rule: 'replaced-patient' }],
    });
  });

  test('an import reports records of the replaced patient, and does not bring them back', async () => {
    await clinic().record(goal());
    await merge();
    const source = { resourceType: 'Goal', lifecycleStatus: 'active', description: { text: 'Swim' } };
    const subject = { reference: 'Patient/amy' };
    const report = await clinic().records.importer.load([
      { ...source, id: 'new', subject },
      { ...source, id: 'walk', subject },
    ]);
    expect(report.issues.map(({ id, rule }) => [id, rule])).toEqual([
      ['new', 'replaced-patient'],
      ['walk', 'changed-here'],
    ]);
  });

  test('a reference to the patient within a record names the other one', async () => {
    const performer = [{ reference: 'Patient/amy' }] as const;
    const note = [{ text: 'Say "reference":"Patient/amy"' }];
    await clinic().record(labOrder({ id: 'order', performer, note }));
    await merge();
    const order = await clinic().records.serviceRequests.read('order');
    expect(order).toMatchObject({ performer: [{ reference: 'Patient/ben' }], note });
  });

  test('each of several references to the patient within a record names the other one', async () => {
    const amy = { reference: 'Patient/amy' } as const;
    await clinic().record(labOrder({ id: 'order', performer: [amy, amy], supportingInfo: [amy] }));
    await merge();
    const ben = { reference: 'Patient/ben' };
    expect(await clinic().records.serviceRequests.read('order')).toMatchObject({
      ...{ subject: ben, performer: [ben, ben], supportingInfo: [ben] },
    });
  });

  test('a retry of a create with its key still gets the first result', async () => {
    const create = () => clinic().post('/Immunization', statement(), { headers: { 'idempotency-key': 'k' } });
    const { headers } = await create();
    await merge();
    expect((await create()).headers.location).toBe(headers.location);
    const keys = (await clinic().feed()).filter(({ type }) => type === 'IdempotencyKey');
    expect(keys.map(({ patientId }) => patientId)).toEqual(['amy', 'ben']);
  });

  /** Writes the same goal under other ids, as a write that began before the merge can. */
  const writeLate = async (ids: readonly string[]) => {
    const [written] = (await clinic().feed()).filter(({ type }) => type === 'Goal');
    const { at, by, patientId, state, resource } = written as FeedEntry;
    const withId = (id: string) => (text: string) => JSON.stringify({ ...JSON.parse(text), id });
    const changes = ids.map((id) => ({
      ...{ type: 'Goal', id, at, by, patientId, index: [], expects: noVersion },
      ...{ state: withId(id)(state), resource: withId(id)(resource ?? '') },
    }));
    await orThrow(clinic().store.commit({ changes, versionChecks: [] }));
  };

  test('a repeated merge moves a record that was written in the meantime', async () => {
    await clinic().record(goal());
    await merge();
    await writeLate(['late']);
    expect((await merge()).records).toEqual([{ type: 'Goal', id: 'late', version: 2 }]);
    expect(await found('Goal', 'ben')).toEqual(['walk', 'late']);
  });

  test('a repeated merge names the patient who has the chart now, if the other one was merged since', async () => {
    const { corrections, directory } = clinic().records;
    await directory.put('Patient', { id: 'cat', lastName: 'Ray' });
    await clinic().record(goal());
    await merge();
    await corrections.mergePatients({ patientId: 'ben', toPatientId: 'cat', ...why });
    await writeLate(['late']);
    await expect(merge()).rejects.toMatchObject({ issues: [{ rule: 'replaced-patient' }] });
    const repeated = await corrections.mergePatients({ ...amyIntoBen, toPatientId: 'cat' });
    expect(repeated.records).toEqual([{ type: 'Goal', id: 'late', version: 2 }]);
    expect(await found('Goal', 'cat')).toEqual(['walk', 'late']);
    expect(await directory.read('Patient', 'amy')).toMatchObject({ replacedBy: 'ben' });
  });

  test('a patient who was merged is merged into nobody else than those who have the chart since', async () => {
    const { corrections, directory } = clinic().records;
    for (const id of ['cat', 'dee']) await directory.put('Patient', { id, lastName: 'Ray' });
    await clinic().record(goal());
    await merge();
    await corrections.mergePatients({ patientId: 'ben', toPatientId: 'cat', ...why });
    const before = await clinic().feed();
    await expect(corrections.mergePatients({ ...amyIntoBen, toPatientId: 'dee' })).rejects.toMatchObject({
      issues: [{ rule: 'replaced-patient', expression: 'Correction.patientId' }],
    });
    expect(await clinic().feed()).toEqual(before);
  });

  test('a chart of three thousand records is merged in one commit', async () => {
    await clinic().record(goal());
    await writeLate(Array.from({ length: 3000 }, () => crypto.randomUUID()));
    const { at, records } = await merge();
    const versions = (await clinic().feed()).filter(({ type, version }) => type === 'Goal' && version === 2);
    expect([records.length, versions.length]).toEqual([3005, 3001]);
    expect(new Set(versions.map((one) => one.at))).toEqual(new Set([Date.parse(at)]));
  });

  test.each([
    [{ toPatientId: 'amy' }, 'same-patient at Correction.toPatientId'],
    [{ toPatientId: 'nobody' }, 'unknown-patient at Correction.toPatientId'],
    [{ patientId: 'nobody' }, 'unknown-patient at Correction.patientId'],
    [{ patientId: undefined }, 'required at Correction.patientId'],
    [{ reason: ' ' }, 'empty at Correction.reason'],
  ])('a merge that cannot be made is refused: %j', async (wrong, expected) => {
    const refused = await outcomeOf(
      clinic().records.corrections.mergePatients({ ...amyIntoBen, ...wrong } as never),
    );
    const issues = 'left' in refused ? refused.left.issues : [];
    expect(issues.map(({ rule, expression }) => `${rule} at ${expression}`)).toEqual([expected]);
  });

  test('a patient who was merged into one patient cannot be merged into another', async () => {
    await clinic().records.directory.put('Patient', { id: 'cat', lastName: 'Ray' });
    await merge();
    const again = async () =>
      clinic().records.corrections.mergePatients({ ...amyIntoBen, toPatientId: 'cat' });
    await expect(again()).rejects.toMatchObject({ issues: [{ rule: 'replaced-patient' }] });
  });

  test('a change of a record during the merge is not lost', async () => {
    await clinic().record(goal());
    await Promise.all([merge(), clinic().record({ kind: 'closeGoal', goalId: 'walk' })]);
    expect(await clinic().records.goals.read('walk')).toMatchObject({
      ...{ lifecycleStatus: 'completed', subject: { reference: 'Patient/ben' } },
    });
  });
});
