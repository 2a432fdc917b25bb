import { expect, test } from 'vitest';
import { sha256 } from '../src/store/versions.ts';

/** As WebCrypto computes it. */
const digestOf = async (text: string): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Buffer.from(digest).toString('hex');
};

test('a digest is the SHA-256 of FIPS 180, in lower-case hexadecimal digits', () => {
  expect(sha256('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

test.each(['', 'Amélie 💉', '\ud800', 'a\0b', 'x'.repeat(100_000)])(
  'a digest is that of the text in UTF-8: %j',
  async (text) => {
    expect(sha256(text)).toBe(await digestOf(text));
  },
);
