/**
 * For the tests of a host: records with a clock that a test sets and ids that count, and builders of entries, commands and
 * bodies that keep every rule.
 * You need it in the tests of your app.
 *
 * @module @clinical-records/core/testing
 */

import type { CareTeamUpdateBody } from './care-team/bodies.ts';
import type { CareTeamRole, MemberReference } from './care-team/model.ts';
import type { RecordsWith } from './clinical-records/clinical-records.ts';
import { createClinicalRecords } from './clinical-records/create-records.ts';
import type { DirectoryInput } from './directory/model.ts';
import type { BeginGoalCommand } from './goal/model.ts';
import type { HostType } from './host-type/model.ts';
import type { ImmunizationCreateBody } from './immunization/bodies.ts';
import type { ClinicalRecordsOptions } from './options.ts';
import type { OrderCommand } from './service-request/model.ts';

/** A clock that stands still until a test moves it. */
export type TestClock = {
  /** The time that it shows. */
  readonly now: () => Date;
  /** Sets the time: a text that `Date` parses, such as `2026-03-01T09:30:00Z`. Throws a RangeError for any other. */
  readonly set: (time: string) => void;
  /** Moves the time, in milliseconds. */
  readonly advance: (milliseconds: number) => void;
};

/** Records for a test, and their clock. */
export type TestRecords<Types extends readonly HostType[] = []> = {
  readonly records: RecordsWith<unknown, Types>;
  readonly clock: TestClock;
};

const createTestClock = (start: string): TestClock => {
  let time = 0;
  const set = (text: string) => {
    const parsed = Date.parse(text);
    if (Number.isNaN(parsed)) throw new RangeError(`${text} is not a time such as 2026-03-01T09:30:00Z.`);
    time = parsed;
  };
  set(start);
  return {
    now: () => new Date(time),
    set,
    advance: (milliseconds) => {
      time += milliseconds;
    },
  };
};

/** Ids that count: `test-1`, `test-2` … */
const createTestIds = (): (() => string) => {
  let count = 0;
  return () => {
    count += 1;
    return `test-${count}`;
  };
};

/** The roles of a care team that the test records are configured with. */
export const testRoles: readonly CareTeamRole[] = [
  { system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' },
  { system: 'http://snomed.info/sct', code: '224535009', display: 'Registered nurse' },
  { system: 'http://snomed.info/sct', code: '159033005', display: 'Dietitian' },
];

/**
 * Creates records for a test. Each option of `createClinicalRecords` can be given, and only the store is required: that of
 * `createMemoryStore()`, or `openSqliteStore({ database: new Database(':memory:') })` for an app with transactions. The
 * clock begins at `start`: 2026-03-01T09:00:00Z by default. New ids are `test-1`, `test-2` …, in the order in which they are made.
 *
 * @example
 * const { records, clock } = createTestRecords({ store: createMemoryStore() });
 */
export const createTestRecords = <const Types extends readonly HostType[] = []>({
  start = '2026-03-01T09:00:00Z',
  ...options
}: Pick<ClinicalRecordsOptions, 'store'> &
  Partial<ClinicalRecordsOptions<unknown, Types>> & { readonly start?: string }): TestRecords<Types> => {
  const clock = createTestClock(start);
  const records = createClinicalRecords<unknown, Types>({
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: testRoles,
    clock: clock.now,
    newId: createTestIds(),
    ...options,
  });
  return { records, clock };
};

/** An argument of `directory.put` for a patient, valid as it is. */
export const buildPatient = (given: Partial<DirectoryInput['Patient']> = {}): DirectoryInput['Patient'] => ({
  id: '7',
  lastName: 'Shaw',
  firstName: 'Amy',
  ...given,
});

/** A practitioner for `directory.put`. */
export const buildPractitioner = (
  given: Partial<DirectoryInput['Practitioner']> = {},
): DirectoryInput['Practitioner'] => ({ id: '12', lastName: 'Byron', firstName: 'Ada', ...given });

/** An organization for `directory.put`. */
export const buildOrganization = (
  given: Partial<DirectoryInput['Organization']> = {},
): DirectoryInput['Organization'] => ({ id: '31', name: 'Harbor Hospice', ...given });

/**
 * The body that gives a patient's care team these members, such as `Practitioner/12`. Each practitioner gets the next of the
 * roles, because only one can have each. Throws a RangeError if there are more practitioners than roles.
 */
export const buildTeam = (
  patientId: string,
  members: readonly MemberReference[],
  roles: readonly CareTeamRole[] = testRoles,
): CareTeamUpdateBody => {
  let practitioners = 0;
  const participant = members.map((reference) => {
    if (reference.startsWith('Organization/')) return { member: { reference } };
    const role = roles[practitioners];
    practitioners += 1;
    if (role === undefined) throw new RangeError(`There are only ${roles.length} roles for practitioners.`);
    return { member: { reference }, role: [{ coding: [role] }] };
  });
  return { id: patientId, participant };
};

/** A goal for `chart.stage` and `chart.record`. */
export const buildGoal = (given: Partial<BeginGoalCommand> = {}): BeginGoalCommand => ({
  kind: 'goal',
  patientId: '7',
  description: 'Walk a mile each day',
  ...given,
});

/** An order for `chart.stage` and `chart.record`: of a cholesterol, if no other is given. */
export const buildOrder = (given: Partial<OrderCommand> = {}): OrderCommand => ({
  kind: 'labOrder',
  patientId: '7',
  code: { coding: [{ system: 'http://loinc.org', code: '2093-3', display: 'Cholesterol' }] },
  ...given,
});

/** The body of an immunization that was given elsewhere, for `immunizations.create` and a POST. */
export const buildDose = (given: Partial<ImmunizationCreateBody> = {}): ImmunizationCreateBody => ({
  status: 'completed',
  vaccineCode: {
    coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140', display: 'Influenza, seasonal' }],
  },
  patient: { reference: 'Patient/7' },
  occurrenceDateTime: '2025-10-02',
  primarySource: false,
  ...given,
});
