import { Webhook as StandardWebhook, WebhookVerificationError } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { delayAfter, parseSecret, signedHeaders } from '../../src/webhooks/post.ts';

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

  test('that library verifies it, and refuses another body, another id, an old time and another secret', () => {
    const sent = { ...message, at: Date.now() };
    const verify = (body = sent.body, changes: object = {}, verified = secret) =>
      new StandardWebhook(verified).verify(body, {
        ...signedHeaders([parseSecret(secret)], sent),
        ...changes,
      });
    expect(verify()).toEqual({ test: 2432232314 });
    expect(() => verify('{"test": 2432232315}')).toThrow(WebhookVerificationError);
    expect(() => verify(sent.body, { 'webhook-id': 'msg_1' })).toThrow(WebhookVerificationError);
    const old = signedHeaders([parseSecret(secret)], { ...sent, at: sent.at - 301_000 });
    expect(() => verify(sent.body, old)).toThrow('too old');
    const other = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    expect(() => verify(sent.body, {}, other)).toThrow(WebhookVerificationError);
  });

  test('that library verifies by either of two secrets, and by the longest', () => {
    const longest = `whsec_${Buffer.alloc(64, 7).toString('base64')}`;
    const headers = signedHeaders([longest, secret].map(parseSecret), { ...message, at: Date.now() });
    for (const one of [longest, secret]) {
      expect(new StandardWebhook(one).verify(message.body, headers)).toEqual({ test: 2432232314 });
    }
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
