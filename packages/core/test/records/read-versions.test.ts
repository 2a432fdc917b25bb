import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import type { ChartLimit, ReachedCharts } from '../../src/access/chart-limit.ts';
import { toOutcome } from '../../src/outcome.ts';
import { createVersionReader, type PastVersion, type WalkStart } from '../../src/records/past-versions.ts';
import { openReach } from '../../src/records/reach.ts';
import type { ClinicalStore, StoredRecord } from '../../src/store/port.ts';
import { versionsInRange } from '../../src/store/versions.ts';
import { rightOf } from '../results.ts';

/** The versions of a goal that was in Ben's chart before it was moved to Amy's, newest first. */
const versions = ['amy', 'amy', 'ben', 'ben'].map(
  (patientId, at, { length }): StoredRecord => ({
    ...{ type: 'Goal', id: 'g', version: length - at, patientId },
    ...{ state: '{}', resource: '{}', at: 0, by: null },
  }),
);

const history: ClinicalStore['history'] = async (range) => E.right(versionsInRange(versions, range));
const labels = { security: [{ code: 'R' }] };
const readResource: ClinicalStore['readResource'] = async () => {
  const resource = JSON.stringify({ resourceType: 'Goal', id: 'g', meta: labels });
  return E.right({ patientId: 'amy', version: 4, at: 0, resource });
};
const store: Partial<ClinicalStore> = { history, readResource };
const { pages } = createVersionReader({ store: store as ClinicalStore }, { type: 'Goal' });

/** The numbers of the versions that are shown under a limit; null if the resource is not found. */
const shownUnder = async (limit: ChartLimit, start?: WalkStart) => {
  const read = await toOutcome(async () => {
    const shown: PastVersion[] = [];
    const reach = rightOf(openReach(limit));
    for await (const page of pages('g', [{ reach, id: 'g' }], start)) shown.push(...page);
    return shown;
  });
  return E.isLeft(read) ? null : read.right.map(({ version }) => version);
};

const charts = { amy: [4, 3], ben: [2, 1] } as const;

test('the versions of a record that was in another chart are those in the charts that are allowed', async () => {
  const asked: ReachedCharts[] = [];
  const allow = (...within: string[]): ChartLimit => ({
    authorize: async (reached) => {
      asked.push(reached);
      return { within };
    },
  });
  expect(await shownUnder(allow('amy', 'ben'))).toEqual([...charts.amy, ...charts.ben]);
  expect(asked).toEqual([
    { id: 'g', patientIds: ['amy'], labels },
    { id: 'g', patientIds: ['ben'], labels },
  ]);
  expect(await shownUnder(allow('amy'))).toEqual(charts.amy);
  expect(await shownUnder({ within: ['amy'] })).toEqual(charts.amy);
});

test('a record that is in a chart that is not allowed is not found, although it was in another one', async () => {
  expect(await shownUnder({ authorize: async () => ({ within: ['ben'] }) })).toBeNull();
  expect(await shownUnder({ within: ['ben'] })).toBeNull();
  expect(await shownUnder({ authorize: async () => ({ within: [] }) })).toBeNull();
});

test('in pages of any size, from any version on, the same versions are shown, and the newest decides whether any is', async () => {
  for (const first of [1, 2, 3, 500]) {
    for (const before of [undefined, 5, 4, 3, 2, 1]) {
      const start = { first, ...(before !== undefined && { before }) };
      const shown = charts.amy.filter((version) => version < (before ?? 5));
      expect(await shownUnder({ within: 'amy' }, start)).toEqual(shown);
      expect(await shownUnder({ authorize: async () => ({ within: 'amy' }) }, start)).toEqual(shown);
      expect(await shownUnder({ within: 'ben' }, start)).toBeNull();
      expect(await shownUnder({ authorize: async () => ({ within: 'ben' }) }, start)).toBeNull();
    }
  }
});
