import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import {
  findIncluded,
  type Include,
  type IncludeTable,
  includeParameters,
  requestedIncludes,
} from '../../src/records/include.ts';
import { refusal, rightOf } from '../results.ts';

const include = (type: string, ...ids: readonly string[]): Include => ({
  types: [type],
  leadingTo: (target) => include(target, ...ids),
  find: async (matches) =>
    E.right([...ids, ...matches.map(({ id }) => id)].map((id) => ({ type, id, json: '{}' }))),
});

const patients = include('Patient', '7');
const teams = include('CareTeam', '7', '8');
const table: IncludeTable = {
  _include: { 'CareTeam:patient': patients },
  _revinclude: { 'CareTeam:part-of': teams },
};
const requested = (values: Readonly<Record<string, readonly string[]>>, allowed = ['Patient', 'CareTeam']) =>
  requestedIncludes(table, { results: new Map(Object.entries(values)) }, (type) =>
    allowed.includes(type) ? {} : null,
  );

const matches = [{ id: '7', version: 1, at: 0, resource: '{}' }] as const;

test('the parameters of a table are its names, with the values that it has includes for', () => {
  expect(includeParameters(table)).toEqual({
    _include: { kind: 'include', values: ['CareTeam:patient'] },
    _revinclude: { kind: 'include', values: ['CareTeam:part-of'] },
  });
});

test('a search has the includes that it asks for', () => {
  expect(rightOf(requested({}))).toEqual([]);
  expect(rightOf(requested({ _include: ['CareTeam:patient'] }))).toEqual([patients]);
});

test('an include of resources that the caller may not read is refused, and says which', () => {
  const values = { _include: ['CareTeam:patient'], _revinclude: ['CareTeam:part-of'] };
  expect(refusal(requested(values, ['Patient']))).toEqual(['Forbidden', 'include-forbidden at _revinclude']);
});

test('a page has each included resource once, and none that is a match', async () => {
  const found = await findIncluded([patients, teams, patients], {
    type: 'CareTeam',
    matches,
    limitOf: () => ({}),
    openReferenced: undefined,
  });
  expect(rightOf(found).map(({ type, id }) => `${type}/${id}`)).toEqual(['Patient/7', 'CareTeam/8']);
});
