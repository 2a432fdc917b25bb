import { describe, expect, test } from 'vitest';
import { directoryIssue } from '../../src/directory/model.ts';
import { createDirectorySourceReaders } from '../../src/directory/source.ts';
import { utc } from '../../src/fhir/date-time.ts';
import type { SourceReader } from '../../src/fhir/source-resource.ts';
import { expectInvalid, rightOf } from '../results.ts';

const now = () => Date.UTC(2026, 2, 1);
const { Patient, Practitioner, Organization, Encounter } = createDirectorySourceReaders({ now, zone: utc });
const entry = <A>(read: ReturnType<SourceReader<A>>): A => rightOf(read).value;

describe('a person', () => {
  test('has the last name, and the first of the first names', () => {
    const name = [{ family: 'Doe', given: ['Jane', 'Mary'] }];
    expect(entry(Patient({ resourceType: 'Patient', id: 'p1', name, gender: 'female' }))).toEqual({
      id: 'p1',
      lastName: 'Doe',
      firstName: 'Jane',
      gender: 'female',
    });
    expect(entry(Practitioner({ id: 'dr-1', name }))).toEqual({
      id: 'dr-1',
      lastName: 'Doe',
      firstName: 'Jane',
    });
  });

  test('has the official name, else the usual one, else one without a use, and last an old or maiden name', () => {
    const uses = [
      'official',
      'usual',
      undefined,
      'nickname',
      'temp',
      'anonymous',
      'of-none',
      'maiden',
      'old',
    ];
    const names = uses.map((use, at) => ({ use, family: `Doe-${at}` }));
    for (const at of names.keys()) {
      const lastNameAmong = (name: object[]) => entry(Patient({ id: 'p1', name })).lastName;
      expect(lastNameAmong(names.slice(at))).toBe(`Doe-${at}`);
      expect(lastNameAmong(names.slice(at).toReversed())).toBe(`Doe-${at}`);
    }
  });

  test.each([
    ['of one word is a last name', { given: ['Prince'] }, 'Prince', ''],
    ['that is not divided is a last name', { text: 'Jane Doe' }, 'Jane Doe', ''],
    ['without a family name is its text', { text: 'Prince', given: ['Prince'] }, 'Prince', ''],
    ['of extensions only is ignored', { family: 'Doe', given: [null, 'Jane'] }, 'Doe', 'Jane'],
  ])('a name %s', (_what, name, lastName, firstName) => {
    expect(entry(Patient({ id: 'p1', name: [name] }))).toEqual({ id: 'p1', lastName, firstName });
  });

  test('does not have a name whose period has ended or not begun, unless there is no other', () => {
    const maiden = { use: 'official', family: 'Maiden', period: { end: '2010' } };
    const named = (...name: object[]) => entry(Patient({ id: 'p1', name })).lastName;
    expect(named(maiden, { use: 'official', family: 'Doe', period: { start: '2010' } })).toBe('Doe');
    expect(named({ use: 'official', family: 'Future', period: { start: '2027' } }, { family: 'Doe' })).toBe(
      'Doe',
    );
    expect(named({ use: 'anonymous' }, maiden)).toBe('Maiden');
    expect(named({ use: 'old', family: 'Roe' }, maiden)).toBe('Maiden');
  });

  test('is imported, even if the period of a name, the links, the use or the last update cannot be read', () => {
    const name = [{ family: 'Doe', period: { start: '1990-01-01T00:00', end: null } }];
    const meta = { lastUpdated: '2025-10-18T17:38:36' };
    const odd = { meta, link: {}, active: 'no' };
    const { value, issues } = rightOf(Patient({ id: 'p1', name, ...odd }));
    expect(value).toEqual({ id: 'p1', lastName: 'Doe', firstName: '' });
    expect(issues.map(({ expression }) => expression)).toEqual(['Patient.name[0].period']);
  });

  test('has a date of birth, a gender, identifiers, and whether or when the patient died', () => {
    const name = [{ family: 'Doe' }];
    const identifier = [{ system: 'urn:mrn', value: 'R-1', assigner: { reference: 'Organization/o1' } }];
    const elements = { birthDate: '1961-08', gender: 'other', identifier };
    expect(entry(Patient({ id: 'p1', name, ...elements, deceasedBoolean: false }))).toMatchObject({
      ...elements,
      deceased: false,
    });
    const died = { deceasedDateTime: '2026-01-02T03:04:05Z' };
    expect(entry(Patient({ id: 'p1', name, ...died })).deceased).toBe(died.deceasedDateTime);
    expect(entry(Practitioner({ id: 'dr-1', name, ...elements }))).toEqual({
      id: 'dr-1',
      lastName: 'Doe',
      firstName: '',
      identifier,
    });
    expect(entry(Organization({ id: 'o1', name: 'Lab', identifier }))).toMatchObject({ identifier });
  });

  test('is imported without what is not valid of these, which is reported', () => {
    const reading = rightOf(
      Patient({
        id: 'p1',
        name: [{ family: 'Doe' }],
        birthDate: '1961-13-01',
        gender: 'F',
        deceasedBoolean: 'no',
        deceasedDateTime: '2026-01-02T03:04',
        identifier: [
          { use: 'primary', value: '1' },
          { system: 'urn:x', value: 2 },
          { value: 'x'.repeat(1_001) },
          { type: { coding: Array.from({ length: 11 }, () => ({ display: 'x'.repeat(1_000) })) } },
          ...Array.from({ length: 100 }, (_, index) => ({ value: `${index}` })),
        ],
      }),
    );
    expect(reading.issues.map(({ rule, expression }) => `${rule} ${expression}`)).toEqual([
      'left-out Patient.identifier[0].use',
      'left-out Patient.identifier[1].value',
      'left-out Patient.identifier[2]',
      'left-out Patient.identifier[3]',
      'left-out Patient.birthDate',
      'left-out Patient.gender',
      'left-out Patient.deceasedBoolean',
      'left-out Patient.identifier[100]',
      'unreadable-death Patient.deceasedDateTime',
    ]);
    const { identifier = [], ...rest } = reading.value;
    expect([identifier?.length, identifier?.[0]]).toEqual([100, { value: '1' }]);
    expect(rest).toEqual({ id: 'p1', lastName: 'Doe', firstName: '', deceased: true });
  });

  test.each<[what: string, sent: object, deceased: boolean | string | undefined, leftOut: string[]]>([
    ['a time without seconds', { deceasedDateTime: '2026-01-02T03:04' }, true, ['Patient.deceasedDateTime']],
    ['a day that there is not', { deceasedDateTime: '2026-02-30' }, true, ['Patient.deceasedDateTime']],
    ['a number', { deceasedDateTime: 2026 }, true, ['Patient.deceasedDateTime']],
    [
      'a time that contradicts the flag',
      { deceasedBoolean: false, deceasedDateTime: 'May' },
      true,
      ['Patient.deceasedDateTime'],
    ],
    [
      'only why a time is absent, which also a living patient can have',
      { _deceasedDateTime: { extension: [{ url: 'urn:absent', valueCode: 'unknown' }] } },
      undefined,
      [],
    ],
    ['a flag that is a text', { deceasedBoolean: 'true' }, true, ['Patient.deceasedBoolean']],
    ['a flag that is the text false', { deceasedBoolean: 'false' }, undefined, ['Patient.deceasedBoolean']],
    ['a null', { deceasedDateTime: null }, undefined, ['Patient.deceasedDateTime']],
    ['an empty text', { deceasedDateTime: ' ' }, undefined, ['Patient.deceasedDateTime']],
  ])('who has died at a time that cannot be read is dead: %s', (_what, sent, deceased, leftOut) => {
    const { value, issues } = rightOf(Patient({ id: 'p1', name: [{ family: 'Doe' }], ...sent }));
    expect(value.deceased).toBe(deceased);
    expect(issues.map(({ rule, expression }) => [rule, expression])).toEqual(
      leftOut.map((expression) => [deceased === true ? 'unreadable-death' : 'left-out', expression]),
    );
  });

  test('a patient who was replaced by another record is imported and reported', () => {
    const replaced = {
      id: 'p1',
      name: [{ family: 'Doe' }],
      link: [{ type: 'seealso' }, { type: 'replaced-by' }],
    };
    expect(rightOf(Patient(replaced)).issues).toEqual([directoryIssue('replaced', 'Patient.link')]);
    expect(rightOf(Patient({ ...replaced, link: [{ type: 'seealso' }] })).issues).toEqual([]);
  });

  test('was modified when the resource was, only for a patient', () => {
    const resource = {
      id: 'x',
      name: [{ family: 'Doe' }],
      meta: { lastUpdated: '2026-01-02T03:04:05+01:00' },
    };
    expect(entry(Patient(resource)).lastModified).toBe('2026-01-02T03:04:05+01:00');
    expect(entry(Practitioner(resource))).not.toHaveProperty('lastModified');
  });

  test('is never modified in the future', () => {
    const resource = { id: 'x', name: [{ family: 'Doe' }], meta: { lastUpdated: '2099-01-01T00:00:00Z' } };
    expect(entry(Patient(resource)).lastModified).toBeUndefined();
  });

  test('needs an id', () => {
    expectInvalid(Patient({}), 'required at Patient.id');
    expectInvalid(Practitioner({ id: 'a b', name: [] }), 'id at Practitioner.id');
  });

  const masked = [{ extension: [{ url: 'https://hl7.example/data-absent-reason', valueCode: 'masked' }] }];
  test.each([undefined, [], masked, [{ family: '' }], [null]])(
    'whose name is %o is shown as one without a name',
    (name) => {
      const reading = rightOf(Patient({ id: 'p1', name }));
      expect(reading.value).toMatchObject({ id: 'p1', lastName: '(no name)', firstName: '' });
      expect(reading.issues).toContainEqual(directoryIssue('no-name', 'Patient.name'));
    },
  );
});

