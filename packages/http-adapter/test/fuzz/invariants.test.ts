import { countedPosition, type FeedEntry } from '@clinical-records/core/store';
import { expect, test } from 'vitest';
import { findViolations, type Trial } from './invariants.ts';

const secret = 'a text of more than twenty characters';

const outcome = (code: string, text: string, diagnostics = 'Wrong.', expression?: string[]) =>
  JSON.stringify({
    resourceType: 'OperationOutcome',
    issue: [{ severity: 'error', code, details: { text }, diagnostics, expression }],
  });

const entry = (patientId: string): FeedEntry => ({
  ...{ type: 'CareTeam', id: patientId, patientId, version: 1, at: 0, by: null },
  ...{ state: '{}', resource: null, position: countedPosition(1), digest: '' },
});

const answered = (status: number, body: string, headers: Record<string, string> = {}) => ({
  response: { status, headers, body },
});

const blames = (expression: string) =>
  answered(400, outcome('invalid', 'Bad request', 'Wrong.', [expression]));

const trial = (parts: Partial<Trial>): Trial => ({
  request: { method: 'PUT', url: '/fhir/CareTeam/amy', headers: {}, body: JSON.stringify({ name: secret }) },
  ...answered(400, outcome('invalid', 'Bad request')),
  milliseconds: 1,
  newVersions: [],
  patientId: 'amy',
  ...parts,
});

const search = { method: 'POST', url: '/fhir/CareTeam/_search', headers: {} };

test.each<[string, Partial<Trial>]>([
  ['a refusal', {}],
  ['an expression of an element that was sent', blames('CareTeam.name')],
  ['one of an element that is missing', blames('CareTeam.participant')],
  ['one of a parameter', { request: { ...search, body: 'patient:x=1' }, ...blames('http.patient') }],
  ['a write', { ...answered(200, 'null'), newVersions: [entry('amy')] }],
  ['a record that does not exist', answered(404, outcome('not-found', "Unknown CareTeam resource 'amy'"))],
])('no promise is broken by %s', (_, parts) => {
  expect(findViolations(trial(parts))).toEqual([]);
});

test.each<[string, Partial<Trial>]>([
  ['It failed on its own side.', answered(500, outcome('exception', 'Internal server error'))],
  ['The response is not JSON.', answered(200, '')],
  ['A header cannot be sent.', answered(200, 'null', { location: 'a\nb' })],
  ['It took too long.', { milliseconds: 60_000 }],
  ['An error is not an OperationOutcome.', answered(400, '{"resourceType":"OperationOutcome","issue":[]}')],
  [
    'An issue has not the code and text of its status.',
    answered(400, outcome('invalid', 'Unprocessable entity')),
  ],
  [
    'The unknown resource differs from the one in the path.',
    answered(404, outcome('not-found', "Unknown Goal resource 'x'")),
  ],
  ['An error holds a value of the body.', answered(400, outcome('invalid', 'Bad request', secret))],
  ['An expression points at nothing that was sent.', blames('CareTeam.participant[0].member')],
  ['An expression points at nothing that was sent.', { request: search, ...blames('http.patient') }],
  ['A refused request changed something.', { newVersions: [entry('amy')] }],
  ['A read changed something.', { request: search, ...answered(200, '{}'), newVersions: [entry('amy')] }],
  ['Another chart was changed.', { ...answered(200, 'null'), newVersions: [entry('amy'), entry('ben')] }],
])('a broken promise is detected: %s', (sentence, parts) => {
  expect(findViolations(trial(parts))).toEqual([sentence]);
});
