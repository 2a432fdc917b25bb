import { expect, test } from 'vitest';
import { conceptName } from '../src/model/names.ts';

const code = '24627-2';

test.each([
  ['the display', { coding: [{ code, display: 'CT Chest' }], text: 'Chest' }, 'CT Chest'],
  ['the text where there is no display', { coding: [{ code }], text: 'Chest' }, 'Chest'],
  ['the code where there is nothing else', { coding: [{ code }] }, '24627-2'],
  ['nothing where there is no concept', undefined, ''],
])('a concept is shown by %s', (_by, concept, shown) => {
  expect(conceptName(concept)).toBe(shown);
});
