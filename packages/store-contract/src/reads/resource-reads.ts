import { expect } from 'vitest';
import { change, resultOf, write } from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

export const resourceReads: TestTopic = (test) => {
  test('readResource returns the current resource with its patient, version and time, and no more', async (store) => {
    await write(store, change(), change({ type: 'Goal', patientId: 'patient-2' }));
    await write(store, change({ at: 9, by: null, patientId: null, state: '{"v":2}', resource: '{"r":2}' }));
    expect(await resultOf(store.readResource(change()))).toEqual({
      patientId: null,
      version: 2,
      at: 9,
      resource: '{"r":2}',
    });
  });

  test('readResource returns null for a record that is absent, or has no resource at the moment', async (store) => {
    expect(await resultOf(store.readResource(change()))).toBeNull();
    await write(store, change({ resource: null }));
    expect(await resultOf(store.readResource(change()))).toBeNull();
    await write(store, change());
    expect((await resultOf(store.readResource(change())))?.version).toBe(2);
    await write(store, change({ resource: null }));
    expect(await resultOf(store.readResource(change()))).toBeNull();
  });
};
