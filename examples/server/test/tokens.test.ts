import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { CommandError } from '../command-error.ts';
import { createAuthenticate, createGrant } from '../tokens.ts';
import { readTokens } from '../tokens-file.ts';
import { endAll, newFolder } from './running-server.ts';

afterAll(endAll);

const one = { token: 'secret', subject: 'Person/somebody', scopes: ['user/*.read'] };

const fileOf = async (text: string): Promise<string> => {
  const file = join(await newFolder(), 'tokens.json');
  await writeFile(file, text, { mode: 0o600 });
  return file;
};

test('a token belongs to its principal, and no other token is accepted', () => {
  const { token, principal } = createGrant();
  const authenticate = createAuthenticate([{ token, principal }]);
  expect(authenticate(token)).toBe(principal);
  expect(authenticate(`${token}a`)).toBeNull();
  expect(authenticate('')).toBeNull();
});

test('a file of tokens is read', async () => {
  const narrow = { token: 'other', subject: 'Patient/p', scopes: ['patient/Goal.rs'], patient: 'p' };
  const { token, ...principal } = narrow;
  expect(readTokens(await fileOf(JSON.stringify([one, narrow])))[1]).toEqual({ token, principal });
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

describe('a wrong file of tokens is reported in one line that contains no token', () => {
  test.each<[text: string, message: RegExp]>([
    ['secret', /are no JSON$/],
    [JSON.stringify({ tokens: [one] }), /expected array/],
    ['[]', /has no token$/],
    [JSON.stringify([{ ...one, scope: 'user/*.read' }]), /\[0\] Unrecognized key: "scope"$/],
    [JSON.stringify([{ ...one, scopes: ['users/*.read'] }]), /\[0\]\.scopes\[0\] is not a SMART scope/],
    [JSON.stringify([{ ...one, scopes: [] }]), /\[0\]\.scopes grants nothing$/],
    [
      JSON.stringify([{ ...one, scopes: ['patient/*.read'] }]),
      /\[0\]\.patient is needed for scopes of patient\/$/,
    ],
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
