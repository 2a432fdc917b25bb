import { expect, test } from 'vitest';
import { serveHere, token } from './serve-here.ts';

const call = (name: string, sent: object) => ({
  method: 'POST',
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: sent } }),
});

// biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
const readJson = async (response: Promise<Response>): Promise<any> => (await response).json();

test('with --mcp, an agent proposes at /mcp, and its name is in the command', async () => {
  const { origin } = await serveHere({ mcp: true });
  const staged = await readJson(
    fetch(`${origin}/mcp`, call('stage_goal', { patientId: 'amy', description: 'Walk' })),
  );
  expect(staged.result.content[0].text).toMatch(/^The proposal was staged as Goal\//);
  const headers = { authorization: `Bearer ${token}` };
  const { commands } = await readJson(fetch(`${origin}/fhir/commands?patient=amy`, { headers }));
  expect(commands).toMatchObject([
    { status: 'staged', staged: { agent: { reference: 'Device/assistant', display: 'Assistant' } } },
  ]);
});

test('with an authorization server, a 401 of /mcp refers to it', async () => {
  const issuer = 'https://login.clinic.example';
  const access = { _tag: 'AuthorizationServer', jwks: `${issuer}/jwks`, issuer, audience: 'clinic' } as const;
  const { origin } = await serveHere({ mcp: true, access });
  const refused = await fetch(`${origin}/mcp`, { method: 'POST' });
  const [, document = ''] =
    /resource_metadata="([^"]+)"/.exec(`${refused.headers.get('www-authenticate')}`) ?? [];
  expect([refused.status, document]).toEqual([401, `${origin}/.well-known/oauth-protected-resource/mcp`]);
  const metadata = await readJson(fetch(document));
  expect(metadata).toMatchObject({ resource: `${origin}/mcp`, authorization_servers: [issuer] });
});

test('without --mcp, there is nothing at /mcp', async () => {
  const { origin } = await serveHere();
  expect((await fetch(`${origin}/mcp`, call('read_chart', { id: 'amy' }))).status).toBe(404);
});
