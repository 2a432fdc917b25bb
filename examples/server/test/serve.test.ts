import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { serve } from '../serve.ts';

test('who does not read an answer is let go: it would wait in memory', async () => {
  const { promise: answering, resolve: answer } = Promise.withResolvers<ServerResponse>();
  const { origin, stop } = await serve((_, response) => answer(response), 0, 50);
  const client = connect(Number(new URL(origin).port), '127.0.0.1').pause();
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const response = await answering;
  const body = Buffer.alloc(64 * 1024 * 1024);
  response.end(body);
  await once(response, 'close');
  let read = 0;
  for await (const { length } of client) read += length;
  expect(read).toBeLessThan(body.length);
  await stop();
});
