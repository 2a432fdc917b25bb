import { expect, test } from 'vitest';
import { correctionRecordDefinition } from '../../src/records/correction.ts';
import { countedPosition, erasedState, type FeedEntry } from '../../src/store.ts';
import { createErasureCheck } from '../../src/verify/checks.ts';

/** The first version of a record in the feed. */
const entry = (changed: Pick<FeedEntry, 'type' | 'id' | 'state' | 'resource'>): FeedEntry => ({
  ...{ version: 1, patientId: 'amy', at: 1, by: null, position: countedPosition(1), digest: '' },
  ...changed,
});

const erased = entry({ type: 'Goal', id: 'walk', state: erasedState('0'.repeat(64)), resource: null });
const correction = (kind: string) =>
  entry({
    ...{ type: correctionRecordDefinition.type, id: 'c', state: '{}' },
    resource: JSON.stringify({ kind, records: [{ type: 'Goal', id: 'walk', version: 2 }] }),
  });

test.each([
  ['erasure', 0],
  ['move', 1],
  ['merge', 1],
])('an erased version that only a correction of the kind %s names: discrepancies: %i', (kind, count) => {
  const check = createErasureCheck();
  check.take([erased, correction(kind)]);
  expect(check.unexplained()).toHaveLength(count);
});
