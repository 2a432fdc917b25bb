import { describe, expect, test } from 'vitest';
import { mergeEncounter, mergeNote, mergePatient } from '../../src/directory/decide-entry.ts';
import { entrySchemas } from '../../src/directory/model.ts';
import { createBodyParser } from '../../src/fhir/parse-body.ts';
import { expectInvalid, expectViolation, rightOf } from '../results.ts';

describe('a patient', () => {
  const jane = { id: 'p1', lastName: 'Doe', firstName: 'Jane' };

  test('is modified when it is put, if the host gives no time', () => {
    expect(mergePatient(jane, null, 500)).toEqual({ ...jane, lastModified: 500 });
  });

  test('is modified at the time that the host gives, as text or as a Date', () => {
    const lastModified = '1970-01-01T01:00:01+01:00';
    expect(mergePatient({ ...jane, lastModified }, null, 500).lastModified).toBe(1_000);
    expect(mergePatient({ ...jane, lastModified: new Date(2_000) }, null, 500).lastModified).toBe(2_000);
  });

  test('is modified only if something has changed', () => {
    const before = { ...jane, lastModified: 100 };
    expect(mergePatient(jane, before, 500).lastModified).toBe(100);
    expect(mergePatient({ ...jane, firstName: 'Joan' }, before, 500).lastModified).toBe(500);
    expect(mergePatient({ ...jane, lastName: 'Roe' }, before, 500).lastModified).toBe(500);
  });

  const elements = {
    birthDate: '1961-08-23',
    gender: 'female',
    deceased: false,
    identifier: [{ system: 'urn:mrn', value: 'R-1' }],
  } as const;

  test('keeps what a put omits, and loses what it sends as null or empty', () => {
    const before = mergePatient({ ...jane, ...elements }, null, 100);
    expect(before).toEqual({ ...jane, ...elements, lastModified: 100 });
    expect(mergePatient(jane, before, 500)).toEqual(before);
    const { birthDate: _, identifier: __, ...rest } = before;
    expect(mergePatient({ ...jane, birthDate: null, identifier: [] }, before, 500)).toEqual({
      ...rest,
      lastModified: 500,
    });
    const none = { birthDate: null, gender: null, deceased: null, identifier: null };
    expect(mergePatient({ ...jane, ...none }, before, 500)).toEqual({ ...jane, lastModified: 500 });
  });

  test('is modified if only the death or an identifier has changed', () => {
    const before = mergePatient({ ...jane, ...elements }, null, 100);
    expect(mergePatient({ ...jane, deceased: true }, before, 500)).toMatchObject({
      ...elements,
      deceased: true,
      lastModified: 500,
    });
    expect(mergePatient({ ...jane, ...elements }, before, 500).lastModified).toBe(100);
  });

  test.each<[what: string, sent: object, issue: string]>([
    ['a date of birth that is a Date', { birthDate: new Date(0) }, 'type at Patient.birthDate'],
    ['a date of birth with a time', { birthDate: '1961-08-23T00:00:00Z' }, 'date at Patient.birthDate'],
    ['a gender that FHIR does not have', { gender: 'F' }, 'value at Patient.gender'],
    ['a death without an offset', { deceased: '2026-01-02T03:04:05' }, 'date-time at Patient.deceased'],
    ['a death that is a text', { deceased: 'no' }, 'date-time at Patient.deceased'],
    ['a death that is a number', { deceased: 1 }, 'type at Patient.deceased'],
    ['an identifier that is a text', { identifier: 'R-1' }, 'type at Patient.identifier'],
    ['an empty identifier', { identifier: [{}] }, 'empty at Patient.identifier[0]'],
    [
      'a text of more than 1,000 characters',
      { identifier: [{ type: { text: 'x'.repeat(1_001) } }] },
      'text-length at Patient.identifier[0]',
    ],
    [
      'an identifier of more than 10,000 characters',
      { identifier: [{ type: { coding: Array.from({ length: 11 }, () => ({ code: 'x'.repeat(1_000) })) } }] },
      'element-length at Patient.identifier[0]',
    ],
    [
      'more than 100 identifiers',
      { identifier: Array.from({ length: 101 }, () => ({ value: '1' })) },
      'many at Patient.identifier',
    ],
  ])('cannot have %s', (_what, sent, issue) => {
    const parse = createBodyParser<unknown>(entrySchemas.Patient, 'Patient');
    expectInvalid(parse({ ...jane, ...sent }, 'strict'), issue);
  });

  test('may have died at a time that is a Date, and have a reference to who issued an identifier', () => {
    const parse = createBodyParser<unknown>(entrySchemas.Patient, 'Patient');
    const identifier = [{ value: 'R-1', assigner: { reference: 'Organization/o1' } }];
    expect(rightOf(parse({ ...jane, deceased: new Date(0), identifier }, 'strict'))).toMatchObject({
      deceased: '1970-01-01T00:00:00.000Z',
      identifier: [{ value: 'R-1', assigner: { reference: 'Organization/o1', type: 'Organization' } }],
    });
  });

  test('cannot have been modified after the year 9999', () => {
    const parse = createBodyParser<unknown>(entrySchemas.Patient, 'Patient');
    const sent = { ...jane, lastModified: new Date(8.64e15) };
    expectInvalid(parse(sent, 'strict'), 'time-offset at Patient.lastModified');
  });

  test.each(['p1.proposed', 'p1.active', 'p1.suspended', 'p1.inactive', 'p1.entered-in-error'])(
    'cannot have an id that would name the care team of another patient: %s',
    (id) => {
      const parse = createBodyParser<unknown>(entrySchemas.Patient, 'Patient');
      expectInvalid(parse({ ...jane, id }, 'strict'), 'patient-id at Patient.id');
    },
  );
});

