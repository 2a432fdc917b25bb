import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test, vi } from 'vitest';
import { useTypes } from './your-types.ts';

test('the records of the page create an allergy, and search conditions', async () => {
  const show = vi.fn();
  await useTypes(createMemoryStore(), show);
  expect(show).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ resourceType: 'AllergyIntolerance' }),
    0,
  );
});
