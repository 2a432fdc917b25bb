import { describe, expect, test } from 'vitest';
import { createBodyParser } from '../../src/fhir/parse-body.ts';
import { createBodySchema, toStatement, updateBodySchema } from '../../src/immunization/bodies.ts';
import { extensionBase } from '../builders.ts';
import { expectInvalid, rightOf } from '../results.ts';

const create = createBodyParser(createBodySchema(extensionBase), 'Immunization');
const update = createBodyParser(updateBodySchema(extensionBase), 'Immunization');
const cvx = { system: 'http://hl7.org/fhir/sid/cvx', code: '207' };
const noteId = { url: 'https://clinic.example/fhir/note-id', valueId: 'n1' };
const body = {
  status: 'completed',
  vaccineCode: { coding: [cvx] },
  patient: { reference: 'Patient/p1' },
  occurrenceDateTime: '2026-01-02',
  primarySource: false,
};
const doseElements = {
  recorded: '2026-01-03',
  reportOrigin: { coding: [{ code: 'record' }] },
  location: { display: 'Ward 3' },
  manufacturer: { reference: 'Organization/7', display: 'Vaccines Ltd' },
  lotNumber: 'L1',
  expirationDate: '2026-06',
  site: {
    coding: [{ system: 'urn:site', version: '1', code: 'LA', display: 'left arm', userSelected: true }],
  },
  route: { text: 'into the muscle' },
  doseQuantity: { value: 0.5, unit: 'mL', system: 'http://unitsofmeasure.org', code: 'mL' },
  performer: [
    { function: { text: 'gave it' }, actor: { reference: 'Practitioner/12', type: 'Practitioner' } },
  ],
  reasonCode: [{ coding: [{ code: '429060002' }], text: 'Travel' }],
  reasonReference: [{ reference: 'Condition/c1' }],
  reaction: [{ date: '2026-01-03', detail: { reference: 'Observation/o1' }, reported: true }],
  protocolApplied: [
    {
      series: 'Basic',
      authority: { display: 'The ministry' },
      targetDisease: [{ text: 'measles' }],
      doseNumberPositiveInt: 1,
      seriesDosesString: '3 or 4',
    },
  ],
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
          { ...cvx, version: '1', display: 'COVID-19', userSelected: true },
          { system: 'unstructured', code: 'x y' },
        ],
        text: 'COVID',
      },
      note: [{ text: 'one', time: '2026', authorString: 'me' }, { text: 'two' }],
      ...doseElements,
    };
    expect(rightOf(create({ ...body, ...all }, 'strict'))).toEqual({ ...body, ...all });
    expect(statement(all)).toEqual({
      ...command,
      noteId: 'n1',
      encounterId: 'e1',
      vaccineCode: all.vaccineCode,
      note: all.note,
      ...doseElements,
    });
  });

  test('without elements that FHIR defines and the interface does not store', () => {
    const dropped = {
      id: 'mine',
      meta: { profile: ['x'] },
      subpotentReason: [{ text: 'x' }],
      vaccineCode: { id: 'v', coding: [{ ...cvx, id: 'c', _code: {} }] },
      note: [{ text: 'one', _text: {} }],
      performer: [{ id: 'p', actor: { display: 'Ada', identifier: { value: '1' } } }],
    };
    expect(statement(dropped)).toEqual({
      ...command,
      meta: {},
      note: [{ text: 'one' }],
      performer: [{ actor: { display: 'Ada' } }],
    });
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
    [
      'an expiration that is a time',
      { expirationDate: '2026-01-01T10:00:00Z' },
      'date at Immunization.expirationDate',
    ],
    ['an empty lot number', { lotNumber: ' ' }, 'empty at Immunization.lotNumber'],
    ['a dose in words', { doseQuantity: '0.5 mL' }, 'type at Immunization.doseQuantity'],
    [
      'a dose whose number is a text',
      { doseQuantity: { value: '0.5' } },
      'type at Immunization.doseQuantity.value',
    ],
    [
      'a bound instead of a dose',
      { doseQuantity: { value: 1, comparator: '<' } },
      'unknown-element at Immunization.doseQuantity.comparator',
    ],
    ['a site without content', { site: { coding: [] } }, 'empty at Immunization.site'],
    [
      'a performer without an actor',
      { performer: [{ function: { text: 'gave it' } }] },
      'required at Immunization.performer[0].actor',
    ],
    [
      'a manufacturer that is a patient',
      { manufacturer: { reference: 'Patient/1' } },
      'reference at Immunization.manufacturer.reference',
    ],
    [
      'a location whose type contradicts it',
      { location: { reference: 'Location/1', type: 'Patient' } },
      'value at Immunization.location.type',
    ],
    [
      'a performer whose type contradicts the reference',
      { performer: [{ actor: { reference: 'Practitioner/1', type: 'Organization' } }] },
      'reference-type at Immunization.performer[0].actor.type',
    ],
    [
      'a dose number of zero',
      { protocolApplied: [{ doseNumberPositiveInt: 0 }] },
      'value at Immunization.protocolApplied[0].doseNumberPositiveInt',
    ],
    [
      'two dose numbers',
      { protocolApplied: [{ doseNumberPositiveInt: 1, doseNumberString: 'one' }] },
      'many at Immunization.protocolApplied[0].doseNumberString',
    ],
    [
      'two authors of a note',
      { note: [{ text: 'x', authorString: 'me', authorReference: { reference: 'Practitioner/1' } }] },
      'many at Immunization.note[0].authorString',
    ],
    [
      'a note at a time without an offset',
      { note: [{ text: 'x', time: '2026-01-02T10:00:00' }] },
      'time-offset at Immunization.note[0].time',
    ],
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