test('an organization needs a name', () => {
  expect(entry(Organization({ id: 'o1', name: 'Lab', alias: ['L'] }))).toEqual({ id: 'o1', name: 'Lab' });
  expectInvalid(Organization({ id: 'o1' }), 'required at Organization.name');
});

test('a person or an organization that is inactive is imported and reported', () => {
  const name = [{ family: 'Doe' }];
  const faults = (active?: unknown) => [
    rightOf(Patient({ id: 'p1', name, active })).issues,
    rightOf(Organization({ id: 'o1', name: 'Lab', active })).issues,
  ];
  expect(faults(false)).toEqual([
    [directoryIssue('inactive', 'Patient.active')],
    [directoryIssue('inactive', 'Organization.active')],
  ]);
  expect(faults('false')).toEqual(faults(false));
  expect(faults(true)).toEqual([[], []]);
  expect(rightOf(Practitioner({ id: 'dr-1', name, active: false })).issues).toMatchObject([
    { rule: 'inactive', expression: 'Practitioner.active' },
  ]);
});

test('an encounter needs a patient', () => {
  expect(entry(Encounter({ id: 'e1', subject: { reference: 'Patient/p1' }, status: 'finished' }))).toEqual({
    id: 'e1',
    patientId: 'p1',
  });
  expectInvalid(Encounter({ id: 'e1', subject: { reference: 'Group/1' } }), 'reference at Encounter.subject');
});

test('an encounter that is entered in error is refused, and one of any other status is not', () => {
  const encounter = { id: 'e1', subject: { reference: 'Patient/p1' } };
  expectInvalid(
    Encounter({ ...encounter, status: 'entered-in-error' }),
    'entered-in-error at Encounter.status',
  );
  for (const status of ['cancelled', 'unknown', null, undefined])
    expect(rightOf(Encounter({ ...encounter, status })).issues).toEqual([]);
});
