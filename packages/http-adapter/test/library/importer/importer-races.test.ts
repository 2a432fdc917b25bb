import type { ClinicalStore, Commit } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { participant, statement } from '../../builders.ts';
import { type Clinic, cardiologist, openClinic } from '../../clinic.ts';
import { namesOf } from '../../response-helpers.ts';
import {
  night,
  sourceCareTeam,
  sourceEncounter,
  sourceGoal,
  sourceImmunization,
  sourcePatient,
  sourcePractitioner,
} from './source-resources.ts';

/** A clinic, and records on it in whose way something comes: after a write was decided, before it is committed. */
const importWhile = async (
  meanwhile: (clinic: Clinic) => Promise<unknown>,
  isInTheWay: (commit: Commit) => boolean,
  mostTimes = 1,
) => {
  const store = createMemoryStore();
  const clinic = await openClinic(store);
  let times = 0;
  const interrupted: ClinicalStore = {
    ...store,
    commit: async (commit) => {
      if (times < mostTimes && isInTheWay(commit)) {
        times += 1;
        await meanwhile(clinic);
      }
      return store.commit(commit);
    },
  };
  const { records } = await openClinic(interrupted);
  const load = async (...resources: (string | object)[]) => records.importer.load(resources);
  return { clinic, records, load, came: () => times > 0 };
};

const has = (type: string) => (commit: Commit) => commit.changes.some((change) => change.type === type);

const encounter = { reference: 'Encounter/new-visit' };
const immunization = (id: string) => sourceImmunization('amy', { id, encounter });

test('a batch that conflicts with a write is decided again: an encounter still has one note', async () => {
  const { clinic, load, came } = await importWhile(async ({ records }) => {
    await records.immunizations.create(statement({ encounter }));
  }, has('Immunization'));
  await clinic.records.directory.put('Encounter', { id: 'new-visit', patientId: 'amy' });

  const report = await load(immunization('one'), immunization('two'));
  expect(came()).toBe(true);
  expect(report).toMatchObject({ imported: { Immunization: 2 }, issues: [] });
  const { entry = [] } = await clinic.records.immunizations.search({ patient: 'amy' });
  expect(entry).toHaveLength(3);
  expect(new Set(entry.map(({ resource }) => resource.extension[0]?.valueId)).size).toBe(1);
  expect((await clinic.records.verify()).discrepancies).toEqual([]);
});

test('a practitioner who is renamed while a team is imported is shown with the new name', async () => {
  const { clinic, load, came } = await importWhile(
    async ({ records }) =>
      records.directory.put('Practitioner', { id: 'cyd', lastName: 'Bell', firstName: 'Cyd' }),
    (commit) => commit.changes.some(({ type, resource }) => type === 'CareTeam' && resource?.includes('cyd')),
  );
  await load(sourceCareTeam('amy', [participant('Practitioner/cyd', cardiologist)]));
  expect(came()).toBe(true);
  expect(namesOf(await clinic.records.careTeams.read('amy'))).toEqual(['Cyd Bell']);
});

test('a practitioner who is renamed while a screen sets a status is shown with the new name', async () => {
  const { clinic, records, came } = await importWhile(
    async (renaming) =>
      renaming.records.directory.put('Practitioner', { id: 'cyd', lastName: 'Bell', firstName: 'Cyd' }),
    (commit) => commit.changes.some(({ type, resource }) => type === 'CareTeam' && resource?.includes('cyd')),
  );
  await records.careTeams.setParticipantStatus('amy', 'Practitioner/cyd', 'active', { role: cardiologist });
  expect(came()).toBe(true);
  expect(namesOf(await clinic.records.careTeams.read('amy'))).toEqual(['Cyd Bell']);
});

test('if others keep writing to its records, a batch is imported resource by resource', async () => {
  let times = 0;
  const { clinic, load } = await importWhile(
    async ({ records }) => {
      times += 1;
      await records.importer.load([sourcePatient('eva', `Shaw ${times}`, night(times))]);
    },
    (commit) => commit.changes.some(({ type }) => type === 'Patient') && commit.changes.length > 2,
    Number.POSITIVE_INFINITY,
  );
  const report = await load(...['eve', 'eva', 'evi'].map((id) => sourcePatient(id, 'Eve Hill', night(4))));
  expect(report).toMatchObject({ imported: { Patient: 2 }, updated: { Patient: 1 }, issues: [] });
  expect(times).toBe(3);
  expect(await clinic.records.directory.read('Patient', 'eva')).toMatchObject({ lastName: 'Hill' });
});

