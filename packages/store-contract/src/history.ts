import { expect } from 'vitest';
import { change, resultOf, versionOf, write } from './builders.ts';
import type { TestTopic } from './test-topic.ts';

export const history: TestTopic = (test) => {
  test('the history shows every version, newest first, with its author, time, state and resource', async (store) => {
    const versions = [
      change({ at: 10, by: 'Practitioner/1', state: '{"v":1}', resource: null }),
      change({ at: 20, by: null, state: '{"v":2}', resource: '{"r":2}' }),
      change({ at: 15, by: 'Practitioner/2', state: '{"v":3}', resource: '{"r":3}', patientId: null }),
      change({ at: 30, by: 'Practitioner/1', state: '{"v":4}', resource: null }),
    ];
    await write(store, ...versions);
    expect(await resultOf(store.history(change()))).toEqual(
      versions.map((written, index) => versionOf(written, index + 1)).toReversed(),
    );
  });

  test('the history of a record that does not exist is empty', async (store) => {
    await write(store, change({ id: 'b' }), change({ type: 'Goal' }));
    expect(await resultOf(store.history(change()))).toEqual([]);
  });

  test('the history has the versions of only one record', async (store) => {
    await write(
      store,
      change({ id: 'b' }),
      change(),
      change({ type: 'Goal' }),
      change({ id: 'b' }),
      change(),
    );
    expect(await resultOf(store.history(change()))).toEqual([versionOf(change(), 2), versionOf(change(), 1)]);
  });

  test('the history is the same each time it is read', async (store) => {
    await write(store, change({ at: 1 }), change({ at: 2 }), change({ at: 3 }));
    const read = () => resultOf(store.history(change()));
    expect(await read()).toEqual(await read());
    expect((await resultOf(store.read(change())))?.version).toBe(3);
  });
};
