import { describe, expect, onTestFinished, test } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import {
  type CareTeamRole,
  type ClinicalRecordsOptions,
  type ClinicalStore,
  createClinicalRecords,
} from '../src/index.ts';

const never = () => expect.fail('Wiring asks nothing of a store.');

const store: ClinicalStore = {
  read: never,
  readResource: never,
  search: never,
  commit: never,
  commitAll: never,
  readVersion: never,
  history: never,
  changesSince: never,
  feedEnd: never,
  scan: never,
  indexedParameters: never,
  close: never,
};
const wiredWith = (options: Partial<ClinicalRecordsOptions>) => () =>
  createClinicalRecords({ store, extensionBase: 'urn:oid:1.2.3', careTeamRoles: [], ...options });

test('on an older Node than `engines` names, the first call says which Node is needed', () => {
  const descriptors = Object.getOwnPropertyDescriptors(Set.prototype);
  onTestFinished(() => {
    Object.defineProperties(Set.prototype, descriptors);
  });
  Reflect.deleteProperty(Set.prototype, 'intersection');
  const [, oldest] = /^>=(\S+)$/.exec(packageJson.engines.node) ?? [];
  expect(wiredWith({})).toThrow(`This Node is too old: clinical-records needs Node ${oldest} or newer.`);
});

test.each(['https://clinic.example/x', 'https://clinic.example', 'urn:oid:1.2.3'])(
  'the extensions have the namespace %s',
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
])('an extensionBase of %j is refused, because it would be stored', (extensionBase) => {
  expect(wiredWith({ extensionBase })).toThrow(RangeError);
});

const system = 'http://snomed.info/sct';
const cardiologist = { system, code: '17561000', display: 'Cardiologist' };
const knowing = (...roles: unknown[]) => wiredWith({ careTeamRoles: roles as readonly CareTeamRole[] });

test('care teams accept roles that differ in system or in code, and may have further properties of the host', () => {
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
])('the role %j is refused, because a team with it could not be put back as it was read', (role) => {
  expect(knowing(cardiologist, role)).toThrow(
    new RangeError(
      'Each of the careTeamRoles must have a system, a code without spare spaces, and a display. None may be empty.',
    ),
  );
});

describe('plain JavaScript gets a sentence about an option that is missing or of another type', () => {
  const roles =
    'careTeamRoles is required: an array of roles, each with system, code and display; pass [] for none.';
  const noStore = 'store is required: pass what openSqliteStore() or createMemoryStore() returned.';
  const noBase = 'extensionBase is required: a URL of yours, such as https://clinic.example/fhir/extensions.';
  test.each<readonly [option: keyof ClinicalRecordsOptions, value: unknown, sentence: string]>([
    ['store', undefined, noStore],
    ['store', null, noStore],
    ['store', 'clinic.db', noStore],
    ['store', Promise.resolve(store), noStore],
    ['store', { ...store, scan: undefined }, noStore],
    ['extensionBase', undefined, noBase],
    ['extensionBase', new URL('https://clinic.example'), noBase],
    ['careTeamRoles', undefined, roles],
    ['careTeamRoles', null, roles],
    ['careTeamRoles', {}, roles],
    [
      'resolve',
      { Patient: 'amy' },
      'resolve must be a function that returns a directory entry or null, or an object of such functions by type.',
    ],
    ['clock', new Date(), 'clock must be a function that returns a Date.'],
    ['newId', 'id-1', 'newId must be a function that returns a new id.'],
    ['organization', {}, 'organization must have a reference such as Organization/31'],
    ['organization', { reference: 'Practitioner/12' }, 'organization must have a reference'],
    ['usCore', 'yes', 'usCore must be true or false.'],
    ['usCore', true, 'usCore needs organization: US Core demands to know for whom authors act.'],
    ['searchSteps', '5', 'searchSteps must be a number of 1 or more.'],
  ])('%s: %o', (option, value, sentence) => {
    expect(wiredWith({ [option]: value })).toThrow(sentence);
  });
  test('without options', () => {
    expect(createClinicalRecords as () => unknown).toThrow(new TypeError(noStore));
  });
});

test('a repeated role is refused, because its holder would have two roles', () => {
  expect(knowing(cardiologist, { ...cardiologist, display: 'Heart doctor' })).toThrow(
    new RangeError('Two of the careTeamRoles have the same system and code.'),
  );
});

test('an option that does not exist is refused by name, with those that do', () => {
  expect(wiredWith({ resolver: async () => null } as object)).toThrow(
    new TypeError(
      'createClinicalRecords has no option resolver. Its options are store, extensionBase, careTeamRoles, resolve, resolveTimeout, rules, onRuleFailure, extensions, types, clock, newId, timeZone, searchSteps, onAccess, organization, usCore.',
    ),
  );
  expect(wiredWith({ resolver: undefined } as object)).not.toThrow();
});
