import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import type { ChartLimit, ReachedCharts } from '../../src/records/chart-limit.ts';
import { createReadVersions } from '../../src/records/history.ts';
import type { ClinicalStore, StoredRecord } from '../../src/store/port.ts';

/** The versions of a goal that was in Ben's chart before it was moved to Amy's, newest first. */
const versions = ['amy', 'amy', 'ben', 'ben'].map(
  (patientId, at, { length }): StoredRecord => ({
    ...{ type: 'Goal', id: 'g', version: length - at, patientId },
    ...{ state: '{}', resource: '{}', at: 0, by: null },
  }),
);

const history: ClinicalStore['history'] = async () => E.right(versions);
const readVersions = createReadVersions({ history } as Partial<ClinicalStore> as ClinicalStore, 'Goal');

/** The numbers of the versions that are shown under a limit; null if the resource is not found. */
const shownUnder = async (limit: ChartLimit) => {
  const read = await readVersions('g', limit);
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
    { id: 'g', patientIds: ['amy'] },
    { id: 'g', patientIds: ['ben'] },
  ]);
  expect(await shownUnder(allow('amy'))).toEqual(charts.amy);
  expect(await shownUnder({ within: ['amy'] })).toEqual(charts.amy);
});

test('a record that is in a chart that is not allowed is not found, although it was in another one', async () => {
  expect(await shownUnder({ authorize: async () => ({ within: ['ben'] }) })).toBeNull();
  expect(await shownUnder({ within: ['ben'] })).toBeNull();
  expect(await shownUnder({ authorize: async () => ({ within: [] }) })).toBeNull();
});
