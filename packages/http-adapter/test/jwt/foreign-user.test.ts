import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { introspectionAuthentication, jwtAuthentication } from '../../src/jwt.ts';
import { goal, statement } from '../builders.ts';
import { createHandler, createSender, openClinic } from '../clinic.ts';
import { expectError } from '../response-helpers.ts';
import { audience, claimsWith, createKey, issuer, jwksOf, serveJson, sign } from './authorization-server.ts';

const key = await createKey('one');
const here = `${audience}/Practitioner/ada`;
const committedGoal = { ...goal({ id: undefined }), commit: true };
const elsewhere = 'https://other.example/Practitioner/ada';

describe.each(['jwt', 'opaque'] as const)(
  'a practitioner of another server, by a token that is %s',
  (format) => {
    /** The clinic, which knows its own practitioner of the same id. */
    const openFor = async (fhirUser: string) => {
      const claims = claimsWith({ fhirUser });
      const { url: endpoint } = await serveJson(() => ({ active: true, ...claims }));
      const authenticate =
        format === 'jwt'
          ? jwtAuthentication({ issuer, audience, jwks: jwksOf(key) })
          : introspectionAuthentication({
              issuer,
              audience,
              endpoint,
              clientId: 'records',
              clientSecret: 's',
            });
      const { records } = await openClinic(createMemoryStore());
      const asked = new Set<string>();
      const handler = createHandler(records, {
        authenticate,
        chartCommands: true,
        authorize: ({ principal }) => {
          asked.add(principal.subject);
          return 'allow';
        },
      });
      const token = await sign(key, claims);
      const send = createSender(handler);
      const post = (path: string, body: object) => send('POST', path, { token, body });
      return { records, asked, post };
    };

    test('is not the author of the same id here, for `authorize` and in the history', async () => {
      for (const [fhirUser, by] of [
        [here, 'Practitioner/ada'],
        [elsewhere, elsewhere],
      ] as const) {
        const { records, asked, post } = await openFor(fhirUser);
        const { status, headers } = await post('/Immunization', statement());
        expect(status).toBe(201);
        const id = String(headers.location).replace(/^.*\//, '');
        expect(await records.immunizations.history(id)).toMatchObject([{ by }]);
        expect(asked).toEqual(new Set([by]));
      }
    });

    test('cannot commit a goal, which only a practitioner of the directory can', async () => {
      expect(await (await openFor(here)).post('/commands', committedGoal)).toMatchObject({ status: 201 });
      expectError(await (await openFor(elsewhere)).post('/commands', committedGoal), 403);
    });
  },
);
