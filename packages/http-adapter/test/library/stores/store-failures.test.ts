import type { ClinicalRecords, ClinicalStore, DirectoryInput, DirectoryType } from '@clinical-records/core';
import { left } from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import {
  ada,
  bob,
  enteredInError,
  goal,
  immunizationStatement,
  lab,
  labOrder,
  noteIdExtension,
  statement,
  team,
} from '../../builders.ts';
import { createRecords, nurse, openClinic, readFeed } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { recordCommits } from '../../record-commits.ts';
import {
  sourceCareTeam,
  sourceEncounter,
  sourceGoal,
  sourceImmunization,
  sourceOrder,
  sourcePatient,
  sourcePractitioner,
} from '../importer/source-resources.ts';

/** A store of which a single answer is that it cannot be reached: that to the nth question. */
const failingAt = (store: ClinicalStore, nth: number) => {
  let calls = 0;
  const failing = Object.fromEntries(
    Object.entries(store).map(([name, ask]) => {
      if (typeof ask !== 'function') return [name, ask];
      const askOrFail = async (of: never) => {
        calls += 1;
        return calls === nth
          ? left({ _tag: 'Unavailable', message: 'gone', cause: null })
          : (ask as ClinicalStore['commit'])(of);
      };
      return [name, askOrFail];
    }),
  ) as unknown as ClinicalStore;
  return { failing, hasFailed: () => calls >= nth };
};

/** Two charts: Amy's has something of everything, and Ben's team is empty. */
const fill = async (store: ClinicalStore) => {
  const clinic = await openClinic(store);
  const { careTeams, directory } = clinic.records;
  await directory.put('Encounter', { id: 'other-visit', patientId: 'amy' });
  await careTeams.update('amy', team(ada, bob, lab));
  await careTeams.update('amy', team(ada, lab));
  await clinic.record(goal());
  await clinic.stage({ kind: 'updateGoal', goalId: 'walk', progress: 'Half a mile' });
  await clinic.record(labOrder({ id: 'order' }));
  await clinic.record(immunizationStatement());
};

let recorded: ReturnType<typeof recordCommits> | undefined;

/** A new store with the charts. */
const filled = async () => {
  recorded ??= recordCommits(fill);
  return (await recorded).repeat();
};

/** The entries that the host knows. */
const ofHost: Readonly<Record<string, object>> = {
  'Patient/new': { lastName: 'New', firstName: 'Eve' },
  'Encounter/new-visit': { patientId: 'new' },
  'Organization/new-lab': { name: 'New Lab' },
};

const resolve = (type: DirectoryType, id: string) => {
  const known = ofHost[`${type}/${id}`];
  return known === undefined ? null : ({ id, ...known } as DirectoryInput[DirectoryType]);
};

const allChanges = async ({ changes }: ClinicalRecords) => {
  let count = 0;
  for await (const _ of changes()) count += 1;
  return count;
};

/** The requests, in each step of which the store fails. */
const expectFailure = async (
  ask: (records: ClinicalRecords) => Promise<unknown>,
  changes: 'none' | 'some',
) => {
  for (let nth = 1; ; nth += 1) {
    const store = await filled();
    const before = await readFeed(store);
    const { failing, hasFailed } = failingAt(store, nth);
    const answer = await outcomeOf(ask(createRecords(failing, { resolve })));
    if (!hasFailed()) {
      expect(answer).toMatchObject({ _tag: 'Right' });
      return expect(nth).toBeGreaterThan(1);
    }
    expect(answer, `question ${nth}`).toMatchObject({
      left: { _tag: 'StoreFailure', issues: [{ rule: 'store-unavailable' }] },
    });
    if (changes === 'none') expect(await readFeed(store), `question ${nth}`).toEqual(before);
  }
};

const by = { by: 'Practitioner/ada' } as const;
const ofNobody = { reference: 'Practitioner/nobody' };
const ofAda = { reference: 'Practitioner/ada' };

describe('a store failure in any step of a read is the result', () => {
  test.each<[string, (records: ClinicalRecords) => Promise<unknown>]>([
    ['a care team', ({ careTeams }) => careTeams.read('amy')],
    ['a care team without a patient', ({ careTeams }) => careTeams.read('ben')],
    ['a care team of another status', ({ careTeams }) => careTeams.read('amy.inactive')],
    ['a search of care teams', ({ careTeams }) => careTeams.search({ patient: 'amy' })],
    ['the history of a care team', ({ careTeams }) => careTeams.history('amy')],
    ['the history of a status without participants', ({ careTeams }) => careTeams.history('amy.proposed')],
    ['a goal', ({ goals }) => goals.read('walk')],
    ['a search of goals', ({ goals }) => goals.search({})],
    ['the history of a goal', ({ goals }) => goals.history('walk')],
    ['the commands of a goal', ({ chart }) => chart.commandsOf({ resourceType: 'Goal', resourceId: 'walk' })],
    ['an entry of the directory', ({ directory }) => directory.read('Patient', 'amy')],
    ['verify', (records) => records.verify()],
    ['changes', (records) => allChanges(records)],
  ])('%s', (_, read) => expectFailure(read, 'none'));
});

