import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createFindPrincipal, createGrant } from '../../access/grants.ts';
import { readTokens } from '../../access/tokens-file.ts';
import { watchTokens } from '../../access/watch-tokens.ts';
import { CommandError } from '../../command/command-error.ts';
import { endAll, newFolder } from '../running-server.ts';

afterAll(endAll);

const one = { token: 'secret', subject: 'Person/somebody', scopes: ['user/*.read'] };

const fileOf = async (text: string): Promise<string> => {
  const file = join(await newFolder(), 'tokens.json');
  await writeFile(file, text, { mode: 0o600 });
  return file;
};

test('a token belongs to its principal, and no other token is accepted', () => {
  const { token, principal } = createGrant('Person/somebody');
  const findPrincipal = createFindPrincipal([{ token, principal }]);
  expect(findPrincipal(token)).toBe(principal);
  expect(findPrincipal(`${token}a`)).toBeNull();
  expect(findPrincipal('')).toBeNull();
});

test('a file of tokens is read', async () => {
  const narrow = { token: 'other', subject: 'Patient/p', scopes: ['patient/Goal.rs'], patient: 'p' };
  const { token, ...principal } = narrow;
  expect(readTokens(await fileOf(JSON.stringify([one, narrow])))[1]).toEqual({ token, principal });
});

test('a file may have scopes that are not about resources, such as those of a launch, which grant nothing', async () => {
  const launch = ['openid', 'fhirUser', 'profile', 'launch', 'launch/patient', 'launch/encounter'];
  const scopes = [...launch, 'offline_access', 'online_access', 'user/Goal.rs'];
  const [grant] = readTokens(await fileOf(JSON.stringify([{ ...one, scopes }])));
  expect(grant?.principal.scopes).toEqual(['user/Goal.rs']);
});

test('a token of a file names a principal that expires with it', async () => {
  const grants = readTokens(await fileOf(JSON.stringify([{ ...one, expires: '2026-03-01T12:00:00+01:00' }])));
  expect(createFindPrincipal(grants)('secret')).toEqual({
    subject: one.subject,
    scopes: one.scopes,
    expiresAt: Date.parse('2026-03-01T11:00:00Z'),
  });
});

test('a token of a file can be that of an agent', async () => {
  const agent = { reference: 'Device/scribe', display: 'Scribe' };
  const [grant] = readTokens(await fileOf(JSON.stringify([{ ...one, agent }])));
  expect(grant?.principal.agent).toEqual(agent);
  const nameless = await fileOf(JSON.stringify([{ ...one, agent: { display: 'Scribe' } }]));
  expect(() => readTokens(nameless)).toThrow(/agent/);
});

test('a file that changes is read again, and a wrong one leaves the tokens as they were', async () => {
  const file = await fileOf(JSON.stringify([one]));
  const stop = new AbortController();
  const sentences: string[] = [];
  const log = (sentence: string) => sentences.push(sentence);
  const findPrincipal = watchTokens(file, { signal: stop.signal, log });
  const untilRead = (count: number) => expect.poll(() => sentences).toHaveLength(count);
  await writeFile(file, 'secret');
  await untilRead(1);
  expect(sentences).toEqual([`the tokens of ${file} are not JSON; those that were read before stay valid`]);
  expect(findPrincipal('secret')).not.toBeNull();
  await writeFile(file, JSON.stringify([{ ...one, token: 'new' }]));
  await untilRead(2);
  expect(findPrincipal('new')).not.toBeNull();
  expect(findPrincipal('secret')).toBeNull();
  stop.abort();
});

test.each([0o640, 0o604, 0o620, 0o777])(
  'a file of mode %o, which other users can read or write, is refused',
  async (mode) => {
    const file = await fileOf(JSON.stringify([one]));
    await chmod(file, mode);
    const reading = () => readTokens(file);
    expect(reading).toThrow(CommandError);
    expect(reading).toThrow(
      `other users of this machine can read or change the tokens of ${file}: run chmod 600 ${file}`,
    );
  },
);

test('an empty list has no token, so that it revokes all', async () => {
  expect(readTokens(await fileOf('[]'))).toEqual([]);
});

describe('a wrong file of tokens is reported in one line that contains no token', () => {
  test.each<[text: string, message: RegExp]>([
    ['secret', /are not JSON$/],
    [JSON.stringify({ tokens: [one] }), /expected array/],
    [JSON.stringify([{ ...one, scope: 'user/*.read' }]), /\[0\] Unrecognized key: "scope"$/],
    [
      JSON.stringify([{ ...one, scopes: ['users/*.read'] }]),
      /\[0\]\.scopes\[0\] grants nothing: Not a SMART scope/,
    ],
    [
      JSON.stringify([{ ...one, scopes: ['launch/goal', 'user/*.read'] }]),
      /scopes\[0\] grants nothing: Not a SMART scope/,
    ],
    [
      JSON.stringify([{ ...one, scopes: ['openid', 'user/*.read', 'user/Goal.rs?status=active'] }]),
      /^the tokens of .* \[0\]\.scopes\[2\] grants nothing: status: The search parameter is not supported\. Those of this resource are `_id`, /,
    ],
    [
      JSON.stringify([
        { ...one, scopes: ['user/Goal.rs?description=walk', 'user/Goal.s?lifecycle-status=active'] },
      ]),
      /\[0\]\.scopes\[1\] grants nothing: It cannot be united with the others: .* differ in one parameter only\.$/,
    ],
    [JSON.stringify([{ ...one, scopes: [] }]), /\[0\]\.scopes grants nothing$/],
    [JSON.stringify([{ ...one, scopes: ['openid', 'launch/patient'] }]), /\[0\]\.scopes grants nothing$/],
    [
      JSON.stringify([{ ...one, scopes: ['patient/*.read'] }]),
      /\[0\]\.patient is needed for scopes of patient\/$/,
    ],
    [JSON.stringify([{ ...one, expires: 'tomorrow' }]), /\[0\]\.expires is not a time such as/],
    [JSON.stringify([{ ...one, patient: '' }]), /\[0\]\.patient is not the id of a patient$/],
    [JSON.stringify([{ ...one, patient: 'Patient/7/8' }]), /\[0\]\.patient is not the id of a patient$/],
    [JSON.stringify([one, { ...one, subject: 'Person/somebody-else' }]), /has a token twice$/],
    [
      JSON.stringify([{ ...one, token: 'two secrets', subject: '' }]),
      /\[0\]\.token is empty or has a space; \[0\]\.subject is not a reference such as Practitioner\/12$/,
    ],
  ])('%s', async (text, message) => {
    const file = await fileOf(text);
    const reading = () => readTokens(file);
    expect(reading).toThrow(CommandError);
    expect(reading).toThrow(message);
    expect(reading).not.toThrow(/secret|\n/);
  });
});