describe('an encounter', () => {
  const input = { id: 'e1', patientId: 'p1' };
  const named = { ...input, noteId: 'n1' };
  const note = { id: 'n1', patientId: 'p1', encounterId: 'e1', title: null, dateOfService: null };

  test('has no note at first, and keeps its note', () => {
    const before = { ...input, noteId: null };
    expect(rightOf(mergeEncounter(input, null, null))).toEqual({ encounter: before, note: null });
    expect(rightOf(mergeEncounter(input, named, null))).toEqual({ encounter: named, note: null });
    expect(rightOf(mergeEncounter(named, named, note))).toEqual({ encounter: named, note });
  });

  test('adds the note that it names, if no note has that id', () => {
    expect(rightOf(mergeEncounter(named, null, null))).toEqual({ encounter: named, note });
    expect(rightOf(mergeEncounter(named, { ...input, noteId: null }, null))).toEqual({
      encounter: named,
      note,
    });
  });

  test('is linked with a note without an encounter once it names the note, which keeps its other values', () => {
    const sent = { ...note, title: 'Visit', dateOfService: '2026-01-02' };
    expect(rightOf(mergeEncounter(named, null, { ...sent, encounterId: null }))).toEqual({
      encounter: named,
      note: sent,
    });
  });

  test.each([
    [
      'an encounter of another patient',
      { id: 'e1', patientId: 'p2', noteId: null },
      null,
      'encounter-of-another-patient at Encounter.patientId',
    ],
    [
      'an encounter with another note',
      { ...input, noteId: 'n2' },
      null,
      'note-of-another-encounter at Encounter.noteId',
    ],
    [
      'the encounter of a note of another encounter',
      null,
      { ...note, encounterId: 'e2' },
      'note-of-another-encounter at Encounter.noteId',
    ],
    [
      'the encounter of a note of another patient',
      null,
      { ...note, patientId: 'p2', encounterId: null },
      'note-of-another-patient at Encounter.noteId',
    ],
  ])('cannot become %s', (_what, before, of, fault) => {
    expectViolation(mergeEncounter(named, before, of), fault);
  });
});

describe('a note', () => {
  const encounter = { id: 'e1', patientId: 'p1', noteId: null };
  const note = { id: 'n1', patientId: 'p1', encounterId: 'e1', title: null, dateOfService: null };

  test('and its encounter are linked', () => {
    const input = { id: 'n1', patientId: 'p1', encounterId: 'e1' };
    const both = { note, encounter: { ...encounter, noteId: 'n1' } };
    expect(rightOf(mergeNote(input, null, encounter))).toEqual(both);
    expect(rightOf(mergeNote(input, both.note, both.encounter))).toEqual(both);
  });

  test('may have no encounter', () => {
    const both = rightOf(mergeNote({ id: 'n1', patientId: 'p1' }, null, null));
    expect(both).toEqual({ note: { ...note, encounterId: null }, encounter: null });
  });

  test.each([
    [
      'a note of another patient',
      { ...note, patientId: 'p2' },
      encounter,
      'note-of-another-patient at Note.patientId',
    ],
    [
      'a note of another encounter',
      { ...note, encounterId: 'e2' },
      encounter,
      'note-of-another-encounter at Note.encounterId',
    ],
    [
      'an encounter of another patient',
      null,
      { ...encounter, patientId: 'p2' },
      'encounter-of-another-patient at Note.encounterId',
    ],
    [
      'an encounter with another note',
      null,
      { ...encounter, noteId: 'n2' },
      'note-of-another-encounter at Note.encounterId',
    ],
  ])('cannot become %s', (_what, before, of, fault) => {
    const input = { id: 'n1', patientId: 'p1', encounterId: 'e1' };
    expectViolation(mergeNote(input, before, of), fault);
  });
});

test('a note and an encounter that belong to others are reported once', () => {
  const before = { id: 'n1', patientId: 'p1', encounterId: 'e0', title: null, dateOfService: null };
  const encounter = { id: 'e1', patientId: 'p1', noteId: 'n0' };
  const input = { id: 'n1', patientId: 'p1', encounterId: 'e1' };
  expectViolation(mergeNote(input, before, encounter), 'note-of-another-encounter at Note.encounterId');
});

test('a note keeps its title and its date if they are not sent again', () => {
  const sent = { id: 'n1', patientId: 'p1', title: 'Visit', dateOfService: '2026-01-02' };
  const before = rightOf(mergeNote(sent, null, null)).note;
  expect(before).toEqual({ ...sent, encounterId: null });
  expect(rightOf(mergeNote({ id: 'n1', patientId: 'p1' }, before, null)).note).toEqual(before);
  expect(rightOf(mergeNote({ ...sent, title: 'Call' }, before, null)).note.title).toBe('Call');
});

test('a note keeps the list of its immunizations until it has an encounter', () => {
  const input = { id: 'n1', patientId: 'p1' };
  const listed = { ...rightOf(mergeNote(input, null, null)).note, immunizationIds: ['i1'] };
  expect(rightOf(mergeNote(input, listed, null)).note).toEqual(listed);
  const encounter = { id: 'e1', patientId: 'p1', noteId: null };
  const linked = rightOf(mergeNote({ ...input, encounterId: 'e1' }, listed, encounter)).note;
  expect(linked).toMatchObject({ encounterId: 'e1' });
  expect(linked).not.toHaveProperty('immunizationIds');
});
