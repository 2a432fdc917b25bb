import { expect, test } from 'vitest';
import type { ChartLimit, ReachedCharts } from '../../src/access/chart-limit.ts';
import { createTimeZone } from '../../src/fhir/date-time.ts';
import { isWithinLimit, limitedTo, openReach, type Reach } from '../../src/records/reach.ts';
import { refusal, rightOf } from '../results.ts';

const orders = {
  facts: {
    type: 'ServiceRequest',
    parameters: { status: { kind: 'token', at: 'status', codes: ['active', 'draft'] } },
  },
  zone: createTimeZone('UTC'),
  now: () => 0,
} as const;

const active = { matching: [new URLSearchParams('status=active')] };

const admitted = (limit: ChartLimit, ...ids: readonly (string | null)[]) =>
  ids.filter(rightOf(openReach(limit)).admits);

const onPatients = (...anyOf: string[]) => [{ on: 'patient', anyOf } as const];

const limited = (reach: Reach, ...ids: string[]) => reach.limit(onPatients(...ids));

test('a caller without a limit reaches every chart', () => {
  expect(admitted({}, 'p1', null)).toEqual(['p1', null]);
  expect(rightOf(openReach({}))).toMatchObject({ isLimited: false, asks: false, patientIds: null });
});

test('a caller who is limited to one chart reaches only that chart, and nothing outside of charts', () => {
  expect(admitted({ within: 'p1' }, 'p1', 'p2', null)).toEqual(['p1']);
});

test('a caller who is limited to several charts reaches each of them, and to none, none', () => {
  expect(admitted({ within: ['p1', 'p2'] }, 'p1', 'p2', 'p3', null)).toEqual(['p1', 'p2']);
  expect(admitted({ within: [] }, 'p1', null)).toEqual([]);
});

test('the limit counts as it was at the call', async () => {
  const within = ['p1'];
  const options: { within: string[]; authorize?: () => Promise<ChartLimit> } = { within };
  const reach = rightOf(openReach(options));
  within.push('p2');
  options.authorize = async () => ({ within: [] });
  expect(reach.admits('p2')).toBe(false);
  expect(await reach.allows('p1', { id: null })).toBe(true);
});

test('a search within the limit is limited to its charts, and one for another chart is refused', () => {
  const reach = rightOf(openReach({ within: ['p1', 'p2'] }));
  expect(rightOf(limited(reach, 'p1'))).toEqual([
    { on: 'patient', anyOf: ['p1'] },
    { on: 'patient', anyOf: ['p1', 'p2'] },
  ]);
  expect(refusal(limited(reach, 'p1', 'p3'))).toEqual(['Forbidden', 'other-chart']);
});

test('a limit to resources is refused where only charts are known, and parsed where the type is', () => {
  expect(refusal(openReach({ within: 'p1', ...active }))).toEqual(['Forbidden', 'other-chart']);
  const reach = rightOf(openReach({ within: 'p1', ...active }, orders));
  expect(reach.limitsResources).toBe(true);
  expect(['p1', 'p2'].filter(reach.admits)).toEqual(['p1']);
  expect(refusal(openReach({ matching: [new URLSearchParams('kind=active')] }, orders))[0]).toBe(
    'InvalidRequest',
  );
});

test('the host is asked only about what is within the limit, with the labels of the resource', async () => {
  const asked: ReachedCharts[] = [];
  const authorize = async (reached: ReachedCharts) => {
    asked.push(reached);
    return { within: 'p1' };
  };
  const reach = rightOf(openReach({ within: ['p1', 'p2'], authorize }, orders));
  const tag = [{ code: 'vip' }];
  const resource = JSON.stringify({ resourceType: 'ServiceRequest', id: 'a', meta: { tag } });
  const shown = ['p1', 'p2', 'p3'].map((patientId) => reach.shows({ id: 'a', patientId, resource }));
  expect(await Promise.all(shown)).toEqual([true, false, false]);
  expect(asked).toEqual([
    { id: 'a', patientIds: ['p1'], labels: { tag } },
    { id: 'a', patientIds: ['p2'], labels: { tag } },
  ]);
});

test('a search is limited to the charts that the host allows, and one that can find nobody is not asked about', async () => {
  const asked: ReachedCharts[] = [];
  const authorize = async (reached: ReachedCharts) => {
    asked.push(reached);
    return { within: 'p1' };
  };
  const reach = rightOf(openReach({ authorize }));
  expect(await reach.authorized(onPatients('p1', 'p2'))).toEqual(onPatients('p1'));
  expect(await reach.authorized(onPatients())).toEqual(onPatients());
  expect(asked.map(({ patientIds }) => patientIds)).toEqual([['p1', 'p2']]);
});

test('a resource is within a limit if each of its charts is, and at least one of them is known', () => {
  const some = { within: ['p1', 'p2'] };
  expect([['p1'], ['p1', 'p2'], ['p1', 'p3'], []].map((ids) => isWithinLimit(some, ids))).toEqual([
    ...[true, true, false, false],
  ]);
  expect(isWithinLimit({}, [])).toBe(true);
});

test.each([undefined, null, '', '7 ', 'Patient/7', 7, [7], ['7', ''], true])(
  'a caller who is limited to an invalid patient, such as by a session without one, reaches no chart: %j',
  (within) => {
    const nobody = { within } as object;
    expect(limitedTo(nobody)).toBeNull();
    expect(refusal(openReach(nobody))).toEqual(['Forbidden', 'other-chart']);
    expect(refusal(openReach(nobody, orders))).toEqual(['Forbidden', 'other-chart']);
  },
);
