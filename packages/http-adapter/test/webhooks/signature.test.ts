import { describe, expect, test } from 'vitest';
import { delayAfter } from '../../src/webhooks/backoff.ts';
import { parseSecret, signedHeaders } from '../../src/webhooks/signature.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const message = {
  webhookId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  body: '{"test": 2432232314}',
  at: 1614265330_999,
};

describe('signature', () => {
  test('it is that of the libraries of Standard Webhooks', () => {
    expect(signedHeaders([parseSecret(secret)], message)).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test.each([
    ['', 'no secret'],
    [secret.slice(6), 'without whsec_'],
    ['whsec_c2hvcnQ=', 'fewer than 24 bytes'],
    [`whsec_${Buffer.alloc(65).toString('base64')}`, 'more than 64 bytes'],
    [`${secret} `, 'not base64'],
  ])('%j is not a secret: %s', (text) => {
    expect(() => parseSecret(text)).toThrow(RangeError);
  });
});

describe('backoff', () => {
  const backoff = { firstDelay: 1000, longestDelay: 600_000 };

  test.each([
    [1, 0, 1000],
    [1, 1, 500],
    [1, 0.3333, 834],
    [2, 0, 2000],
    [10, 0, 512_000],
    [11, 0, 600_000],
    [5000, 0, 600_000],
    [5000, 1, 300_000],
  ])('after %i attempts, with a random number of %d, a delivery waits %i ms', (attempts, random, delay) => {
    expect(delayAfter(attempts, backoff, random)).toBe(delay);
  });
});
