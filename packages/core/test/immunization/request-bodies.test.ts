import { describe, expect, test } from 'vitest';
import { createBodyParser } from '../../src/fhir/parse-body.ts';
import { createBody, toStatement, updateBody } from '../../src/immunization/request-bodies.ts';
import { extensionBase } from '../builders.ts';
import { expectInvalid, rightOf } from '../results.ts';

const create = createBodyParser(createBody(extensionBase), 'Immunization');
const update = createBodyParser(updateBody(extensionBase), 'Immunization');
const cvx = { system: 'http://hl7.org/fhir/sid/cvx', code: '207' };
const noteId = { url: 'https://clinic.example/fhir/note-id', valueId: 'n1' };
const body = {
  status: 'completed',
  vaccineCode: { coding: [cvx] },
  patient: { reference: 'Patient/p1' },
  occurrenceDateTime: '2026-01-02',
  primarySource: false,
};
const command = {
  kind: 'immunizationStatement',
  patientId: 'p1',
  vaccineCode: { coding: [cvx] },
  occurrenceDateTime: '2026-01-02',
};
const statement = (rest: object = {}) => toStatement(rightOf(create({ ...body, ...rest }, 'lenient')));

describe('a record created is an Immunization Statement command', () => {
  test('with only the required elements', () => {
    expect(statement()).toEqual(command);
  });

  test('with all elements that can be sent', () => {
    const all = {
      resourceType: 'Immunization',
      extension: [noteId],
      encounter: { reference: 'Encounter/e1', type: 'Encounter' },
      vaccineCode: {
        coding: [
          { ...cvx, display: 'COVID-19' },
          { system: 'unstructured', code: 'x y' },
        ],
      },
      note: [{ text: 'one' }, { text: 'two' }],
    };
    expect(rightOf(create({ ...body, ...all }, 'strict'))).toEqual({ ...body, ...all });
    expect(statement(all)).toEqual({
      ...command,
      noteId: 'n1',
      encounterId: 'e1',
      vaccineCode: all.vaccineCode,
      note: all.note,
    });
  });

  test('without elements that FHIR defines and the interface does not store', () => {
    const dropped = {
      id: 'mine',
      meta: { profile: ['x'] },
      lotNumber: 'L1',
      vaccineCode: { text: 'COVID', coding: [{ ...cvx, version: '1' }] },
      note: [{ text: 'one', time: '2026', authorString: 'me' }],
    };
    expect(statement(dropped)).toEqual({ ...command, note: [{ text: 'one' }] });
  });
});

describe('required elements', () => {
  const names = ['status', 'vaccineCode', 'patient', 'occurrenceDateTime', 'primarySource'] as const;

  test.each(names)('%s', (name) => {
    const { [name]: _left, ...rest } = body;
    expectInvalid(create(rest, 'lenient'), `required at Immunization.${name}`);
    expectInvalid(update({ id: 'i1', ...rest }, 'lenient'), `required at Immunization.${name}`);
  });

  test('an update also requires the id', () => {
    expectInvalid(update(body, 'lenient'), 'required at Immunization.id');
    expect(rightOf(update({ id: 'i1', ...body }, 'strict')).id).toBe('i1');
  });

  test('all of them at once', () => {
    expectInvalid(
      create({}, 'lenient'),
      ...names.map((name) => `required at Immunization.${name}`).toSorted(),
    );
  });
});

test.each(['completed', 'entered-in-error', 'not-done'])(
  '%s is a value of the enum, whatever a create accepts',
  (status) => {
    expect(rightOf(create({ ...body, status }, 'strict')).status).toBe(status);
  },
);

test.each(['http://hl7.org/fhir/sid/cvx', 'http://www.ama-assn.org/go/cpt', 'unstructured'])(
  'a vaccine is coded in %s',
  (system) => {
    const vaccineCode = { coding: [{ system, code: '1' }] };
    expect(rightOf(create({ ...body, vaccineCode }, 'strict')).vaccineCode).toEqual(vaccineCode);
  },
);

test.each(['2026', '2026-01', '2026-01-02', '2026-01-02T03:04:05Z', '2026-01-02T03:04:05.678-05:00'])(
  'occurrenceDateTime is a date or datetime: %s',
  (occurrenceDateTime) => {
    expect(statement({ occurrenceDateTime }).occurrenceDateTime).toBe(occurrenceDateTime);
  },
);

describe('values outside the listed ones', () => {
  const coded = (coding: unknown) => ({ vaccineCode: { coding } });
  test.each<[string, object, string]>([
    ['a status', { status: 'active' }, 'value at Immunization.status'],
    [
      'a system',
      coded([{ ...cvx, system: 'http://hl7.org/fhir/sid/cpt' }]),
      'value at Immunization.vaccineCode.coding[0].system',
    ],
    [
      'a vaccine without a system',
      coded([{ code: '1' }]),
      'required at Immunization.vaccineCode.coding[0].system',
    ],
    [
      'a vaccine without a code',
      coded([cvx, { system: cvx.system }]),
      'required at Immunization.vaccineCode.coding[1].code',
    ],
    ['a vaccine without a coding', coded([]), 'empty at Immunization.vaccineCode.coding'],
    [
      'an empty display',
      coded([{ ...cvx, display: '' }]),
      'empty at Immunization.vaccineCode.coding[0].display',
    ],
    [
      'a reference to another type',
      { patient: { reference: 'Group/p1' } },
      'reference at Immunization.patient.reference',
    ],
    ['an encounter without a reference', { encounter: {} }, 'required at Immunization.encounter.reference'],
    [
      'a day that the calendar lacks',
      { occurrenceDateTime: '2023-02-29' },
      'date-time at Immunization.occurrenceDateTime',
    ],
    [
      'a time without an offset',
      { occurrenceDateTime: '2023-02-28T10:00:00' },
      'time-offset at Immunization.occurrenceDateTime',
    ],
    ['a primarySource that is a string', { primarySource: 'false' }, 'type at Immunization.primarySource'],
    [
      'an extension of another URL',
      { extension: [{ ...noteId, url: 'urn:x' }] },
      'value at Immunization.extension[0].url',
    ],
    [
      'an extension without its value',
      { extension: [{ url: noteId.url }] },
      'required at Immunization.extension[0].valueId',
    ],
    ['two notes to be placed in', { extension: [noteId, noteId] }, 'many at Immunization.extension'],
    ['a note without a text', { note: [{}] }, 'required at Immunization.note[0].text'],
    ['a blank note', { note: [{ text: ' \n' }] }, 'empty at Immunization.note[0].text'],
    [
      'a misspelt element',
      { occurenceDateTime: '2026' },
      'unknown-element at Immunization.occurenceDateTime',
    ],
  ])('%s', (_what, rest, fault) => {
    expectInvalid(create({ ...body, ...rest }, 'lenient'), fault);
  });
});
