import { afterAll, expect, test } from 'vitest';
import { statement } from '../../demo/samples.ts';
import { endAll, newFolder, startServer } from '../running-server.ts';

afterAll(endAll);

test('with --us-core, links are URLs of the server, so that every client can follow them', async () => {
  const server = await startServer(['--us-core', '--base-path', '/r4'], await newFolder());
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

test('with --cors-origins and --default-return, a page of that origin writes, and gets the resource', async () => {
  const origin = 'http://localhost:8080';
  const args = ['--cors-origins', origin, '--default-return', 'representation'];
  const server = await startServer(args, await newFolder());
  const response = await fetch(`${server.address}/Immunization`, {
    method: 'POST',
    headers: { origin, authorization: `Bearer ${server.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(statement),
  });
  expect(response.headers.get('access-control-allow-origin')).toBe(origin);
  expect(response.headers.get('access-control-allow-credentials')).toBe('true');
  expect(await response.json()).toMatchObject({ resourceType: 'Immunization', status: 'completed' });
});
