import { describe, expect, it } from 'vitest';
import { createBoundedCache } from '../../src/statement.ts';

/** A cache, and what it made so far. */
const recorded = (capacity: number) => {
  const made: string[] = [];
  const cache = createBoundedCache<string>(capacity);
  const ask = (key: string) =>
    cache.get(key, () => {
      made.push(key);
      return key;
    });
  return { ask, made, clear: cache.clear };
};

describe('A bounded cache', () => {
  it('creates each value once', () => {
    const { ask, made } = recorded(2);
    expect([ask('a'), ask('b'), ask('a'), ask('b')]).toEqual(['a', 'b', 'a', 'b']);
    expect(made).toEqual(['a', 'b']);
  });

  it('remembers as many of the last requested values as its capacity', () => {
    const { ask, made } = recorded(3);
    for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'e', 'a', 'f', 'a']) ask(key);
    expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('forgets a value that was not requested while twice as many were', () => {
    const { ask, made } = recorded(2);
    for (const key of ['a', 'b', 'c', 'd', 'e', 'a']) ask(key);
    expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'a']);
  });

  it('forgets everything on request', () => {
    const { ask, made, clear } = recorded(1);
    for (const key of ['a', 'b']) ask(key);
    clear();
    for (const key of ['a', 'b']) ask(key);
    expect(made).toEqual(['a', 'b', 'a', 'b']);
  });
});
