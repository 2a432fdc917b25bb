import type { ClinicalStore } from '@clinical-records/core';
import { left } from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import { createHandler, createRecords, createSender, type RequestOptions } from '../../clinic.ts';
import { expectError } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('Decisions: Status codes outside the interface', (clinic) => {
  const put = (body: unknown, sent: RequestOptions = {}) => clinic().put('/CareTeam/amy', body, sent);

  describe('an HTTP matter outside the interface', () => {
    const handlerOn = (store: ClinicalStore, onError: (cause: Error) => void) =>
      createSender(createHandler(createRecords(store), { bodyLimit: 20, onError }));
    test('type of body 415', async () => {
      for (const headers of [
        { 'content-type': 'text/plain' },
        { 'content-type': 'application/xml' },
        { 'content-type': 'application/json; charset=latin1' },
        { 'content-type': 'application/json; charset = latin1' },
        { 'content-type': 'application/fhir+json; fhirVersion=3.0' },
        { 'content-type': 'application/json; charset=utf-8; fhirVersion="5.0"' },
        { 'content-type': 'application/fhir+json; fhirVersion=' },
        { 'content-encoding': 'gzip' },
      ]) {
        expectError(await put({ id: 'amy' }, { headers }), 415);
      }
    });
    test('but not if a body has the encoding identity in any case, or no encoding', async () => {
      for (const encoding of ['identity', 'Identity', '']) {
        const { status } = await put({ id: 'amy' }, { headers: { 'content-encoding': encoding } });
        expect([encoding, status]).toEqual([encoding, 200]);
      }
    });
    test('acceptable types 406', async () => {
      for (const accept of [
        ...['text/html', 'application/xml', 'application/json;q=0'],
        ...['application/fhir+json; fhirVersion=3.0', 'application/json;fhirversion=5.0, application/xml'],
      ]) {
        expectError(await clinic().get('/Goal', { headers: { accept } }), 406);
        expectError(await clinic().get('/metadata', { headers: { accept }, token: null }), 406);
      }
      for (const format of ['xml', 'application/fhir%2Bxml', 'application/fhir%2Bjson;fhirVersion=3.0'])
        expectError(await clinic().get(`/metadata?_format=${format}`, { token: null }), 406);
    });
    test('size of body 413', async () => {
      const send = handlerOn(clinic().store, () => {});
      expect((await send('PUT', '/CareTeam/amy', { body: `{"id":"amy"}${' '.repeat(8)}` })).status).toBe(200);
      const tooLarge = await send('PUT', '/CareTeam/amy', { body: `{"id":"amy"}${' '.repeat(9)}` });
      expectError(tooLarge, 413);
      // The rest of the body is not read.
      expect(tooLarge.headers).toHaveProperty('connection', 'close');
    });
    test('store down 503', async () => {
      const cause = new Error('a secret of the store');
      const down = async () => left({ _tag: 'Unavailable' as const, message: 'down', cause });
      const reported: unknown[] = [];
      const send = handlerOn({ ...clinic().store, readResource: down, search: down }, (it) =>
        reported.push(it),
      );
      expectError(await send('GET', '/Goal/x'), 503);
      expectError(await send('GET', '/Goal'), 503);
      expect(reported).toHaveLength(2);
    });
    test('our fault 500', async () => {
      const cause = new Error('a secret of the code');
      const reported: unknown[] = [];
      const broken = () => {
        throw cause;
      };
      const send = handlerOn({ ...clinic().store, readResource: broken }, (it) => reported.push(it));
      const answer = await send('GET', '/Goal/x');
      expectError(answer, 500);
      // Faults of a client are not reported to onError.
      expectError(await send('GET', '/Goal?x=1'), 400, 'http.x');
      expect([reported, answer.text.includes('secret')]).toEqual([[cause], false]);
    });
    test('a fault of the program around it 500, with the remedy only for onError', async () => {
      const message = 'Migrate the tables first.';
      const reported: Error[] = [];
      const misused = async () => left({ _tag: 'Misuse' as const, message });
      const send = handlerOn({ ...clinic().store, readResource: misused }, (cause) => reported.push(cause));
      const answer = await send('GET', '/Goal/x');
      expectError(answer, 500);
      expect(answer.json.issue[0].diagnostics).toBe('Internal error.');
      expect(String(reported[0])).toBe(
        `Error: The records are used in a way that cannot work. Nothing was changed. ${message}`,
      );
    });
    test.each([undefined, 'a text', { code: 'EIO' }])(
      'and onError gets an Error with a sentence, whatever was thrown: %j',
      async (thrown) => {
        const reported: Error[] = [];
        const broken = () => {
          throw thrown;
        };
        const down = async () => left({ _tag: 'Unavailable' as const, message: 'Down.', cause: thrown });
        const store = { ...clinic().store, readResource: broken, search: down };
        const send = handlerOn(store, (cause) => reported.push(cause));
        expectError(await send('GET', '/Goal/x'), 500);
        expectError(await send('GET', '/Goal'), 503);
        expect(reported).toEqual([new Error('Internal error.'), new Error('Down.')]);
        expect(reported.map(({ cause }) => cause)).toEqual([thrown, thrown]);
      },
    );
    test('is not changed by a log of the host that fails', async () => {
      const broken = () => {
        throw new Error('broken');
      };
      const down = async () => left({ _tag: 'Unavailable' as const, message: 'down', cause: null });
      const store = { ...clinic().store, readResource: broken, search: down };
      for (const log of [broken, async () => broken()]) {
        expectError(await handlerOn(store, log)('GET', '/Goal/x'), 500);
        expectError(await handlerOn(store, log)('GET', '/Goal'), 503);
      }
    });
  });
});
