import { expect, test } from 'vitest';
import { lazily, once, onceFor } from '../src/lazy.ts';

/** An object with lazy properties, and the names that were made. */
const create = () => {
  const made: string[] = [];
  const make = (name: string) => {
    made.push(name);
    return { name };
  };
  const object = lazily<{ readonly a: object; readonly b: object }>(['a', 'b'], make);
  return { made, object };
};

test('a lazy property is made when it is first read, and once', () => {
  const { made, object } = create();
  expect(made).toEqual([]);
  expect(object.b).toBe(object.b);
  expect(made).toEqual(['b']);
});

test('a copy, an object that inherits and a frozen one have the properties, too', () => {
  expect({ ...create().object }).toEqual({ a: { name: 'a' }, b: { name: 'b' } });
  expect(Object.keys(create().object)).toEqual(['a', 'b']);
  expect(Object.create(create().object).a).toEqual({ name: 'a' });
  expect(Object.freeze(create().object).a).toEqual({ name: 'a' });
});

test('a value is made once, and once for each key', () => {
  let calls = 0;
  const make = once(() => ({ calls: ++calls }));
  expect([make(), make(), calls]).toEqual([{ calls: 1 }, { calls: 1 }, 1]);
  const makeFor = onceFor((key: string) => `${key} ${++calls}`);
  expect([makeFor('a'), makeFor('b'), makeFor('a')]).toEqual(['a 2', 'b 3', 'a 2']);
});
