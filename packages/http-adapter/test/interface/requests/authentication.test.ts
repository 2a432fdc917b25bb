import { beforeEach, describe, expect, test } from 'vitest';
import type { Principal, Scope } from '../../../src/index.ts';
import { enteredInError, immunizationStatement, statement } from '../../builders.ts';
import { authenticate, createHandler, createSender, createSenderAs } from '../../clinic.ts';
import { expectError, idsOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';
import { endpoints } from '../endpoints.ts';

onEveryStore('Authentication', (clinic) => {
  describe('Every request carries the header `Authorization: Bearer <ACCESS_TOKEN>`', () => {
    test.each(endpoints)('refused: %s %s without it', async (method, path) => {
      const answer = await clinic().send(method, path, { token: null });
      expectError(answer, 401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    });
    test.each([
      'Basic ZnVsbDo=',
      'full',
      'Bearer',
      'Bearer ',
      'Bearer full full',
      'Token full',
      'Basic Bearer full',
      'BearerToken full',
    ])('refused: "%s"', async (authorization) => {
      expectError(await clinic().get('/Goal', { token: null, headers: { authorization } }), 401);
    });
    test.each(['bearer full', 'BEARER  full'])(
      'the name of the scheme may be in any case: "%s"',
      async (authorization) => {
        expect((await clinic().get('/Goal', { token: null, headers: { authorization } })).status).toBe(200);
      },
    );
  });

  describe('Common to all endpoints: header `Authorization: Bearer <ACCESS_TOKEN>` and `accept: application/json`', () => {
    test.each(endpoints)('%s %s', async (method, path) => {
      const headers = { authorization: 'Bearer full', accept: 'application/json' };
      const answer = await clinic().send(method, path, { token: null, headers });
      expect([401, 403, 406]).not.toContain(answer.status);
      expect(answer.headers['content-type']).toBe('application/json');
    });
    test.each(endpoints)('refused: %s %s with another scheme, or another type', async (method, path) => {
      const headers = { authorization: 'Token full', accept: 'application/json' };
      expectError(await clinic().send(method, path, { token: null, headers }), 401);
      expectError(await clinic().send(method, path, { headers: { accept: 'text/html' } }), 406);
    });
  });

  describe('A missing or failed authentication gives 401', () => {
    test.each([undefined, false, '', 0])(
      'If `authenticate` returns neither a principal nor null, such as false, the request is a 401, too: %j',
      async (answer) => {
        const handler = createHandler(clinic().records, { authenticate: () => answer as never });
        expectError(await createSender(handler)('GET', '/Goal'), 401);
      },
    );
    test('and without a token the host is not called', async () => {
      const handler = createHandler(clinic().records, { authenticate: () => authenticate('full') });
      expectError(await createSender(handler)('GET', '/Goal', { token: null }), 401);
    });
    test.each(endpoints)('refused: %s %s', async (method, path) => {
      expectError(await clinic().send(method, path, { token: 'forged' }), 401);
    });
    test('on unknown paths, too', async () => {
      expectError(await clinic().get('/Patient/amy', { token: null }), 401);
      expectError(await clinic().send('DELETE', '/Goal/walk', { token: null }), 401);
    });
  });

  describe('A request that is authenticated but not authorized gives 403 (see Errors)', () => {
    test.each(endpoints)('refused: %s %s', async (method, path) => {
      expectError(await clinic().send(method, path, { token: 'none' }), 403);
    });
  });

  describe('token without the scope for this interaction', () => {
    const statuses = async (scopes: Principal['scopes']) => {
      const send = createSenderAs(clinic(), { scopes });
      const answers = [
        await send('GET', '/Immunization/shot'),
        await send('GET', '/Immunization'),
        await send('POST', '/Immunization', { body: statement() }),
        await send('PUT', '/Immunization/shot', { body: enteredInError() }),
      ];
      return answers.map(({ status }) => status);
    };
    beforeEach(() => clinic().record(immunizationStatement()));
    test.each([
      ['user/*.*', [200, 200, 201, 200]],
      ['system/*.cruds', [200, 200, 201, 200]],
      ['user/Immunization.read', [200, 200, 403, 403]],
      ['user/Immunization.write', [403, 403, 201, 200]],
      ['user/Immunization.r', [200, 403, 403, 403]],
      ['user/Immunization.s', [403, 200, 403, 403]],
      ['user/Immunization.c', [403, 403, 201, 403]],
      ['user/Immunization.u', [403, 403, 403, 200]],
      ['user/CareTeam.*', [403, 403, 403, 403]],
      ['user/Immunization.', [403, 403, 403, 403]],
      ['user/Immunization.rs?patient=amy', [200, 200, 403, 403]],
      ['user/Immunization.cruds?patient=ben', [404, 200, 403, 405]],
      ['user/Immunization.rs?vaccine=140', [403, 403, 403, 403]],
      ['patient/*.*', [403, 403, 403, 403]],
      ['superuser/*.*', [403, 403, 403, 403]],
      ['openid', [403, 403, 403, 403]],
    ])('%s', async (scope, expected) => {
      expect(await statuses([scope as Scope])).toEqual(expected);
    });
    test('several scopes add up', async () => {
      expect(await statuses(['user/Immunization.r', 'system/Immunization.c'])).toEqual([200, 403, 201, 403]);
    });
    test("Scopes are a list, or OAuth's one text with spaces", async () => {
      expect(await statuses('openid user/Immunization.r  system/Immunization.c')).toEqual([
        200, 403, 201, 403,
      ]);
      expect(await statuses('user/Immunization.read')).toEqual([200, 200, 403, 403]);
      expect(await statuses('')).toEqual([403, 403, 403, 403]);
    });
  });

  test('the token is passed to the host as it was sent, and the host may respond later', async () => {
    const tokens: string[] = [];
    const handler = createHandler(clinic().records, {
      authenticate: async (token) => {
        tokens.push(token);
        return authenticate('full');
      },
    });
    expect(idsOf(await createSender(handler)('GET', '/Goal', { token: 'aZ.9-_~+/=' }))).toEqual([]);
    expect(tokens).toEqual(['aZ.9-_~+/=']);
  });
});
