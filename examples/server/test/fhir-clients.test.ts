import { afterAll, expect, test } from 'vitest';
import { endAll, newFolder, startServer } from './running-server.ts';

afterAll(endAll);

test('links are URLs of the server, so that every client can follow them', async () => {
  const server = await startServer(['--base-path', '/r4'], await newFolder());
  const headers = { authorization: `Bearer ${server.token}` };
  const found = await fetch(`${server.address}/Goal?_count=1`, { headers });
  const { link, entry } = (await found.json()) as {
    readonly link: readonly { readonly relation: string; readonly url: string }[];
    readonly entry: readonly { readonly fullUrl: string }[];
  };
  const next = link.find(({ relation }) => relation === 'next')?.url ?? '';
  for (const url of [next, entry[0]?.fullUrl ?? '']) {
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/r4\/Goal/);
    expect((await fetch(url, { headers })).status).toBe(200);
  }
  const metadata = await (await fetch(`${server.address}/metadata`)).json();
  expect(metadata).toMatchObject({
    resourceType: 'CapabilityStatement',
    implementation: { url: server.address },
  });
});

test('with --cors-origins, a page of that origin may use the interface', async () => {
  const origin = 'http://localhost:8080';
  const server = await startServer(['--cors-origins', origin], await newFolder());
  const headers = { origin, authorization: `Bearer ${server.token}` };
  const response = await fetch(`${server.address}/Goal`, { headers });
  expect(response.headers.get('access-control-allow-origin')).toBe(origin);
});
