import { expect, test } from 'vitest';
import { createBroadSearchQueue, createSlots } from '../../src/store/slots.ts';

/** Work that ends by a call of `end`, and a list of the work that has begun. */
const createWork = () => {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (number: number) => async () => {
    begun.push(number);
    await new Promise<void>((resolve) => {
      ends[number] = resolve;
    });
    return number;
  };
  return { begun, work, end: (number: number) => ends[number]?.() };
};

test('work beyond the slots begins in the order in which it came, as slots become free', async () => {
  const { begun, work, end } = createWork();
  const inSlot = createSlots(2);
  const [first, second, third, fourth] = [0, 1, 2, 3].map((number) => inSlot(work(number)));
  expect(begun).toEqual([0, 1]);
  end(1);
  await second;
  expect(begun).toEqual([0, 1, 2]);
  end(0);
  await first;
  expect(begun).toEqual([0, 1, 2, 3]);
  end(2);
  end(3);
  expect(await Promise.all([third, fourth])).toEqual([2, 3]);
});

test('work that fails leaves its slot', async () => {
  const inSlot = createSlots(1);
  const failure = new Error('The work has failed.');
  await expect(inSlot(() => Promise.reject(failure))).rejects.toBe(failure);
  expect(await inSlot(async () => 'done')).toBe('done');
});

test('a broad search waits behind 4 others, and is Busy behind 32 that wait', async () => {
  const { begun, work, end } = createWork();
  const inQueue = createBroadSearchQueue();
  const searches = Array.from({ length: 36 }, (_, number) => inQueue(work(number)));
  expect(begun).toEqual([0, 1, 2, 3]);
  expect(await inQueue(work(36))).toMatchObject({ _tag: 'Left', left: { _tag: 'Busy' } });
  end(0);
  expect(await searches[0]).toBe(0);
  const next = inQueue(work(37));
  for (const number of [...searches.keys()].slice(1)) {
    end(number);
    expect(await searches[number]).toBe(number);
  }
  end(37);
  expect(await next).toBe(37);
  expect(begun).not.toContain(36);
});
