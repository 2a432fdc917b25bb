import type { Goal, Immunization, ServiceRequest } from '@clinical-records/core';
import { afterEach, expect, test, vi } from 'vitest';
import { sortGoals, timingOf } from '../src/model/goals.ts';
import { groupByVaccine } from '../src/model/immunization/vaccines.ts';
import { groupOrders, keepPlaces, overdueOrder, sortOrders } from '../src/model/orders.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const now = new Date(2026, 10, 23, 12).getTime();

const goal = (id: string, lifecycleStatus: Goal['lifecycleStatus'], dueDate?: string): Goal =>
  ({ id, lifecycleStatus, ...(dueDate !== undefined && { target: [{ dueDate }] }) }) as unknown as Goal;

test.each([
  [goal('1', 'active', '2026-11-23'), 'open', 'due today'],
  [goal('1', 'active', '2026-12-05'), 'open', 'due in 12 days'],
  [goal('1', 'active', '2026-11-22'), 'overdue', 'overdue by 1 day'],
  [goal('1', 'active', '2026-11'), 'open', 'due in 7 days'],
  [goal('1', 'active', '2026'), 'open', 'due in 38 days'],
  [goal('1', 'active', '2026-10'), 'overdue', 'overdue by 23 days'],
  [goal('1', 'active'), 'open', 'no due date'],
  [goal('1', 'completed', '2026-01-01'), 'closed', 'closed'],
  [goal('1', 'entered-in-error', '2026-01-01'), 'in-error', 'entered in error'],
])('%o is %s: %s', (one, state, text) => {
  expect(timingOf(one, now)).toEqual({ state, text });
});

test.each([
  ['America/New_York', '2026-11-24T01:00:00Z', 'due today'],
  ['Asia/Tokyo', '2026-11-23T16:00:00Z', 'overdue by 1 day'],
])('a goal is due until the end of the day in %s', (zone, at, text) => {
  vi.stubEnv('TZ', zone);
  expect(timingOf(goal('1', 'active', '2026-11-23'), Date.parse(at)).text).toBe(text);
});

test('overdue goals are first, then open ones by their due date, then closed ones', () => {
  const goals = [
    goal('error', 'entered-in-error'),
    goal('closed', 'completed'),
    goal('open', 'active'),
    goal('later', 'active', '2027'),
    goal('sooner', 'active', '2027-01-31'),
    goal('overdue', 'active', '2026-01-01'),
  ];
  expect(sortGoals(goals, now).map(({ id }) => id)).toEqual([
    ...['overdue', 'sooner', 'later', 'open', 'closed', 'error'],
  ]);
});

const order = (
  id: string,
  status: ServiceRequest['status'],
  {
    code = '108252007',
    ...facts
  }: {
    readonly code?: string;
    readonly authoredOn?: string;
    readonly priority?: string;
    readonly occurrencePeriod?: object;
  } = {},
): ServiceRequest =>
  ({
    ...{ id, category: [{ coding: [{ code }] }], status, authoredOn: '2026-01-01', ...facts },
  }) as unknown as ServiceRequest;

test('the latest order is first, whatever its offset, and what is under way before what is done', () => {
  const sorted = sortOrders(
    [
      order('done', 'completed', { authoredOn: '2026-04-01T00:00:00.000+00:00' }),
      order('earlier', 'active', { authoredOn: '2026-03-02T00:30:00.000+00:00' }),
      order('later', 'active', { authoredOn: '2026-03-01T23:00:00.000-05:00' }),
    ],
    now,
  );
  expect(sorted.map(({ id }) => id)).toEqual(['later', 'earlier', 'done']);
});

test('the most urgent order is first, unless it is done', () => {
  const sorted = sortOrders(
    [
      order('routine', 'active'),
      order('stat', 'active', { priority: 'stat', authoredOn: '2025-01-01' }),
      order('done', 'completed', { priority: 'stat', authoredOn: '2025-01-01' }),
      order('done later', 'completed'),
    ],
    now,
  );
  expect(sorted.map(({ id }) => id)).toEqual(['stat', 'routine', 'done later', 'done']);
});

test.each([
  [{ status: 'active', occurrencePeriod: { end: '2026-11-22' } }, 'overdue by 1 day'],
  [{ status: 'active', occurrencePeriod: { end: '2026-11-23' } }, ''],
  [{ status: 'active', occurrencePeriod: { end: '2025-07-01T10:00:00Z' } }, 'overdue by 16 months'],
  [{ status: 'active', occurrencePeriod: { start: '2026-01-01' } }, ''],
  [{ status: 'active' }, ''],
  [{ status: 'completed', occurrencePeriod: { end: '2026-01-01' } }, ''],
] as const)('an order that is %j is past its period: “%s”', (one, text) => {
  expect(overdueOrder(one, now)).toBe(text);
});

test('an order past its period is before the others, and after those that are more urgent', () => {
  const past = { occurrencePeriod: { end: '2026-01-01' } };
  const sorted = sortOrders(
    [
      order('later', 'active', { authoredOn: '2026-06-01' }),
      order('overdue', 'active', past),
      order('stat', 'active', { priority: 'stat' }),
    ],
    now,
  );
  expect(sorted.map(({ id }) => id)).toEqual(['stat', 'overdue', 'later']);
});

test('orders are grouped by category, in their order, and those in error at the end', () => {
  const groups = groupOrders([
    order('3', 'active'),
    order('1', 'completed'),
    order('error', 'entered-in-error', { code: '363679005' }),
    order('2', 'active', { code: '363679005' }),
  ]);
  expect(groups.map(({ label, orders }) => [label, orders.map(({ id }) => id)])).toEqual([
    ['Imaging', ['2']],
    ['Laboratory', ['3', '1']],
    ['Entered in error', ['error']],
  ]);
});

test('doses are grouped by vaccine, the latest first, and those in error at the end', () => {
  const dose = (id: string, code: string, occurrenceDateTime: string, status = 'completed') =>
    ({
      id,
      occurrenceDateTime,
      status,
      vaccineCode: { coding: [{ system: 'cvx', code, display: `V${code}` }] },
    }) as unknown as Immunization;
  const groups = groupByVaccine([
    dose('1', 'A', '1998'),
    dose('2', 'B', '2019-05'),
    dose('3', 'A', '2021-01-01'),
    dose('4', 'A', '2025', 'entered-in-error'),
    dose('5', 'C', '2026', 'entered-in-error'),
  ]);
  expect(groups.map(({ name, doses, isInError }) => [name, isInError, doses.map(({ id }) => id)])).toEqual([
    ['VA', false, ['3', '1', '4']],
    ['VB', false, ['2']],
    ['VC', true, ['5']],
  ]);
});

test('an order that is completed keeps its place, and a new one comes first', () => {
  const before = [order('a', 'active'), order('b', 'active'), order('c', 'active')];
  const sorted = sortOrders([order('new', 'active'), order('a', 'completed'), ...before.slice(1)], now);
  expect(sorted.map(({ id }) => id).at(-1)).toBe('a');
  expect(keepPlaces(sorted, ['a', 'b', 'c']).map(({ id }) => id)).toEqual(['new', 'a', 'b', 'c']);
});
