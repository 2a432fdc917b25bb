import { expect, test } from 'vitest';
import { createTurnQueue } from '../../src/search/searcher.ts';

test('each turn of the event loop runs one waiting task, in the order of arrival', async () => {
  const nextTurn = createTurnQueue();
  const order: string[] = [];
  const take = async (name: string) => {
    for (const time of [1, 2]) {
      await nextTurn();
      order.push(`${name}${time}`);
    }
  };
  const others = async () => {
    for (let turn = 1; turn < 6; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      order.push('-');
    }
  };
  await Promise.all([take('a'), take('b'), others()]);
  expect(order.join(' ').replaceAll(' -', '-')).toMatch(/^a1-+ b1-+ a2-+ b2-*/);
});
