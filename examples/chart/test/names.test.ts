import { expect, test } from 'vitest';
import { conceptName } from '../src/model/names.ts';

const code = '24627-2';

test.each([
  ['the display', { coding: [{ code, display: 'CT Chest' }], text: 'Chest' }, 'CT Chest'],
  ['the text if the display is missing', { coding: [{ code }], text: 'Chest' }, 'Chest'],
  ['the code where there is nothing else', { coding: [{ code }] }, '24627-2'],
  ['nothing without a concept', undefined, ''],
])('a concept is shown by %s', (_by, concept, shown) => {
  expect(conceptName(concept)).toBe(shown);
});
