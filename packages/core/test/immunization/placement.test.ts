import { describe, expect, test } from 'vitest';
import { utc } from '../../src/fhir/date-time.ts';
import { checkCommand, placeInNote, type ReferencedEntries } from '../../src/immunization/rules.ts';
import { describeIssues, leftOf, rightOf } from '../results.ts';

const made = { newId: () => 'fresh', at: Date.UTC(2026, 0, 2, 3, 4, 5, 678) };
const note = { id: 'n1', patientId: 'p1', encounterId: 'e1', title: 'Visit', dateOfService: '2026-01-01' };
const encounter = { id: 'e1', patientId: 'p1', noteId: 'n1' };
const nothing: ReferencedEntries = {
  patientId: 'p1',
  isPatientKnown: true,
  note: undefined,
  encounter: undefined,
};
const place = (named: Partial<ReferencedEntries>) => placeInNote({ ...nothing, ...named }, made);

describe('send either the note identifier or the encounter reference', () => {
  test('a named note is used', () => {
    expect(rightOf(place({ note }))).toEqual({ note, isNew: false });
    const alone = { ...note, encounterId: null };
    expect(rightOf(place({ note: alone }))).toEqual({ note: alone, isNew: false });
  });

  test('the note of a named encounter is used', () => {
    const { note: found, isNew } = rightOf(place({ encounter }));
    expect([found.id, found.encounterId, isNew]).toEqual(['n1', 'e1', false]);
  });

  test('an encounter without a note gets one', () => {
    expect(rightOf(place({ encounter: { ...encounter, noteId: null } }))).toEqual({
      note: { id: 'fresh', patientId: 'p1', encounterId: 'e1', title: null, dateOfService: null },
      isNew: true,
    });
  });
});

describe('when both are sent, they must refer to the same note', () => {
  test('the same note is accepted', () => {
    expect(rightOf(place({ note, encounter }))).toEqual({ note, isNew: false });
  });

  test.each([
    ['the note is of another encounter', { ...note, encounterId: 'e2' }],
    ['the note is of no encounter', { ...note, encounterId: null }],
  ])('%s', (_what, other) => {
    expect(describeIssues(leftOf(place({ note: other, encounter })))).toEqual([
      'note-and-encounter-differ at noteId',
    ]);
  });
});

test('when neither is sent, the record goes into a Data Import note whose date of service is the time of ingestion', () => {
  expect(rightOf(place({}))).toEqual({
    note: {
      id: 'fresh',
      patientId: 'p1',
      encounterId: null,
      title: 'Data Import',
      dateOfService: '2026-01-02T03:04:05.678+00:00',
    },
    isNew: true,
  });
});

describe('a reference that does not exist or belongs to another patient is a violation', () => {
  test.each<[string, Partial<ReferencedEntries>, string[]]>([
    ['no such patient', { isPatientKnown: false }, ['unknown-patient at patientId']],
    ['no such note', { note: null }, ['unknown-note at noteId']],
    ['no such encounter', { encounter: null }, ['unknown-encounter at encounterId']],
    [
      'a note of another patient, without a report whether it belongs to the encounter',
      { note: { ...note, patientId: 'p2', encounterId: 'e2' }, encounter },
      ['note-of-another-patient at noteId'],
    ],
    ["another patient's note", { note: { ...note, patientId: 'p2' } }, ['note-of-another-patient at noteId']],
    [
      "another patient's encounter",
      { encounter: { ...encounter, patientId: 'p2' } },
      ['encounter-of-another-patient at encounterId'],
    ],
    [
      'all at once: no patient, no note, and an encounter of another patient',
      { isPatientKnown: false, note: null, encounter: { ...encounter, patientId: 'p2' } },
      [
        'encounter-of-another-patient at encounterId',
        'unknown-note at noteId',
        'unknown-patient at patientId',
      ],
    ],
    [
      'all at once: both of another patient, without a report that they differ',
      { note: { ...note, patientId: 'p2', encounterId: 'e2' }, encounter: { ...encounter, patientId: 'p2' } },
      ['encounter-of-another-patient at encounterId', 'note-of-another-patient at noteId'],
    ],
  ])('%s', (_what, named, faults) => {
    expect(describeIssues(leftOf(place(named)))).toEqual(faults);
  });
});

describe('a note without an encounter has at most 200 immunizations', () => {
  const withImmunizations = (count: number) => ({
    ...note,
    encounterId: null,
    immunizationIds: Array.from({ length: count }, (_, nth) => `i${nth}`),
  });

  test('so the 200th is taken, and one more is refused', () => {
    expect(rightOf(place({ note: withImmunizations(199) })).isNew).toBe(false);
    expect(describeIssues(leftOf(place({ note: withImmunizations(200) })))).toEqual(['note-full at noteId']);
  });

  test('the note of an encounter has no such bound', () => {
    const ofEncounter = { ...withImmunizations(200), encounterId: 'e1' };
    expect(rightOf(place({ note: ofEncounter })).note).toEqual(ofEncounter);
  });

  test("another patient's note does not say that it is full", () => {
    expect(describeIssues(leftOf(place({ note: { ...withImmunizations(200), patientId: 'p2' } })))).toEqual([
      'note-of-another-patient at noteId',
    ]);
  });
});

test('a vaccine can be dated two days ahead, and no further', () => {
  const faultsOf = (at: number) => {
    const command = { occurrenceDateTime: '2026-01-04T00:00:00Z', status: 'completed' };
    return checkCommand(command as Parameters<typeof checkCommand>[0], { zone: utc, at }).map(
      ({ rule }) => rule,
    );
  };
  const twoDaysBefore = Date.UTC(2026, 0, 2);
  expect([faultsOf(twoDaysBefore), faultsOf(twoDaysBefore - 1)]).toEqual([[], ['in-the-future']]);
});
