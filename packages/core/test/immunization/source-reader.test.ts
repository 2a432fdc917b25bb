import { describe, expect, test } from 'vitest';
import { leftOutIssue } from '../../src/fhir/issues.ts';
import { createImmunizationSourceReader } from '../../src/immunization/source.ts';
import { extensionBase } from '../builders.ts';
import { expectInvalid, rightOf } from '../results.ts';

const cvx = { system: 'http://hl7.org/fhir/sid/cvx', code: '207', display: 'COVID-19' };
const ndc = { system: 'http://hl7.org/fhir/sid/ndc', code: '0777-3105-02', display: 'Prozac' };
const reading = createImmunizationSourceReader(extensionBase);
const foreign = (rest: object = {}) => ({
  resourceType: 'Immunization',
  id: 'i1',
  status: 'completed',
  vaccineCode: { coding: [cvx] },
  patient: { reference: 'Patient/p1' },
  occurrenceDateTime: '2026-01-02',
  ...rest,
});
const read = (rest: object = {}) => rightOf(reading(foreign(rest))).value;
const codings = (vaccineCode: object) => read({ vaccineCode }).command.vaccineCode.coding;

test('an immunization of another system is read with all elements that are stored', () => {
  const rest = {
    encounter: { reference: 'Encounter/e1' },
    note: [{ text: 'one', time: '2026', authorString: 'Dr One' }, { text: 'two' }],
    lotNumber: 'L1',
    doseQuantity: { value: 0.5, unit: 'mL' },
  };
  expect(read(rest)).toEqual({
    id: 'i1',
    patientId: 'p1',
    isInError: false,
    command: {
      kind: 'immunizationStatement',
      patientId: 'p1',
      encounterId: 'e1',
      vaccineCode: { coding: [cvx] },
      occurrenceDateTime: '2026-01-02',
      status: 'completed',
      note: [{ text: 'one', time: '2026', authorString: 'Dr One' }, { text: 'two' }],
      lotNumber: 'L1',
      doseQuantity: { value: 0.5, unit: 'mL' },
    },
  });
});

test('a part of an element or of a note that cannot be stored is left out and reported', () => {
  const { value, issues } = rightOf(
    reading(
      foreign({
        expirationDate: 'soon',
        performer: [{ actor: { reference: 'urn:uuid:1', display: 'Dr One' } }],
        note: [{ text: 'one', time: '2026-01-02T10:00:00' }],
      }),
    ),
  );
  expect(value.command).toMatchObject({
    performer: [{ actor: { display: 'Dr One' } }],
    note: [{ text: 'one' }],
  });
  expect(value.command.expirationDate).toBeUndefined();
  expect(issues.map(({ expression }) => expression)).toEqual(
    ['expirationDate', 'performer[0].actor.reference', 'note[0].time'].map(
      (element) => `Immunization.${element}`,
    ),
  );
});

test('the version of a coding and the text of a concept are kept', () => {
  const vaccineCode = { coding: [{ ...cvx, version: '2026', userSelected: true }], text: 'COVID' };
  expect(read({ vaccineCode }).command.vaccineCode).toEqual(vaccineCode);
  const statusReason = { coding: [{ code: 'MEDPREC', display: 'x' }], text: 'Anaphylaxis' };
  expect(read({ status: 'not-done', statusReason }).command.statusReason).toEqual(statusReason);
});

test('the note is the one that the extension of the interface names', () => {
  const url = `${extensionBase}/note-id`;
  const noteId = (extension: unknown) => read({ extension }).command.noteId;
  expect(noteId([7, { url: 'urn:x', valueId: 'x' }, { url, valueId: 'n1' }])).toBe('n1');
  expect(noteId([{ url, valueId: 7 }])).toBeUndefined();
  expect(noteId('n1')).toBeUndefined();
  expect(noteId({ url, valueId: 'n1' })).toBe('n1');
  expect(noteId([{ url }, { url, valueId: 'n1' }, { url, valueId: 'n2' }])).toBe('n1');
});

