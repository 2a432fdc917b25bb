import type { ClinicalRecords } from '@clinical-records/core';
import { type ClinicalStore, orThrow } from '@clinical-records/core/store';
import { left } from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import { ada, bob, enteredInError, goal, immunize, labOrder, statement, team } from '../../builders.ts';
import { cardiologist, createRecords } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { onEveryStore } from '../../stores.ts';
import { sourceGoal, sourceImmunization } from '../importer/source-resources.ts';

const by = { by: 'Practitioner/ada' } as const;
const why = { ...by, reason: 'Registered twice.' } as const;
const update = { kind: 'updateGoal', goalId: 'walk', progress: 'A mile' } as const;
const close = { kind: 'closeGoal', goalId: 'walk' } as const;
const identifier = [{ system: 'urn:oid:1.2.3', value: 'A-1' }];
const conditional = { ...by, ifNoneExist: 'identifier=urn:oid:1.2.3|A-1' };

/** The chart of Amy before each race: two goals, two orders, two immunizations and a team. */
const fill = async ({ chart, careTeams, directory }: ClinicalRecords) => {
  await directory.put('Patient', { id: 'eve', lastName: 'Hill' });
  await chart.record(goal(), by);
  await chart.stage(goal({ id: 'run' }));
  await chart.record(labOrder({ id: 'order' }), by);
  await chart.stage(labOrder({ id: 'draft' }));
  await chart.completeOrder((await chart.record(labOrder({ id: 'done' }), by)).id, by);
  await chart.record(labOrder({ id: 'eves', patientId: 'eve' }), by);
  await chart.record(immunize(), by);
  await chart.record(immunize({ kind: 'immunizationStatement', id: 'dose' }), by);
  await careTeams.update('amy', team(ada));
};

type Write = (on: ClinicalRecords) => Promise<unknown>;

/** Writes of the chart of a patient: those that add a record to it, and those that change what it has. */
const additions: Readonly<Record<string, Write>> = {
  'POST /Immunization': ({ immunizations }) => immunizations.create(statement(), by),
  'POST /Immunization in a new note': ({ immunizations }) =>
    immunizations.create(statement({ encounter: { reference: 'Encounter/visit-amy' } }), by),
  'POST /Immunization with a key': ({ immunizations }) =>
    immunizations.create(statement(), { ...by, idempotencyKey: 'k-1' }),
  'POST /Immunization within a chart': ({ immunizations }) =>
    immunizations.create(statement(), { ...by, within: 'amy' }),
  'POST /Immunization if none exists': ({ immunizations }) =>
    immunizations.create(statement({ identifier }), conditional),
  'stage of an order': ({ chart }) => chart.stage(labOrder()),
  'stage of a goal with a key': ({ chart }) => chart.stage(goal({ id: 'new' }), { idempotencyKey: 'k-1' }),
  'stage of an immunization': ({ chart }) => chart.stage(immunize({ id: 'new' })),
  'record of an order': ({ chart }) => chart.record(labOrder(), by),
  'record of a goal': ({ chart }) => chart.record(goal({ id: 'new' }), by),
  'record of an immunization within a chart': ({ chart }) =>
    chart.record({ ...immunize(), id: undefined }, { ...by, within: 'amy' }),
  'move into it': ({ corrections }) =>
    corrections.moveToPatient({
      ...{ resourceType: 'ServiceRequest', resourceId: 'eves', toPatientId: 'amy', ...why },
    }),
  'put of an encounter': ({ directory }) => directory.put('Encounter', { id: 'new', patientId: 'amy' }),
  'put of a note': ({ directory }) => directory.put('Note', { id: 'new', patientId: 'amy' }),
};

const changes: Readonly<Record<string, Write>> = {
  'stage of an update of a goal': ({ chart }) => chart.stage(update),
  'record of an update of a goal': ({ chart }) => chart.record(update, by),
  'record of a close of a goal': ({ chart }) => chart.record(close, { ...by, idempotencyKey: 'k-1' }),
  commit: ({ chart }) => chart.commit('Goal/run/0', by),
  completeOrder: ({ chart }) => chart.completeOrder('ServiceRequest/order/0', by),
  reopenOrder: ({ chart }) => chart.reopenOrder('ServiceRequest/done/0', by),
  discard: ({ chart }) => chart.discard('ServiceRequest/draft/0', { ...by, idempotencyKey: 'k-1' }),
  enterInError: ({ chart }) => chart.enterInError('Immunization/shot/0', by),
};

