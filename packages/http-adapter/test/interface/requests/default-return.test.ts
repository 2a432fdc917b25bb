import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpHandlerOptions, Scope } from '../../../src/index.ts';
import { enteredInError, immunizationStatement, statement, team } from '../../builders.ts';
import { type Clinic, createHandler, createSender, openClinic } from '../../clinic.ts';
import { createValidator, fetchDocument, findOperation } from '../../documents/openapi-document.ts';
import { expectNullBody } from '../../response-helpers.ts';

let clinic: Clinic;

beforeEach(async () => {
  clinic = await openClinic(createMemoryStore());
  await clinic.record(immunizationStatement());
});

const sendWith = (options: Partial<HttpHandlerOptions>) =>
  createSender(createHandler(clinic.records, { defaultReturn: 'representation', ...options }));

describe('Decisions: Bodies and headers', () => {
  describe.each([
    [200, 'PUT', '/CareTeam/amy', team()],
    [201, 'POST', '/Immunization', statement()],
    [200, 'PUT', '/Immunization/shot', enteredInError()],
  ] as const)('%i %s %s', (status, method, path, body) => {
    const write = (
      options: Partial<HttpHandlerOptions> = {},
      headers: Readonly<Record<string, string>> = {},
    ) => sendWith(options)(method, path, { body, headers });

    test("With the host's `defaultReturn: 'representation'`, the response to a write contains the resource without a preference", async () => {
      const answer = await write();
      const id = answer.headers.location?.split('/').at(-1) ?? path.split('/')[2];
      const read = await clinic.get(`/${path.split('/')[1]}/${id}`);
      expect([answer.status, answer.json]).toEqual([status, read.json]);
      expect(answer.headers).toMatchObject(read.headers);
    });
    test('Then it is never `null`: with `Prefer: return=minimal` it has no body', async () => {
      const { headers, text, ...answer } = await write({}, { prefer: 'return=minimal' });
      expect([answer.status, text]).toEqual([status, '']);
      expect(headers).toHaveProperty('etag');
      expect(headers).not.toHaveProperty('content-type');
      expect(headers.location !== undefined).toBe(status === 201);
    });
    test('nor if the token may not read it', async () => {
      const scopes: readonly Scope[] = ['user/CareTeam.u', 'user/Immunization.cu'];
      const { status: answered, text } = await write({
        authenticate: () => ({ subject: 'Person/x', scopes }),
      });
      expect([answered, text]).toEqual([status, '']);
    });
    test('its body is as the description says', async () => {
      const document = await fetchDocument({ ...clinic, send: sendWith({}) });
      const answer = await write();
      const content = findOperation(document, method, path).responseTo(answer)?.content;
      const schema = content?.['application/json']?.schema ?? {};
      const issuesOf = createValidator(document);
      expect(issuesOf(schema, answer.json)).toBeNull();
      expect(issuesOf(schema, null)).not.toBeNull();
    });
    test("the host's `defaultReturn: 'minimal'` is `null`", async () => {
      const options = { defaultReturn: 'minimal' } as const;
      expectNullBody(await write(options), status);
      expectNullBody(await write(options, { prefer: 'return=minimal' }), status);
    });
  });

  test('another default is refused', () => {
    expect(() => sendWith({ defaultReturn: 'null' as 'minimal' })).toThrow(TypeError);
  });
});
