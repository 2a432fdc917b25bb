import { beforeEach, describe, expect, test } from 'vitest';
import { enteredInError, immunizationStatement, participant, statement, team } from '../../builders.ts';
import { cardiologist, type RequestOptions } from '../../clinic.ts';
import { onEveryStore } from '../../stores.ts';

type Request = readonly [method: string, path: string, sent?: RequestOptions];

const large = JSON.stringify({ ...team(), name: 'x'.repeat(256 * 1024) });
const wrongMatch = { 'if-match': 'x' };
const otherVersion = { 'if-match': 'W/"99"' };
const plain = { 'content-type': 'text/plain' };
const html = { accept: 'text/html' };
const nobody = participant('Practitioner/nobody', cardiologist);
const ofBen = (fields: object) => statement({ patient: { reference: 'Patient/ben' }, ...fields });

/**
 * The first fault, the second fault, and a request with both. Then the expected status, with a word of the response
 * if others have that status.
 */
const rows: readonly (readonly [string, string, Request, readonly [status: number, word?: string]])[] = [
  ['the token', 'the path', ['GET', '/nothing', { token: null }], [401]],
  ['the path', 'the method', ['DELETE', '/nothing'], [404]],
  ['the method', 'the scope', ['POST', '/CareTeam', { token: 'reader' }], [405]],
  ['the scope', 'the Accept', ['PUT', '/CareTeam/amy', { token: 'reader', headers: html }], [403]],
  ['the Accept', 'the size', ['PUT', '/CareTeam/amy', { headers: html, body: large }], [406]],
  ['the size', 'the type of the body', ['PUT', '/CareTeam/amy', { headers: plain, body: large }], [413]],
  ['the type of the body', 'the JSON', ['PUT', '/CareTeam/amy', { headers: plain, body: '{' }], [415]],
  ['the JSON', 'the If-Match', ['PUT', '/CareTeam/amy', { headers: wrongMatch, body: '{' }], [400, 'JSON']],
  [
    'a condition that is not checked',
    'the .status suffix',
    ['PUT', '/CareTeam/amy.inactive', { headers: { 'if-none-match': '*' }, body: {} }],
    [400, 'If-None-Match'],
  ],
  [
    'the If-Match',
    'the .status suffix',
    ['PUT', '/CareTeam/amy.inactive', { headers: wrongMatch, body: {} }],
    [400, 'If-Match'],
  ],
  ['the .status suffix', 'the body', ['PUT', '/CareTeam/amy.inactive', { body: {} }], [405, 'CareTeam.id']],
  ['the body', 'the id', ['PUT', '/CareTeam/amy', { body: { id: 'ben', name: '' } }], [400, 'CareTeam.name']],
  [
    'the id',
    'the content of the body',
    ['PUT', '/Immunization/a', { body: { ...enteredInError('b'), status: 'completed' } }],
    [400, 'Immunization.id'],
  ],
  ['the id', 'the chart', ['PUT', '/CareTeam/ben', { token: 'amy', body: team() }], [400, 'CareTeam.id']],
  [
    'the content of the body',
    'the chart',
    ['POST', '/Immunization', { token: 'amy', body: ofBen({ primarySource: true }) }],
    [405, 'Immunization.primarySource'],
  ],
  [
    'the body',
    'the chart',
    ['POST', '/Immunization', { token: 'amy', body: ofBen({ status: 'done' }) }],
    [400, 'Immunization.status'],
  ],
  [
    'the chart',
    'a rule',
    ['POST', '/Immunization', { token: 'amy', body: ofBen({ status: 'not-done' }) }],
    [403],
  ],
  [
    'the chart',
    'its content',
    ['POST', '/Immunization', { token: 'amy', body: ofBen({ encounter: { reference: 'Encounter/none' } }) }],
    [403],
  ],
  ['the chart', 'an unknown patient', ['PUT', '/CareTeam/eve', { token: 'amy', body: { id: 'eve' } }], [403]],
  [
    'an unknown patient',
    'the version',
    ['PUT', '/CareTeam/eve', { headers: otherVersion, body: { id: 'eve' } }],
    [404],
  ],
  [
    'a record that cannot be marked',
    'the version',
    ['PUT', '/Immunization/none', { headers: otherVersion, body: enteredInError('none') }],
    [405, 'Immunization.id'],
  ],
  [
    'a record that cannot be marked',
    'another patient in the body',
    [
      'PUT',
      '/Immunization/none',
      { body: enteredInError('none', { patient: { reference: 'Patient/ben' } }) },
    ],
    [405, 'Immunization.id'],
  ],
  ['the version', 'a rule', ['PUT', '/CareTeam/amy', { headers: otherVersion, body: team(nobody) }], [412]],
  [
    'the version',
    'another patient in the body',
    [
      'PUT',
      '/Immunization/shot',
      { headers: otherVersion, body: enteredInError('shot', { patient: { reference: 'Patient/ben' } }) },
    ],
    [412],
  ],
];

onEveryStore('Decisions: Status codes', (clinic) => {
  beforeEach(() => clinic().record(immunizationStatement()));

  describe('When a request is wrong in several ways, the first step that finds a fault decides the status', () => {
    test.each(rows)('%s before %s', async (_first, _second, request, [status, word = '']) => {
      const answer = await clinic().send(...request);
      const [{ expression, diagnostics }, ...others] = answer.json.issue;
      expect([answer.status, others]).toEqual([status, []]);
      expect(`${expression} ${diagnostics}`).toContain(word);
    });
  });
});