test('a note that cannot be read, or a second one, is reported as left out', () => {
  const url = `${extensionBase}/note-id`;
  const issuesOf = (...extension: object[]) => rightOf(reading(foreign({ extension }))).issues;
  const lost = [leftOutIssue('Immunization.extension')];
  expect(issuesOf({ url, valueString: 'n1' })).toEqual(lost);
  expect(issuesOf({ url, valueId: 'n1' }, { url })).toEqual(lost);
  expect(issuesOf({ url, valueId: 'n1' }, { url, valueId: 'n2' })).toEqual(lost);
  expect(issuesOf({ url, valueId: 'n1' }, { url, valueId: 'n1' }, { url: 'urn:x' })).toEqual([]);
});

test('white space that no code has is removed', () => {
  expect(codings({ coding: [{ ...cvx, code: ' 207\n' }] })).toEqual([cvx]);
  expect(codings({ text: ' Yellow  fever ' })).toMatchObject([{ code: 'Yellow fever' }]);
  const statusReason = { coding: [{ code: 'PATOBJ ' }] };
  expect(read({ status: 'not-done', statusReason }).command.statusReason?.coding[0]?.code).toBe('PATOBJ');
});

describe('primarySource', () => {
  test.each([
    ['true: an Immunize command', { primarySource: true }, 'immunize'],
    ['false: an Immunization Statement', { primarySource: false }, 'immunizationStatement'],
    ['not said: an Immunization Statement', {}, 'immunizationStatement'],
  ])('%s', (_what, rest, kind) => {
    expect(read(rest).command.kind).toBe(kind);
  });
});

describe('status', () => {
  test('not-done has its reason', () => {
    const coding = [
      { system: 'urn:x', code: 'PATOBJ', display: 'Patient objection' },
      { display: 'no code' },
    ];
    const { command, isInError } = read({ status: 'not-done', statusReason: { coding } });
    expect([command.status, isInError]).toEqual(['not-done', false]);
    expect(command.statusReason).toEqual({
      coding: [{ code: 'PATOBJ', display: 'Patient objection' }],
      furtherCodings: coding,
    });
  });

  test('not-done may have no reason', () => {
    expect(read({ status: 'not-done' }).command.statusReason).toBeUndefined();
    expect(read({ status: 'not-done', statusReason: { coding: [] } }).command.statusReason).toBeUndefined();
  });

  const issuesOf = (status: string, statusReason?: object) =>
    rightOf(reading(foreign({ status, statusReason }))).issues;

  test('a reason for not-done without a code is reported as left out', () => {
    const allergic = { text: 'allergic' };
    expect(issuesOf('not-done', allergic)).toEqual([leftOutIssue('Immunization.statusReason')]);
    expect(issuesOf('not-done', { ...allergic, coding: [{ code: 'MEDPREC' }] })).toEqual([]);
    expect(issuesOf('not-done')).toEqual([]);
  });

  test('the systems of the interface and of FHIR are not kept beside the code of a reason', () => {
    const coding = [
      'http://terminology.hl7.org/CodeSystem/v3-ActReaso',
      'http://terminology.hl7.org/CodeSystem/v3-ActReason',
      'http://hl7.org/fhir/v3/ActReason',
    ].map((system) => ({ system, code: 'PATOBJ' }));
    expect(read({ status: 'not-done', statusReason: { coding } }).command.statusReason).toEqual({
      coding: [{ code: 'PATOBJ' }, { code: 'PATOBJ' }, { code: 'PATOBJ' }],
    });
  });

  test('completed has no reason for not-done, and a sent reason is reported', () => {
    const statusReason = { coding: [{ code: 'PATOBJ' }, { display: 'no code' }] };
    expect(read({ status: 'completed', statusReason }).command.statusReason).toBeUndefined();
    expect(issuesOf('completed', statusReason)).toEqual([leftOutIssue('Immunization.statusReason')]);
  });

  test('entered-in-error is a completed one that was entered in error, or a not-done one with a reason', () => {
    const { command, isInError } = read({ status: 'entered-in-error' });
    expect([command.status, isInError]).toEqual(['completed', true]);
    const statusReason = { coding: [{ code: 'PATOBJ' }] };
    const notDone = read({ status: 'entered-in-error', statusReason });
    expect([notDone.command.status, notDone.isInError]).toEqual(['not-done', true]);
    expect(notDone.command.statusReason).toEqual(statusReason);
    expect(issuesOf('entered-in-error', statusReason)).toEqual([]);
  });
});