describe('a store failure in any step of a write is the result, and nothing has changed', () => {
  test.each<[string, (records: ClinicalRecords) => Promise<unknown>]>([
    ['an update of a care team', ({ careTeams }) => careTeams.update('amy', team(bob))],
    [
      'an update of a care team without a patient',
      ({ careTeams }) => careTeams.update('ben', { ...team(bob), id: 'ben' }),
    ],
    [
      'the status of a participant',
      ({ careTeams }) =>
        careTeams.setParticipantStatus('amy', 'Practitioner/cyd', 'proposed', { role: nurse }),
    ],
    ['the removal of all participants', ({ careTeams }) => careTeams.removeAllParticipants('amy')],
    ['a statement', ({ immunizations }) => immunizations.create(statement())],
    [
      'a statement with its note',
      ({ immunizations }) => immunizations.create(statement({ extension: noteIdExtension('note-amy') })),
    ],
    [
      'a statement with its encounter',
      ({ immunizations }) =>
        immunizations.create(statement({ encounter: { reference: 'Encounter/visit-amy' } })),
    ],
    ['a statement in error', ({ immunizations }) => immunizations.update('shot', enteredInError())],
    ['a goal that is staged', ({ chart }) => chart.stage(goal({ id: 'run' }))],
    ['a goal that is recorded', ({ chart }) => chart.record(goal({ id: 'run' }), by)],
    ['a goal that is closed', ({ chart }) => chart.record({ kind: 'closeGoal', goalId: 'walk' }, by)],
    ['a command that is committed', ({ chart }) => chart.commit('Goal/walk/1', by)],
    ['an order that is completed', ({ chart }) => chart.completeOrder('ServiceRequest/order/0', by)],
    ['an order that is entered in error', ({ chart }) => chart.enterInError('ServiceRequest/order/0', by)],
    ['an order', ({ chart }) => chart.record(labOrder({ requesterId: 'bob' }), by)],
    [
      'a patient',
      ({ directory }) => directory.put('Patient', { id: 'eve', lastName: 'Hill', firstName: 'Eve' }),
    ],
    [
      'a new name of a patient',
      ({ directory }) => directory.put('Patient', { id: 'amy', lastName: 'Hill', firstName: '' }),
    ],
    [
      'an encounter',
      ({ directory }) => directory.put('Encounter', { id: 'visit', patientId: 'amy', noteId: 'note' }),
    ],
    [
      'a note',
      ({ directory }) => directory.put('Note', { id: 'note', patientId: 'amy', encounterId: 'other-visit' }),
    ],
  ])('%s', (_, write) => expectFailure(write, 'none'));
});

describe('a store failure in any step of several commits is the result', () => {
  test.each<[string, (records: ClinicalRecords) => Promise<unknown>]>([
    [
      'a new name of a practitioner',
      ({ directory }) => directory.put('Practitioner', { id: 'ada', lastName: 'King', firstName: 'Ada' }),
    ],
    [
      'a new name of an organization',
      ({ directory }) => directory.put('Organization', { id: 'lab', name: 'Laboratory' }),
    ],
    ['the team of a patient whom the host knows', ({ careTeams }) => careTeams.read('new')],
    [
      'a statement in the chart of a patient whom the host knows',
      ({ immunizations }) =>
        immunizations.create(
          statement({
            patient: { reference: 'Patient/new' },
            encounter: { reference: 'Encounter/new-visit' },
          }),
        ),
    ],
    [
      'a practitioner whom the host knows',
      ({ careTeams }) => careTeams.setParticipantStatus('amy', 'Organization/new-lab', 'active'),
    ],
    ['the import of a patient', ({ importer }) => importer.load([sourcePatient('eve')])],
    ['that of a practitioner', ({ importer }) => importer.load([sourcePractitioner('ada', 'Ada King')])],
    ['that of an encounter', ({ importer }) => importer.load([sourceEncounter('visit', 'amy')])],
    ['that of a goal', ({ importer }) => importer.load([sourceGoal('amy', { expressedBy: ofAda })])],
    ['that of an order', ({ importer }) => importer.load([sourceOrder('amy', { requester: ofAda })])],
    [
      'that of an immunization',
      ({ importer }) =>
        importer.load([
          sourceImmunization('amy', {
            extension: noteIdExtension('note-amy'),
            encounter: { reference: 'Encounter/visit-amy' },
          }),
        ]),
    ],
    ['that of a care team', ({ importer }) => importer.load([sourceCareTeam('ben', [ada, lab])])],
    [
      'that of resources with unknown practitioners',
      ({ importer }) =>
        importer.load([
          sourceCareTeam('ben', [ada, { member: ofNobody }]),
          sourceGoal('amy', { expressedBy: ofNobody }),
          sourceOrder('amy', { requester: ofNobody }),
        ]),
    ],
  ])('%s', (_, write) => expectFailure(write, 'some'));
});
