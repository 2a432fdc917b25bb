import { resourceTypes } from '@clinical-records/core/adapter';
import { describe, expect, test } from 'vitest';
import { AuthenticationUnavailable, type HttpHandlerOptions } from '../../../src/index.ts';
import { enteredInError, immunizationStatement, statement } from '../../builders.ts';
import { createHandler, createSender, type ParsedResponse, type RequestOptions } from '../../clinic.ts';
import { errorTexts, expectError, expectNotFound } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';
import { endpoints } from '../endpoints.ts';

type Request = readonly [method: string, path: string, sent?: RequestOptions];

const longAgo = { headers: { 'if-unmodified-since': 'Sun, 01 Mar 2020 08:00:00 GMT' } };

onEveryStore('Errors', (clinic) => {
  const ask = ([method, path, sent]: Request) => clinic().send(method, path, sent);

  test('All error bodies are an OperationOutcome object: resourceType | string | OperationOutcome, and issue | array of object | Elements: severity (string, error), code (string), details (object with text, string)', async () => {
    expect((await clinic().get('/Goal/none')).json).toEqual({
      resourceType: 'OperationOutcome',
      issue: [
        {
          severity: 'error',
          code: 'not-found',
          details: {
            coding: [{ system: 'urn:clinical-records:issue-rule', code: 'not-found' }],
            text: "Unknown Goal resource 'none'",
          },
          diagnostics: 'There is no such record.',
        },
      ],
    });
  });

  describe('All error bodies are an OperationOutcome object: resourceType | string | OperationOutcome, and issue | array of object | Elements: severity (string, error), code (string), details (object with text, string)', () => {
    const of = (options: Partial<HttpHandlerOptions>) =>
      createSender(createHandler(clinic().records, { onError: () => {}, ...options }));
    const fail = (cause: Error) => ({
      authenticate: () => {
        throw cause;
      },
    });
    const plain = { headers: { 'content-type': 'text/plain' } };
    test.each<[status: number, what: string, ask: () => Promise<ParsedResponse>]>([
      [400, 'a parameter', () => ask(['GET', '/Goal?_count=x'])],
      [400, 'a body that is not JSON', () => ask(['POST', '/Immunization', { body: '{' }])],
      [401, 'no token', () => ask(['GET', '/Goal', { token: null }])],
      [403, 'no scope', () => ask(['GET', '/Goal', { token: 'none' }])],
      [404, 'an id', () => ask(['GET', '/Goal/none'])],
      [404, 'a path', () => ask(['GET', '/nothing'])],
      [405, 'a method', () => ask(['DELETE', '/Goal/walk'])],
      [406, 'a media type', () => ask(['GET', '/Goal', { headers: { accept: 'text/html' } }])],
      [412, 'a precondition', () => ask(['PUT', '/CareTeam/amy', { body: { id: 'amy' }, ...longAgo }])],
      [413, 'a long body', () => of({ bodyLimit: 9 })('POST', '/Immunization', { body: statement() })],
      [415, 'another format', () => ask(['POST', '/Immunization', { body: statement(), ...plain }])],
      [422, 'a rule', () => ask(['POST', '/Immunization', { body: statement({ status: 'not-done' }) }])],
      [500, 'a fault of the host', () => of(fail(new Error('broken')))('GET', '/Goal')],
      [503, 'a failure', () => of(fail(new AuthenticationUnavailable('away')))('GET', '/Goal')],
    ])('%i: %s', async (status, _, answerOf) => {
      const answer = await answerOf();
      expect([answer.status, answer.headers['content-type']]).toEqual([status, 'application/json']);
      const { resourceType, issue, ...others } = answer.json;
      expect([resourceType, others]).toEqual(['OperationOutcome', {}]);
      expect(issue.length).toBeGreaterThan(0);
      const [code, text] = errorTexts[status] ?? [];
      for (const each of issue)
        expect(each).toMatchObject({ severity: 'error', code, details: { text: expect.any(String) } });
      if (status !== 404) expect(issue[0].details.text).toBe(text);
    });
  });

  describe('400 | invalid | Bad request | The request is invalid. Returned by searches, CareTeam PUT, Immunization POST and PUT', () => {
    test.each<[string, Request, string]>([
      ...resourceTypes.map((type): [string, Request, string] => [
        `search of ${type}`,
        ['GET', `/${type}?_count=x`],
        'http._count',
      ]),
      ['CareTeam PUT', ['PUT', '/CareTeam/amy', { body: {} }], 'CareTeam.id'],
      [
        'Immunization POST',
        ['POST', '/Immunization', { body: statement({ note: {} }) }],
        'Immunization.note',
      ],
      [
        'Immunization PUT',
        ['PUT', '/Immunization/x', { body: statement({ status: 'entered-in-error' }) }],
        'Immunization.id',
      ],
    ])('%s', async (_, request, expression) => {
      expectError(await ask(request), 400, expression);
    });
  });

  describe('401 | unknown | Authentication failed | Authentication is required or failed. Any endpoint', () => {
    test.each(endpoints)('refused: %s %s', async (method, path) => {
      expectError(await ask([method, path, { token: null }]), 401);
    });
  });

  describe('403 | forbidden | Authorization failed | Authorization is missing. Any endpoint', () => {
    test.each(endpoints)('refused: %s %s', async (method, path) => {
      expectError(await ask([method, path, { token: 'none' }]), 403);
    });
  });

  test('the text of a 404 has the id as it was sent, with its capitals', async () => {
    for (const type of resourceTypes) {
      expectNotFound(await clinic().get(`/${type}/Amy-7X`), type, 'Amy-7X');
    }
    expectNotFound(await clinic().put('/CareTeam/Amy-7X', { id: 'Amy-7X' }), 'CareTeam', 'Amy-7X');
  });

  describe("404 | not-found | Unknown `<ResourceType>` resource '`<id>`' | The resource does not exist. Reads (all four resources) and CareTeam PUT", () => {
    test.each(resourceTypes)('refused: an unknown %s', async (type) => {
      expectNotFound(await ask(['GET', `/${type}/no.such-1`]), type, 'no.such-1');
      // FHIR R4, Datatypes: a string holds no control characters.
      expectNotFound(await ask(['GET', `/${type}/no%00such%07`]), type, 'nosuch');
    });
    test('CareTeam PUT', async () => {
      expectNotFound(await ask(['PUT', '/CareTeam/none', { body: { id: 'none' } }]), 'CareTeam', 'none');
    });
    test('a malformed id is unknown, too', async () => {
      expectNotFound(
        await ask(['GET', `/Goal/${encodeURIComponent("it's 1/2 – ü")}`]),
        'Goal',
        "it's 1/2 – ü",
      );
    });
  });

  describe('405 | not-supported | Operation is not supported | Unsupported or disallowed operation. CareTeam PUT, Immunization POST and PUT', () => {
    test.each<[string, Request, string]>([
      ['CareTeam PUT', ['PUT', '/CareTeam/amy.inactive', { body: { id: 'amy.inactive' } }], 'CareTeam.id'],
      [
        'Immunization POST',
        ['POST', '/Immunization', { body: statement({ primarySource: true }) }],
        'Immunization.primarySource',
      ],
      [
        'Immunization PUT',
        ['PUT', '/Immunization/x', { body: statement({ id: 'x' }) }],
        'Immunization.status',
      ],
    ])('refused: %s', async (_, request, expression) => {
      expectError(await ask(request), 405, expression);
    });
  });

  test('412 | conflict | Resource updated since If-Unmodified-Since date | CareTeam PUT when the precondition header is not met: it is refused', async () => {
    expectError(await ask(['PUT', '/CareTeam/amy', { body: { id: 'amy' }, ...longAgo }]), 412);
  });

  describe('422 | business-rule | Unprocessable entity | Semantic issue or conflict with the stored state. CareTeam PUT, Immunization POST and PUT', () => {
    test('refused: CareTeam PUT', async () => {
      const body = { id: 'amy', subject: { reference: 'Patient/ben' } };
      expectError(await ask(['PUT', '/CareTeam/amy', { body }]), 422, 'CareTeam.subject');
    });
    test('refused: Immunization PUT', async () => {
      await clinic().record(immunizationStatement());
      const body = enteredInError('shot', { patient: { reference: 'Patient/ben' } });
      expectError(await ask(['PUT', '/Immunization/shot', { body }]), 422, 'Immunization.patient');
    });
    test('refused: Immunization POST', async () => {
      const body = statement({ status: 'not-done' });
      expectError(await ask(['POST', '/Immunization', { body }]), 422, 'Immunization.status');
    });
  });

  test('an error writes nothing', async () => {
    const before = await clinic().feed();
    for (const request of [
      ['PUT', '/CareTeam/amy', { body: { id: 'amy', subject: { reference: 'Patient/ben' } } }],
      ['PUT', '/CareTeam/none', { body: { id: 'none' } }],
      ['POST', '/Immunization', { body: statement({ encounter: { reference: 'Encounter/none' } }) }],
      ['PUT', '/Immunization/none', { body: enteredInError('none') }],
    ] as const) {
      expect((await ask(request)).status).toBeGreaterThanOrEqual(400);
    }
    expect(await clinic().feed()).toEqual(before);
  });
});
