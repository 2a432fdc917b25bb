import { expect, test } from 'vitest';
import {
  type CareTeamRole,
  type ClinicalRecordsOptions,
  type ClinicalStore,
  createClinicalRecords,
} from '../src/index.ts';

/** Wiring asks nothing of a store. */
const store = {} as ClinicalStore;
const wiredWith = (options: Partial<ClinicalRecordsOptions>) => () =>
  createClinicalRecords({ store, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [], ...options });

test.each(['https://clinic.example/x', 'https://clinic.example', 'urn:oid:1.2.3'])(
  'the extensions have their namespace under %s',
  (extensionBase) => {
    expect(wiredWith({ extensionBase })).not.toThrow();
  },
);

test.each([
  'https://clinic.example/x/',
  'https://clinic.example/',
  'https://clinic.example/x\n',
  ' https://clinic.example/x',
  'https://clinic.example/x#',
  'https://clinic.example/x?y',
  'C:\\x',
  '/x',
  'x',
  '',
  undefined as unknown as string,
])('records with the extensionBase %j are not made: it would stand in what is stored', (extensionBase) => {
  expect(wiredWith({ extensionBase })).toThrow(RangeError);
});

const system = 'http://snomed.info/sct';
const cardiologist = { system, code: '17561000', display: 'Cardiologist' };
const knowing = (...roles: unknown[]) => wiredWith({ careTeamRoles: roles as readonly CareTeamRole[] });

test('care teams know roles that differ in system or in code, and may have more of a host', () => {
  const nurse = { ...cardiologist, code: '224535009', display: 'Nurse', rank: 2 };
  expect(knowing()).not.toThrow();
  expect(knowing(cardiologist, nurse, { ...cardiologist, system: 'urn:oid:1.2.3' })).not.toThrow();
});

test.each([
  { system, code: '17561000' },
  { ...cardiologist, display: ' ' },
  { ...cardiologist, display: 'Cardio\u0001' },
  { ...cardiologist, code: 17561000 },
  { ...cardiologist, code: '' },
  { ...cardiologist, code: '17561000 ' },
  { ...cardiologist, system: undefined },
  null,
  'Cardiologist',
])('records with the role %j are not made: no team that has it could be put back as it was read', (role) => {
  expect(knowing(cardiologist, role)).toThrow(
    new RangeError(
      'Each of the careTeamRoles has a system, a code and a display: texts that are not empty, the code without spare white space.',
    ),
  );
});

test.each([undefined, null, {}])('records with the careTeamRoles %j are not made', (careTeamRoles) => {
  expect(wiredWith({ careTeamRoles: careTeamRoles as never })).toThrow(RangeError);
});

test('records with a role twice are not made: whoever has it would have two roles', () => {
  expect(knowing(cardiologist, { ...cardiologist, display: 'Heart doctor' })).toThrow(
    new RangeError('No two of the careTeamRoles have the same system and code.'),
  );
});
