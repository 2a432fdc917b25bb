import {
  type ClinicalRecords,
  ClinicalRecordsError,
  type ClinicalStore,
  createClinicalRecords,
  type Goal,
} from '@clinical-records/core';
import { toEithers } from '@clinical-records/core/fp-ts';
import { findPatient, findStaff, patients, staff } from './your-backend.ts';

// The options of a host, and the reads that it can use. The test of this example runs every function here.

export const openRecords = (store: ClinicalStore): ClinicalRecords =>
  createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [{ system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' }],
    resolve: { Patient: findPatient, Practitioner: async (id) => findStaff(id) }, // none of the other types
    clock: () => new Date('2026-03-01T09:30:00Z'), // the current time; for tests
    newId: () => crypto.randomUUID(), // a new FHIR id; by default a UUID that begins with the time
    timeZone: 'America/New_York', // of dates, and of times without an offset in a search
  });

export const listHistory = async (records: ClinicalRecords, goalId: string): Promise<readonly string[]> => {
  // #region history
  const versions = await records.goals.history(goalId); // newest first
  return versions.map(
    ({ version, at, by, resource }) => `${version}: ${resource?.lifecycleStatus}, at ${at} by ${by}`,
  );
  // #endregion
};

export const activeGoals = async (
  { goals }: ClinicalRecords,
  patientId: string,
): Promise<readonly string[]> => {
  const active: string[] = [];
  for await (const goal of goals.all({ patient: patientId })) {
    if (goal.lifecycleStatus === 'active') active.push(goal.description.text);
  }
  return active;
};

export const isSound = async (records: ClinicalRecords): Promise<boolean> => {
  // #region verify
  const { records: count, discrepancies, miscounted, head } = await records.verify();
  for (const { type, id, version, what } of discrepancies) {
    console.error(`${type}/${id}, version ${version}: ${what}`);
  }
  for (const type of miscounted) console.error(`${type}: a search reports another total than there are`);
  console.log(`Keep this elsewhere, for the next verification: ${head}`);
  return count > 0 && discrepancies.length + miscounted.length === 0;
  // #endregion
};

export const updateIndex = async (records: ClinicalRecords): Promise<number> => {
  // #region reindex
  const { reindexed } = await records.reindex({
    onProgress: ({ records: count }) => console.log(`${count} records were looked at`),
  });
  return reindexed;
  // #endregion
};

export const moveTo = async (records: ClinicalRecords, target: ClinicalStore): Promise<boolean> => {
  // #region move
  const before = await records.verify();
  const { versions, head } = await records.copyTo(target);
  const after = await openRecords(target).verify({ head: before.head });
  console.log(`${versions} versions were copied, up to ${head}`);
  return before.head === after.head && after.discrepancies.length + after.miscounted.length === 0;
  // #endregion
};

export const fillDirectory = async ({ directory }: ClinicalRecords): Promise<void> => {
  // #region fill
  await Promise.all([
    ...patients.map(({ id, lastName, firstName }) => directory.put('Patient', { id, lastName, firstName })),
    ...staff.map(({ id, lastName, firstName }) => directory.put('Practitioner', { id, lastName, firstName })),
  ]);
  // #endregion
};

export const renamePractitioner = async ({ directory }: ClinicalRecords): Promise<void> => {
  await directory.put('Practitioner', { id: '12', lastName: 'Lovelace', firstName: 'Ada' });
};

export const recordOnce = async (
  { immunizations }: ClinicalRecords,
  body: unknown,
  idempotencyKey: string,
): Promise<string> => {
  // #region retry
  // `asJson` takes a body of any type, and checks it; `create` takes a body that the compiler has checked.
  const { id } = await immunizations.asJson.create(body, { by: 'Practitioner/12', idempotencyKey });
  // #endregion
  return id;
};

export const goalOrNull = async (records: ClinicalRecords, goalId: string): Promise<Goal | null> => {
  // #region thrown
  try {
    return await records.goals.read(goalId);
  } catch (thrown) {
    if (thrown instanceof ClinicalRecordsError && thrown.tag === 'NotFound') return null;
    throw thrown;
  }
  // #endregion
};

export const brokenRules = async (records: ClinicalRecords): Promise<readonly string[]> => {
  // #region errors
  const result = await toEithers(records).goals.read('no-such-goal');
  if (result._tag === 'Right') return [];
  switch (result.left._tag) {
    case 'NotFound':
      return ['there is none'];
    case 'StoreFailure':
      return ['try again later']; // the database failed, and `cause` says how
    default:
      return result.left.issues.map(({ rule }) => rule);
  }
  // #endregion
};
