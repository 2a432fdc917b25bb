import { expect, test } from 'vitest';
import { createElementStorer, toStoredElement } from '../../src/fhir/stored-element.ts';
import { immunizationElements } from '../../src/immunization/model.ts';

const store = createElementStorer<object>(immunizationElements);

test('a value without the elements of the group stores nothing of it', () => {
  expect(store({ status: 'completed', lotNumber: undefined, reaction: [] })).toBeUndefined();
});

test('the elements of the group are stored, and nothing else', () => {
  expect(store({ status: 'completed', lotNumber: 'L1' })).toEqual({ lotNumber: 'L1' });
});

test('an empty array is not stored, however deep it is', () => {
  const sent = { concept: { coding: [], text: 'x' }, list: [{ days: [], name: 'a' }] };
  expect(toStoredElement(sent)).toEqual({ concept: { text: 'x' }, list: [{ name: 'a' }] });
});

test('a reference is stored with its type', () => {
  const sent = [{ actor: { reference: 'Practitioner/1', display: 'Ada' } }, { actor: { display: 'Bob' } }];
  expect(toStoredElement(sent)).toEqual([
    { actor: { reference: 'Practitioner/1', type: 'Practitioner', display: 'Ada' } },
    { actor: { display: 'Bob' } },
  ]);
});

test('one that is read and sent again is stored as the same text', () => {
  const stored = toStoredElement({ reference: 'Practitioner/1', display: 'Ada' });
  const sent = { reference: 'Practitioner/1', type: 'Practitioner', display: 'Ada' };
  expect(JSON.stringify(stored)).toBe(JSON.stringify(toStoredElement(sent)));
});

test('a URL that is named `reference` gets no type', () => {
  const education = { reference: 'https://clinic.example/leaflet' };
  expect(toStoredElement(education)).toEqual(education);
});