/** A PUT names the patient, who is another one after a merge. */
const puts: Readonly<Record<string, Write>> = {
  'PUT /Immunization': ({ immunizations }) => immunizations.update('dose', enteredInError('dose'), by),
};

const teamWrites: Readonly<Record<string, Write>> = {
  'PUT /CareTeam': ({ careTeams }) => careTeams.update('amy', team(ada, bob), by),
  setParticipantStatus: ({ careTeams }) =>
    careTeams.setParticipantStatus('amy', 'Practitioner/cyd', 'proposed', { role: cardiologist }),
  removeAllParticipants: ({ careTeams }) => careTeams.removeAllParticipants('amy'),
};

const imports: Readonly<Record<string, Write>> = {
  'import of a goal': ({ importer }) => importer.load([sourceGoal('amy', { id: 'new' })]),
  'import of an immunization': ({ importer }) =>
    importer.load([
      sourceImmunization('amy', { id: 'new', encounter: { reference: 'Encounter/visit-amy' } }),
    ]),
};

const corrections: Readonly<Record<string, Write>> = {
  merge: ({ corrections }) => corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...why }),
  erasure: ({ corrections }) => corrections.erase({ resourceType: 'Patient', resourceId: 'amy', ...why }),
};

/** The store, on whose next commit other work is done before. */
const beforeCommit = (store: ClinicalStore, work: () => Promise<unknown>): ClinicalStore => {
  let hasRun = false;
  return {
    ...store,
    commit: async (commit) => {
      const isFirst = !hasRun && commit.reindexing === undefined;
      hasRun ||= isFirst;
      if (isFirst) await work();
      return store.commit(commit);
    },
  };
};

/** The records that are still in a chart: not those that say who the patient was, and who was on the team. */
const leftIn = async (store: ClinicalStore, chart = 'amy'): Promise<readonly string[]> =>
  (await orThrow(store.scan({ limit: 1000 }))).flatMap(({ type, id, patientId, state }) => {
    const { isErased, participants = [] } = JSON.parse(state);
    const isEmpty = type === 'CareTeam' && participants.length === 0;
    const stays = ['Patient', 'ChartIdentifiers'].includes(type) || isEmpty;
    return patientId !== chart || isErased || stays ? [] : [`${type}/${id}`];
  });

/** The number of records in a chart that were not erased. */
const countIn = async (store: ClinicalStore, chart: string): Promise<number> =>
  (await orThrow(store.scan({ limit: 1000 }))).filter(
    ({ patientId, state }) => patientId === chart && !JSON.parse(state).isErased,
  ).length;