test('of a member who is twice in a load, the latest counts, and a team shows that name', async () => {
  const { clinic, load } = await importWhile(
    async () => {},
    () => false,
  );
  await load(sourcePractitioner('eve', 'Eve Hill', night(1)));
  await clinic.records.careTeams.setParticipantStatus('amy', 'Practitioner/eve', 'active', {
    role: cardiologist,
  });
  await load(
    sourcePractitioner('eve', 'Eve Moss', night(3)),
    sourcePractitioner('eve', 'Eve Lane', night(2)),
  );
  expect(namesOf(await clinic.records.careTeams.read('amy'))).toEqual(['Eve Moss']);
});

test('a write of another process between two batches is visible if a batch relies on it', async () => {
  let isSecond = false;
  const { clinic, load, came } = await importWhile(
    async ({ records }) => {
      await records.directory.put('Practitioner', { id: 'ada', lastName: 'King', firstName: 'Ada' });
      await records.immunizations.create(statement({ encounter }));
    },
    (commit) => {
      const isCalled = isSecond;
      isSecond = has('Goal')(commit);
      return isCalled;
    },
  );
  await clinic.records.directory.put('Encounter', { id: 'new-visit', patientId: 'amy' });
  const goals = Array.from({ length: 512 }, (_, at) => sourceGoal('amy', { id: `g${at}` }));
  const known = [sourcePractitioner('ada', 'Ada Byron'), sourceEncounter('new-visit', 'amy')];
  const report = await load(
    ...[...known, ...goals].slice(0, 512),
    sourceCareTeam('amy', [participant('Practitioner/ada', cardiologist)]),
    immunization('one'),
  );
  expect(came()).toBe(true);
  expect(report.issues).toEqual([]);
  expect(namesOf(await clinic.records.careTeams.read('amy'))).toEqual(['Ada King']);
  const { entry = [] } = await clinic.records.immunizations.search({ patient: 'amy' });
  expect(new Set(entry.map(({ resource }) => resource.extension[0]?.valueId)).size).toBe(1);
  expect((await clinic.records.verify()).discrepancies).toEqual([]);
});

describe.each<readonly [string, string, (clinic: Clinic) => Promise<unknown>]>([
  [
    'merged',
    'replaced-patient',
    async ({ records }) =>
      records.corrections.mergePatients({
        patientId: 'amy',
        toPatientId: 'ben',
        by: 'Practitioner/ada',
        reason: 'Twice.',
      }),
  ],
  [
    'erased',
    'unknown-patient',
    async ({ records }) =>
      records.corrections.erase({
        resourceType: 'Patient',
        resourceId: 'amy',
        by: 'Practitioner/ada',
        reason: 'Asked.',
      }),
  ],
])('a chart that is %s while a load goes on gets nothing more', (_, rule, correct) => {
  const known = { reference: 'Encounter/visit-amy' };
  test.each([
    sourceGoal('amy', { id: 'late' }),
    sourceImmunization('amy', { id: 'late', encounter: known }),
    sourceEncounter('late', 'amy'),
  ])('no $resourceType', async (late) => {
    const clinic = await openClinic(createMemoryStore());
    async function* source() {
      yield sourceGoal('amy', { id: 'early' });
      yield sourceImmunization('amy', { id: 'early', encounter: known });
      for (let at = 0; at < 510; at++) yield sourcePractitioner(`p${at}`);
      await correct(clinic);
      yield late;
    }
    const report = await clinic.records.importer.load(source());
    expect(report.imported).toEqual({ Goal: 1, Immunization: 1, Practitioner: 510 });
    const rejected = report.issues.filter(({ outcome }) => outcome === 'rejected');
    expect(rejected).toContainEqual(expect.objectContaining({ type: late.resourceType, id: 'late', rule }));
    expect((await clinic.get(`/${late.resourceType}/late`)).status).toBe(404);
    expect((await clinic.records.verify()).discrepancies).toEqual([]);
  });
});
