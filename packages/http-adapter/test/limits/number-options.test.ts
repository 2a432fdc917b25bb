import { createServer } from 'node:http';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test, vi } from 'vitest';
import { type HttpHandlerOptions, limitConnections } from '../../src/index.ts';
import { createWebhook } from '../../src/webhooks.ts';
import { createHandler, createRecords } from '../clinic.ts';

const records = createRecords(createMemoryStore());

const openHandler = (options: Partial<HttpHandlerOptions>) => () => createHandler(records, options);

const openWebhook = (options: object) => () =>
  createWebhook({
    records,
    queue: {} as never,
    url: 'https://lab.example/webhooks',
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    ...options,
  });

const longestTimer = 2 ** 31 - 1;

test.each([Number.NaN, 0, '5', Number.POSITIVE_INFINITY] as readonly number[])(
  'a time of %o is refused, because a timer would end at once',
  (time) => {
    const sentence = (name: string) => `${name} must be a number from 1 to ${longestTimer}.`;
    expect(openHandler({ events: { interval: time } })).toThrow(sentence('events.interval'));
    for (const name of ['timeout', 'pollInterval'])
      expect(openWebhook({ [name]: time })).toThrow(sentence(name));
    const files = { write: vi.fn(), read: vi.fn(), remove: vi.fn() };
    const options = { bulkExport: { files, keepFor: time }, baseUrl: 'https://clinic.example' };
    expect(openHandler(options)).toThrow(sentence('bulkExport.keepFor'));
  },
);

// The number of a variable of the environment that is not set. No size and no time exceeds it.
describe.each([Number.NaN, -1, '5'] as readonly number[])('%j is refused', (value) => {
  test.each([
    ['bodyLimit', 0, { bodyLimit: value }],
    ['events.lifetime', 0, { events: { lifetime: value } }],
    ['events.maxStreams', 1, { events: { maxStreams: value } }],
  ])('as `%s` of the handler', (name, least, options) => {
    expect(openHandler(options)).toThrow(`${name} must be a number of ${least} or more.`);
  });

  test.each([
    'maxConnections',
    'headersTimeout',
    'requestTimeout',
    'keepAliveTimeout',
    'readTimeout',
    'minBytesPerSecond',
    'maxWaitingBytes',
  ])('as `%s` of `limitConnections`', (name) => {
    expect(() => limitConnections(createServer(), { [name]: value })).toThrow(
      `${name} must be a number of 0 or more.`,
    );
  });

  test.each(['concurrency', 'attemptLimit'])('as `%s` of a webhook', (name) => {
    expect(openWebhook({ [name]: value })).toThrow(`${name} must be a number of 1 or more.`);
  });

  test.each(['firstDelay', 'longestDelay'])('as `backoff.%s` of a webhook', (name) => {
    const backoff = { firstDelay: 1000, longestDelay: 2000, [name]: value };
    expect(openWebhook({ backoff })).toThrow(`backoff.${name} must be a number of 1 or more.`);
  });
});

test('an undefined limit is the default', () => {
  const undefinedLimits = { maxConnections: undefined, headersTimeout: undefined } as never;
  const { maxConnections, headersTimeout } = limitConnections(createServer(), undefinedLimits);
  expect({ maxConnections, headersTimeout }).toEqual({ maxConnections: 4_000, headersTimeout: 10_000 });
  expect(openWebhook({ concurrency: undefined, pollInterval: undefined })).not.toThrow();
});

test('a limit can be switched off', () => {
  expect(openHandler({ bodyLimit: Number.POSITIVE_INFINITY })).not.toThrow();
  expect(limitConnections(createServer(), { requestTimeout: 0 }).requestTimeout).toBe(0);
});
