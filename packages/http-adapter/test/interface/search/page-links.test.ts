import { describe, expect, test } from 'vitest';
import { goal } from '../../builders.ts';
import type { ParsedResponse } from '../../clinic.ts';
import { idsOf, linkOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

/** The goals on the pages of two that there are, by how many goals there are. */
const pages = {
  0: [[]],
  1: [['g-1']],
  2: [['g-1', 'g-2']],
  3: [['g-1', 'g-2'], ['g-3']],
  4: [
    ['g-1', 'g-2'],
    ['g-3', 'g-4'],
  ],
  5: [['g-1', 'g-2'], ['g-3', 'g-4'], ['g-5']],
} as const;

const relations = ['self', 'first', 'next', 'last'] as const;

onEveryStore('Paging', (clinic) => {
  const get = (path: string) => clinic().get(`/${path}`);
  const record = async (count: number) => {
    for (let each = 1; each <= count; each += 1) await clinic().record(goal({ id: `g-${each}` }));
  };
  /** The matches at each of the links of a page. */
  const behind = async (answer: ParsedResponse) => {
    const found: Record<string, readonly string[]> = {};
    for (const relation of relations) {
      const url = linkOf(answer, relation);
      if (url !== undefined) found[relation] = idsOf(await get(url));
    }
    return found;
  };

  test('Sample links use `_count=10` and `_offset=0`: so do those of a search without paging parameters', async () => {
    await record(1);
    const answer = await get('Goal');
    for (const relation of ['self', 'first', 'last']) {
      expect(linkOf(answer, relation)).toBe('Goal?_count=10&_offset=0');
    }
  });

  describe('the link array of the result carries self, first and last links (and next when applicable): each leads to its page', () => {
    test.each(Object.entries(pages))('of %s', async (count, ids) => {
      await record(Number(count));
      for (const [index, page] of ids.entries()) {
        const [next] = ids.slice(index + 1);
        expect(await behind(await get(`Goal?_count=2&_offset=${2 * index}`))).toEqual({
          self: page,
          first: ids[0],
          ...(next !== undefined && { next }),
          last: ids.at(-1),
        });
      }
    });
  });
});
