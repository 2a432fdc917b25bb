import { describe, expect, test } from 'vitest';
import { deriveImmunization, formatComment, formatSignedComment } from '../../src/immunization/record.ts';
import { committed, extensionBase, immunizationBody, inError, recordOf, staged } from '../builders.ts';

const derive = deriveImmunization(extensionBase);
const immunization = (rest: Parameters<typeof immunizationBody>[0] = {}) =>
  derive(recordOf(committed(immunizationBody(rest), 1)));

test('an immunization with all of its elements', () => {
  expect(
    immunization({
      status: 'not-done',
      statusReason: { coding: [{ code: 'PATOBJ', display: 'Patient objection' }] },
      occurrenceDateTime: '2026-01-02T03:04:05Z',
      note: [{ text: 'first' }, { text: 'second' }],
      encounterId: 'e1',
    }),
  ).toEqual({
    resourceType: 'Immunization',
    id: 'r1',
    extension: [{ url: 'https://clinic.example/fhir/note-id', valueId: 'n1' }],
    status: 'not-done',
    statusReason: {
      coding: [
        {
          system: 'http://terminology.hl7.org/CodeSystem/v3-ActReaso',
          code: 'PATOBJ',
          display: 'Patient objection',
        },
      ],
    },
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '207', display: 'COVID-19' }] },
    patient: { reference: 'Patient/p1', type: 'Patient' },
    encounter: { reference: 'Encounter/e1', type: 'Encounter' },
    occurrenceDateTime: '2026-01-02T03:04:05Z',
    primarySource: false,
    note: [{ text: 'first' }, { text: 'second' }],
  });
});

test.each([
  ['no notes', {}],
  ['an empty list of notes', { note: [] }],
])('fields that are absent are omitted: %s', (_what, rest) => {
  expect(Object.keys(immunization(rest) ?? {}).toSorted()).toEqual([
    'extension',
    'id',
    'occurrenceDateTime',
    'patient',
    'primarySource',
    'resourceType',
    'status',
    'vaccineCode',
  ]);
});

test('an Immunize command reads with primarySource: true; a statement with false', () => {
  expect(immunization({ kind: 'immunize' })?.primarySource).toBe(true);
  expect(immunization({ kind: 'immunizationStatement' })?.primarySource).toBe(false);
});

describe('status', () => {
  test('is that of the command', () => {
    expect(immunization({ status: 'completed' })?.status).toBe('completed');
    expect(immunization({ status: 'not-done' })?.status).toBe('not-done');
  });

  test.each(['completed', 'not-done'] as const)(
    'an imported status of %s becomes entered-in-error with the command, and nothing else changes',
    (status) => {
      const command = committed(immunizationBody({ status, note: [{ text: 'x' }] }), 1);
      const was = derive(recordOf(command));
      expect(derive(recordOf(inError(command)))).toEqual({ ...was, status: 'entered-in-error' });
    },
  );

  test('a command that was never committed does not make an immunization', () => {
    expect(derive(recordOf(staged(immunizationBody())))).toBeNull();
    expect(derive(recordOf(inError(staged(immunizationBody()))))).toBeNull();
    expect(derive(recordOf())).toBeNull();
  });
});

describe('the comment of the command is the texts of the notes, one per line', () => {
  test.each([
    [[], ''],
    [['one'], 'one'],
    [['one', 'two'], 'one\ntwo'],
    [['one\ntwo', 'three'], 'one\ntwo\nthree'],
  ])('%j', (texts, comment) => {
    expect(formatComment(texts.map((text) => ({ text })))).toBe(comment);
  });
});

describe('a signed comment has the author and the time before each text, as far as they are known', () => {
  const time = '2026-03-01T09:30:00-05:00';
  const ada = { reference: 'Practitioner/ada', type: 'Practitioner', display: 'Byron, Ada' } as const;
  test.each<[note: Parameters<typeof formatSignedComment>[0], comment: string]>([
    [[], ''],
    [[{ text: 'No fever.' }], 'No fever.'],
    [[{ text: 'No fever.', authorString: 'Her mother', time }], `Her mother, ${time}: No fever.`],
    [[{ text: 'No fever.', authorString: 'Her mother' }], 'Her mother: No fever.'],
    [[{ text: 'No fever.', time }], `${time}: No fever.`],
    [[{ text: 'No fever.', authorReference: ada }], 'Byron, Ada: No fever.'],
    [
      [{ text: 'No fever.', authorReference: { reference: 'RelatedPerson/9', type: 'RelatedPerson' } }],
      'RelatedPerson/9: No fever.',
    ],
    [
      [
        { text: 'No fever.', authorString: 'Her mother' },
        { text: 'Left arm.', authorReference: ada, time },
      ],
      `Her mother: No fever.\nByron, Ada, ${time}: Left arm.`,
    ],
  ])('%j', (note, comment) => {
    expect(formatSignedComment(note)).toBe(comment);
  });
});