describe('vaccineCode', () => {
  test('an NDC beside a CVX code is a further coding', () => {
    expect(read({ vaccineCode: { coding: [ndc, cvx] } }).command.vaccineCode).toEqual({
      coding: [cvx],
      furtherCodings: [ndc],
    });
  });

  test('further codings in the extension of the interface are kept, also if they are read again', () => {
    const extension = [
      { url: `${extensionBase}/further-coding`, valueCoding: ndc },
      { url: `${extensionBase}/further-coding`, valueCoding: 7 },
      { url: 'urn:x', valueCoding: cvx },
    ];
    expect(
      read({ vaccineCode: { extension, coding: [cvx, { system: 'urn:y' }, {}] } }).command.vaccineCode,
    ).toEqual({
      coding: [cvx],
      furtherCodings: [{ system: 'urn:y' }, ndc],
    });
  });

  test('a code without a display gets the text beside it, also in a reason', () => {
    const { display: _, ...bare } = cvx;
    expect(codings({ coding: [bare], text: 'Trial vaccine' })).toEqual([
      { ...bare, display: 'Trial vaccine' },
    ]);
    const statusReason = { coding: [{ code: 'MEDPREC' }], text: 'Anaphylaxis' };
    expect(read({ status: 'not-done', statusReason }).command.statusReason?.coding).toEqual([
      { code: 'MEDPREC', display: 'Anaphylaxis' },
    ]);
  });

  test('both systems of CPT are kept', () => {
    const cpt = ['http://www.ama-assn.org/go/cpt', 'http://hl7.org/fhir/sid/cpt'].map((system) => ({
      system,
      code: '91300',
    }));
    expect(codings({ coding: cpt })).toEqual(cpt);
  });

  test('an NDC code without a CVX code is unstructured', () => {
    expect(read({ vaccineCode: { coding: [ndc] } }).command.vaccineCode).toEqual({
      coding: [{ system: 'unstructured', code: '0777-3105-02', display: 'Prozac' }],
      furtherCodings: [ndc],
    });
  });

  test('an unstructured coding is kept beside a CVX code', () => {
    const own = { system: 'unstructured', code: 'Flu shot' };
    expect(codings({ coding: [own, cvx] })).toEqual([own, cvx]);
  });

  test('a text without codings is unstructured', () => {
    expect(codings({ text: 'Flu shot' })).toEqual([
      { system: 'unstructured', code: 'Flu shot', display: 'Flu shot' },
    ]);
  });

  test('the first of several unknown codings is unstructured, by its text if it has no code', () => {
    const first = { system: ndc.system, display: 'Flu' };
    const other = { system: 'urn:x', code: '999' };
    const read = (text?: string) => codings({ coding: [first, other], text })?.[0]?.code;
    expect([read('Flu shot'), read()]).toEqual(['Flu shot', 'Flu']);
  });

  test('a display without a code is unstructured in any system', () => {
    for (const system of [undefined, cvx.system]) {
      expect(codings({ coding: [{ system, display: 'Flu shot' }] })).toEqual([
        { system: 'unstructured', code: 'Flu shot', display: 'Flu shot' },
      ]);
    }
  });
});

describe('an immunization that cannot be imported is refused', () => {
  test.each<[string, object, string]>([
    ['no vaccine', { vaccineCode: { coding: [] } }, 'unsupported-codes at Immunization.vaccineCode'],
    ['another state', { status: 'unknown' }, 'value at Immunization.status'],
    [
      'no time',
      { occurrenceDateTime: undefined, occurrenceString: 'long ago' },
      'required at Immunization.occurrenceDateTime',
    ],
    ['a dose that protects less', { isSubpotent: true }, 'value at Immunization.isSubpotent'],
    ['no patient', { patient: { display: 'Jane' } }, 'required at Immunization.patient.reference'],
    [
      'an encounter that is none',
      { encounter: { reference: 'Location/1' } },
      'reference at Immunization.encounter',
    ],
  ])('%s', (_what, rest, fault) => {
    expectInvalid(reading(foreign(rest)), fault);
  });
});
