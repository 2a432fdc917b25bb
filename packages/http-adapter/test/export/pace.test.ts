import { afterEach, expect, test, vi } from 'vitest';
import { createPacer } from '../../src/bindings/connections.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

/** A clock that only work moves on, and work that takes 6 ms after a promise was kept, as that of a handler does. */
const clocked = () => {
  let time = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => time);
  const done: string[] = [];
  const work =
    (name: string, milliseconds = 6) =>
    async () => {
      await null;
      time += milliseconds;
      done.push(name);
    };
  return { done, work };
};

test('requests that take long to begin leave the rest to later turns, in their order', async () => {
  const { done, work } = clocked();
  const { run } = createPacer();
  run(work('a'));
  await null;
  await null;
  for (const name of ['b', 'c', 'd']) run(work(name));
  const turns: string[] = [];
  for (let turn = 0; turn < 5; turn++) {
    turns.push(done.splice(0).join(''));
    await nextTurn();
  }
  expect(turns.filter((names) => names !== '')).toEqual(['a', 'b', 'c', 'd']);
});

test('requests that are begun quickly share a turn', async () => {
  const { done, work } = clocked();
  const { run } = createPacer();
  for (let at = 0; at < 20; at++) run(work(`${at}`, 0.1));
  await null;
  await null;
  expect(done.length).toBe(20);
});
