import { expect, test } from 'vitest';
import { findLostElements } from '../../src/importer/import-report.ts';

const find = (sent: object, stored: object | null) => findLostElements(sent, stored, 'Goal');

test('an element that is stored as it was sent is not lost, whatever was added', () => {
  const sent = { id: 'g', subject: { reference: 'Patient/7' }, note: [{ text: 'x' }], target: [] };
  const stored = {
    id: 'g',
    subject: { reference: 'Patient/7', type: 'Patient' },
    note: [{ id: '1', text: 'x' }],
  };
  expect(find(sent, stored)).toEqual([]);
});

test('a time with full precision is the same time', () => {
  expect(find({ at: '2026-01-02T03:04:05Z' }, { at: '2026-01-02T03:04:05.000+00:00' })).toEqual([]);
  expect(find({ at: '2026-01-02T03:04:05Z' }, { at: '2026-01-02T03:04:06.000+00:00' })).toEqual(['Goal.at']);
});

test('an element that is missing or has another value is lost, at its smallest part', () => {
  const sent = {
    meta: { versionId: '1', tag: [] },
    description: { text: 'Walk', coding: [{ code: '1' }] },
    status: 'a',
  };
  expect(find(sent, { description: { text: 'Walk' }, status: 'b' })).toEqual([
    'Goal.meta',
    'Goal.description.coding',
    'Goal.status',
  ]);
});

test('each value of an array is counted, and compared with the stored value that has most of it', () => {
  const sent = { note: [{ text: 'a' }, { text: 'b' }, { text: 'c', time: '2026' }] };
  expect(find(sent, { note: [{ text: 'b' }] })).toEqual(['Goal.note', 'Goal.note']);
  expect(find(sent, { note: [{ text: 'c' }, { text: 'b' }] })).toEqual(['Goal.note', 'Goal.note.time']);
  expect(find(sent, { note: [{ text: 'a' }, { text: 'b' }, { text: 'c' }] })).toEqual(['Goal.note.time']);
  expect(find(sent, {})).toEqual(['Goal.note', 'Goal.note', 'Goal.note']);
});

test('a value of a very long array is compared with the stored value at its index', () => {
  const note = Array.from({ length: 200 }, (_, at) => ({ text: `${at}` }));
  const sent = { note: note.map((one) => ({ ...one, time: '2026' })) };
  expect(new Set(find(sent, { note }))).toEqual(new Set(['Goal.note.time']));
  expect(new Set(find(sent, { note: note.toReversed() }))).toEqual(new Set(['Goal.note']));
});

test('a name that FHIR cannot have is not repeated', () => {
  expect(find({ 'a\nb': 1, _status: {} }, {})).toEqual(['Goal', 'Goal._status']);
});

test('a value may be nested as deep as its sender likes', () => {
  let deep: unknown[] = [];
  for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
  expect(find({ note: deep, status: deep }, { status: 'a' })).toEqual(['Goal.note', 'Goal.status']);
});

test('of a resource that cannot be read, everything is lost', () => {
  expect(find({ id: 'g' }, null)).toEqual(['Goal']);
});

test('a code system of HL7 under its earlier URL is the same one', () => {
  const coding = (system: string) => ({ coding: [{ system, code: 'achieved' }] });
  const stored = coding('http://terminology.hl7.org/CodeSystem/goal-achievement');
  expect(find(coding('http://hl7.org/fhir/goal-achievement'), stored)).toEqual([]);
  expect(find(coding('http://hl7.org/fhir/goal-priority'), stored)).toEqual(['Goal.coding.system']);
});

test.each(Object.getOwnPropertyNames(Object.prototype))(
  'a property with the name %s, which objects inherit, is lost as any other',
  (name) => {
    const value = JSON.parse(`{"${name}": {}}`) as object;
    expect(find(value, {})).toHaveLength(1);
    expect(find({ code: [value] }, { code: [{}] })).toHaveLength(1);
  },
);
