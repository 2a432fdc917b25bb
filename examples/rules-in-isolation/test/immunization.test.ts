import {
  deriveImmunization,
  formatComment,
  type ImmunizationRecord,
  placeInNote,
} from '@clinical-records/core/rules';
import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';

const extensionBase = 'https://clinic.example/fhir/extensions';
const at = Date.parse('2026-03-01T09:30:00Z');
const newId = () => 'new-note';

const patient = { patientId: '7', isPatientKnown: true, note: undefined, encounter: undefined };
const visit = { id: 'visit-1', patientId: '7', noteId: null };

const record: ImmunizationRecord = {
  id: 'shot',
  patientId: '7',
  commands: [
    {
      body: {
        kind: 'immunizationStatement',
        status: 'completed',
        vaccineCode: { coding: [{ system: 'unstructured', code: 'Yellow fever' }] },
        occurrenceDateTime: '2019-07',
        noteId: 'note-1',
        encounterId: null,
      },
      stagedAt: at,
      committed: { at, by: 'Practitioner/12', order: 0 },
    },
  ],
};

test('an immunization statement was administered elsewhere', () => {
  expect(deriveImmunization(extensionBase)(record)).toMatchObject({
    status: 'completed',
    primarySource: false,
    extension: [{ valueId: 'note-1' }],
  });
});

test('a command without a note and without an encounter goes into a Data Import note', () => {
  expect(placeInNote(patient, { newId, at })).toMatchObject({
    right: { isNew: true, note: { id: 'new-note', title: 'Data Import' } },
  });
});

test('a command with an encounter that has no note gets a new note of that encounter', () => {
  expect(placeInNote({ ...patient, encounter: visit }, { newId, at })).toMatchObject({
    right: { isNew: true, note: { id: 'new-note', encounterId: 'visit-1' } },
  });
});

test('an encounter of another patient is refused', () => {
  const placed = placeInNote({ ...patient, encounter: { ...visit, patientId: '8' } }, { newId, at });
  expect(E.isLeft(placed) && placed.left.map(({ rule }) => rule)).toEqual(['encounter-of-another-patient']);
});

test('several notes are one comment, a line each', () => {
  expect(formatComment([{ text: 'Left arm.' }, { text: 'No fever.' }])).toBe('Left arm.\nNo fever.');
});