onEveryStore('a write beside a correction of its chart', (clinic) => {
  const raceAgainst = async (correct: Write, write: Write) => {
    const { store, records } = clinic();
    await fill(records);
    const late = createRecords(beforeCommit(store, () => correct(records)));
    return outcomeOf(write(late));
  };

  describe.each(Object.entries(corrections))('that began before a %s', (name, correct) => {
    const isMerge = name === 'merge';
    // An erasure also erases the note and the encounter, which are looked at before the patient.
    const rule = isMerge ? 'replaced-patient' : expect.stringMatching(/^unknown-(patient|note|encounter)$/);

    test.each(Object.entries(additions))('%s is decided again, and refused', async (_, write) => {
      const outcome = await raceAgainst(correct, write);
      expect(outcome).toMatchObject({ left: { _tag: 'RuleViolation' } });
      expect('left' in outcome && outcome.left.issues[0]).toMatchObject({ rule });
      expect(await leftIn(clinic().store)).toEqual([]);
    });

    test.each(Object.entries(changes))('%s is decided again', async (_, write) => {
      const outcome = await raceAgainst(correct, write);
      expect(outcome._tag).toBe(isMerge ? 'Right' : 'Left');
      expect(await leftIn(clinic().store)).toEqual([]);
    });

    test.each(Object.entries(puts))('%s is decided again, and refused', async (_, write) => {
      const outcome = await raceAgainst(correct, write);
      // An id that no immunization has cannot be written by a PUT.
      expect(outcome).toMatchObject({ left: { _tag: isMerge ? 'RuleViolation' : 'NotSupported' } });
      expect(await leftIn(clinic().store)).toEqual([]);
    });

    test.each(Object.entries(teamWrites))('%s is decided again, and finds no team', async (_, write) => {
      const outcome = await raceAgainst(correct, write);
      expect(outcome).toMatchObject({ left: { _tag: 'NotFound', resourceType: 'CareTeam' } });
      expect(await leftIn(clinic().store)).toEqual([]);
    });

    test.each(Object.entries(imports))('%s is decided again, and rejected', async (_, write) => {
      const outcome = await raceAgainst(correct, write);
      const issues = expect.arrayContaining([expect.objectContaining({ rule })]);
      expect(outcome).toMatchObject({ right: { issues } });
      expect('right' in outcome && outcome.right).toHaveProperty('imported', {});
      expect(await leftIn(clinic().store)).toEqual([]);
    });
  });

  describe.each(Object.entries(corrections))('that is committed while a %s is decided', (name, correct) => {
    test.each(Object.entries({ ...additions, ...changes, ...puts, ...teamWrites, ...imports }))(
      '%s is corrected with the rest, by one correction',
      async (_, write) => {
        const { store, records } = clinic();
        await fill(records);
        let written: unknown;
        let versions = 0;
        const late = createRecords(
          beforeCommit(store, async () => {
            const before = (await clinic().feed()).length;
            written = await outcomeOf(write(records));
            versions = (await clinic().feed()).length - before;
          }),
        );
        const inBen = await countIn(store, 'ben');
        const inAmy = await countIn(store, 'amy');
        const corrected = await outcomeOf(correct(late));
        expect(written).toMatchObject({ _tag: 'Right' });
        expect(versions).toBeGreaterThan(0);
        expect(await leftIn(store)).toEqual([]);
        if (name === 'merge') expect(await countIn(store, 'ben')).toBeGreaterThan(inBen + inAmy - 6);
        else expect(await countIn(store, 'amy')).toBe(0);
        const of = await records.corrections.of({ resourceType: 'Patient', resourceId: 'amy' });
        expect(corrected).toEqual({ _tag: 'Right', right: of.at(-1) });
        expect(of.filter(({ kind }) => kind !== 'move')).toHaveLength(1);
      },
    );
  });

  test.each(Object.entries(corrections))(
    'that begins some turns after a %s leaves nothing',
    async (_, correct) => {
      const { store, records } = clinic();
      const inChartOf = (patientId: string): ClinicalRecords => ({
        ...records,
        corrections: {
          ...records.corrections,
          mergePatients: (merge) => records.corrections.mergePatients({ ...merge, patientId }),
          erase: (erasure) => records.corrections.erase({ ...erasure, resourceId: patientId }),
        },
      });
      for (let turns = 0; turns < 40; turns += 1) {
        const patientId = `p${turns}`;
        await records.directory.put('Patient', { id: patientId, lastName: 'Lake' });
        const corrected = correct(inChartOf(patientId));
        for (let turn = 0; turn < turns; turn += 1) await null;
        await Promise.all([
          corrected,
          outcomeOf(
            records.immunizations.create(statement({ patient: { reference: `Patient/${patientId}` } })),
          ),
          outcomeOf(records.chart.stage(labOrder({ patientId }))),
        ]);
        expect(await leftIn(store, patientId)).toEqual([]);
      }
    },
  );

  test.each(Object.entries(corrections))(
    'a %s that cannot be completed says so, and is completed when it is repeated',
    async (_, correct) => {
      const { store, records } = clinic();
      await fill(records);
      let order = '';
      const interrupted = beforeCommit(store, async () => {
        order = (await records.chart.stage(labOrder())).resourceId;
      });
      let commits = 0;
      const failing = createRecords({
        ...interrupted,
        commit: async (commit) => {
          commits += 1;
          if (commits < 2) return interrupted.commit(commit);
          return left({ _tag: 'Unavailable', message: 'gone', cause: null });
        },
      });
      const outcome = await outcomeOf(correct(failing));
      expect(commits).toBe(2);
      expect(outcome).toMatchObject({ left: { issues: [{ rule: 'outcome-unknown' }] } });
      expect(await leftIn(store)).toHaveLength(2);
      expect(await correct(records)).toMatchObject({
        records: [
          { type: 'ServiceRequest', id: order },
          { type: 'Command', id: `ServiceRequest.${order}.0` },
        ],
      });
      expect(await leftIn(store)).toEqual([]);
    },
  );

  test.each(Object.entries(corrections))(
    'a %s of which the feed cannot be read afterwards may have left something, and says so',
    async (_, correct) => {
      const { store, records } = clinic();
      await fill(records);
      const failing = createRecords({
        ...store,
        changesSince: async () => left({ _tag: 'Unavailable', message: 'gone', cause: null }),
      });
      expect(await outcomeOf(correct(failing))).toMatchObject({
        left: { issues: [{ rule: 'outcome-unknown' }] },
      });
      expect(await leftIn(store)).toEqual([]);
    },
  );

  test.each<[what: string, correct: Write, rule: string]>([
    [
      'merged into another',
      ({ corrections }) => corrections.mergePatients({ patientId: 'ben', toPatientId: 'eve', ...why }),
      'replaced-patient',
    ],
    [
      'erased',
      ({ corrections }) => corrections.erase({ resourceType: 'Patient', resourceId: 'ben', ...why }),
      'unknown-patient',
    ],
  ])('a merge into a patient who is %s meanwhile is refused', async (_, correct, rule) => {
    const { store, records } = clinic();
    await records.directory.put('Patient', { id: 'eve', lastName: 'Hill' });
    await records.chart.record(goal(), by);
    const before = await leftIn(store);
    const merging = createRecords(beforeCommit(store, () => correct(records)));
    const { mergePatients } = merging.corrections;
    expect(await outcomeOf(mergePatients({ patientId: 'amy', toPatientId: 'ben', ...why }))).toMatchObject({
      left: { issues: [{ rule, expression: 'Correction.toPatientId' }] },
    });
    expect(await leftIn(store)).toEqual(before);
  });

  test('that adds to the chart as others do is decided once', async () => {
    const { store, records } = clinic();
    await fill(records);
    let conflicts = 0;
    const counted = createRecords({
      ...store,
      commit: async (commit) => {
        const committed = await store.commit(commit);
        if (committed._tag === 'Left') conflicts += 1;
        return committed;
      },
    });
    const writes = Array.from({ length: 20 }, () => counted.chart.stage(labOrder()));
    await Promise.all([
      ...writes,
      ...Array.from({ length: 20 }, () => counted.chart.stage(immunize({ id: undefined }))),
    ]);
    expect(conflicts).toBe(0);
  });

  test('that adds to the chart is decided again once the patient has another name', async () => {
    const { store, records } = clinic();
    await fill(records);
    const put = () => records.directory.put('Patient', { id: 'amy', lastName: 'Lake' });
    const { id } = await createRecords(beforeCommit(store, put)).chart.stage(labOrder());
    expect(await records.chart.read(id)).toMatchObject({ patientId: 'amy' });
  });

  test('of one record is erased with it: the key of a repeated step', async () => {
    const { store, records } = clinic();
    await fill(records);
    await records.chart.discard('ServiceRequest/draft/0', by);
    const repeated = { ...by, idempotencyKey: 'k-1' };
    const late = createRecords(
      beforeCommit(store, () => records.chart.discard('ServiceRequest/draft/0', repeated)),
    );
    await late.corrections.erase({ resourceType: 'ServiceRequest', resourceId: 'draft', ...why });
    const keys = (await clinic().feed()).filter(({ type }) => type === 'IdempotencyKey');
    expect(keys.map(({ state }) => JSON.parse(state))).toMatchObject([
      { erased: expect.any(String) },
      { isErased: true },
    ]);
  });
});
