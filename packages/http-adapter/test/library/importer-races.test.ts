import { type ClinicalStore, type Commit, orThrow } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { type Clinic, cardiologist, openClinic } from '../clinic.ts';

/** A clinic, and an import into it in whose way something comes: after it was decided, before it is committed. */
const importingWhile = async (
  meanwhile: (clinic: Clinic) => Promise<unknown>,
  isInTheWay: (commit: Commit) => boolean,
) => {
  const store = createMemoryStore();
  const clinic = await openClinic(store);
  let came = false;
  const interrupted: ClinicalStore = {
    ...store,
    commit: (commit) => async () => {
      if (!came && isInTheWay(commit)) {
        came = true;
        await meanwhile(clinic);
      }
      return store.commit(commit)();
    },
  };
  const { records } = await openClinic(interrupted);
  const load = (...resources: unknown[]) => orThrow(records.importer.load(resources));
  return { clinic, load, came: () => came };
};

const has = (type: string) => (commit: Commit) => commit.changes.some((change) => change.type === type);

const immunization = (id: string) => ({
  resourceType: 'Immunization',
  id,
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
  patient: { reference: 'Patient/amy' },
  encounter: { reference: 'Encounter/new-visit' },
  occurrenceDateTime: '2024-10-02',
});

test('a batch in whose way a write comes is decided anew: an encounter has one note still', async () => {
  const { clinic, load, came } = await importingWhile(async ({ records }) => {
    const { id: _id, ...body } = immunization('');
    await orThrow(records.immunizations.create({ ...body, primarySource: false }));
  }, has('Immunization'));
  await orThrow(clinic.records.directory.putEncounter({ id: 'new-visit', patientId: 'amy' }));

  const report = await load(immunization('one'), immunization('two'));
  expect(came()).toBe(true);
  expect(report).toMatchObject({ taken: { Immunization: 2 }, problems: [] });
  const { entry = [] } = await orThrow(clinic.records.immunizations.search({ patient: 'amy' }));
  expect(entry).toHaveLength(3);
  expect(new Set(entry.map(({ resource }) => resource.extension[0]?.valueId)).size).toBe(1);
  expect((await orThrow(clinic.records.verify())).discrepancies).toEqual([]);
});

test('a practitioner who is renamed while a team is imported shows there with the new name', async () => {
  const { clinic, load, came } = await importingWhile(
    ({ records }) =>
      orThrow(records.directory.putPractitioner({ id: 'cyd', lastName: 'Bell', firstName: 'Cyd' })),
    (commit) => commit.changes.some(({ type, resource }) => type === 'CareTeam' && resource?.includes('cyd')),
  );
  await load({
    resourceType: 'CareTeam',
    id: 't',
    subject: { reference: 'Patient/amy' },
    participant: [{ role: [{ coding: [cardiologist] }], member: { reference: 'Practitioner/cyd' } }],
  });
  expect(came()).toBe(true);
  const { participant = [] } = await orThrow(clinic.records.careTeams.read('amy'));
  expect(participant.map(({ member }) => member.display)).toEqual(['Cyd Bell']);
});

test('a resource that comes twice is taken as it came last, and a team shows that name', async () => {
  const { clinic, load } = await importingWhile(
    async () => {},
    () => false,
  );
  const named = (family: string) => ({
    resourceType: 'Practitioner',
    id: 'ada',
    name: [{ family, given: ['Ada'] }],
  });
  await orThrow(
    clinic.records.careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'active', {
      role: cardiologist,
    }),
  );
  await load(named('Lovelace'), named('King'));
  const { participant = [] } = await orThrow(clinic.records.careTeams.read('amy'));
  expect(participant.map(({ member }) => member.display)).toEqual(['Ada King']);
});
