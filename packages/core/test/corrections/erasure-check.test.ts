import { expect, test } from 'vitest';
import { correctionRecordDefinition } from '../../src/records/correction.ts';
import { erasedState, type FeedEntry } from '../../src/store.ts';
import { createErasureCheck } from '../../src/verify/checks.ts';

const erased = { type: 'Goal', id: 'walk', version: 1, state: erasedState('0'.repeat(64)), resource: null };
const correction = (kind: string) => ({
  ...{ type: correctionRecordDefinition.type, id: 'c', version: 1, state: '{}' },
  resource: JSON.stringify({ kind, records: [{ type: 'Goal', id: 'walk', version: 2 }] }),
});

test.each([
  ['erasure', 0],
  ['move', 1],
  ['merge', 1],
])('an erased version that only a correction of the kind %s names: discrepancies: %i', (kind, count) => {
  const check = createErasureCheck();
  check.take([erased, correction(kind)] as unknown as readonly FeedEntry[]);
  expect(check.unexplained()).toHaveLength(count);
});
