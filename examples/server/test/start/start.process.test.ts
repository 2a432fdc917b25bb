import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { endAll, newFolder, runInShell, startServer } from '../running-server.ts';

afterAll(endAll);

test('the printed lines work when they are pasted', async () => {
  const server = await startServer([], await newFolder());
  const [team = '', goals = '', statement = ''] = server.lines;
  expect(JSON.parse(await runInShell(team))).toMatchObject({
    resourceType: 'CareTeam',
    id: 'demo-patient-1',
  });
  expect(JSON.parse(await runInShell(goals))).toMatchObject({ resourceType: 'Bundle', total: 3 });
  const created = await runInShell(statement);
  expect(created).toMatch(/^HTTP\/1\.1 201 /);
  const id = /^location: .*\/Immunization\/(.*?)\r?$/im.exec(created)?.[1];
  expect(await server.get(`/Immunization/${id}`)).toMatchObject({
    status: 200,
    body: { status: 'completed', patient: { reference: 'Patient/demo-patient-1' } },
  });
});

test('a restart keeps what was written, makes the demo clinic only once, and accepts only its own new token', async () => {
  const folder = await newFolder();
  const first = await startServer(['--data', 'kept.db'], folder);
  await runInShell(first.lines[2] ?? '');
  const before = await first.get('/Immunization');
  expect(await first.stop()).toBe(0);
  const second = await startServer(['--data', 'kept.db'], folder);
  expect((await second.get('/Immunization')).body).toEqual(before.body);
  expect(second.token).not.toBe(first.token);
  expect((await second.get('/Goal', first.token)).status).toBe(401);
});

test('an empty file stays empty, and its lines still work', async () => {
  const server = await startServer(['--empty', '--base-path', '/'], await newFolder());
  for (const line of server.lines) {
    expect(JSON.parse(await runInShell(line))).toMatchObject({ resourceType: 'Bundle', total: 0 });
  }
});

test('a database in memory is empty, and leaves no file', async () => {
  const folder = await newFolder();
  const server = await startServer(['--data', ':memory:'], folder);
  expect((await server.get('/Goal')).body).toMatchObject({ total: 0 });
  expect(await server.stop()).toBe(0);
  expect(await readdir(folder)).toEqual([]);
});

test('tokens of a file are accepted with their scopes, and none is printed', async () => {
  const folder = await newFolder();
  const tokens = [
    { token: 'reads-goals', subject: 'Practitioner/demo-practitioner-1', scopes: ['user/Goal.rs'] },
    {
      token: 'reads-one',
      subject: 'Patient/demo-patient-1',
      scopes: ['patient/*.read'],
      patient: 'demo-patient-1',
    },
  ];
  await writeFile(join(folder, 'tokens.json'), JSON.stringify(tokens), { mode: 0o600 });
  const server = await startServer(['--tokens', 'tokens.json'], folder);
  expect(server.printed.out).not.toMatch(/reads-/);
  expect(JSON.parse(await runInShell(server.lines[1] ?? '', { TOKEN: 'reads-goals' }))).toMatchObject({
    total: 3,
  });
  expect((await server.get('/CareTeam/demo-patient-1', 'reads-goals')).status).toBe(403);
  expect((await server.get('/CareTeam/demo-patient-1', 'reads-one')).status).toBe(200);
  expect((await server.get('/CareTeam/demo-patient-2', 'reads-one')).status).toBe(403);
  expect((await server.get('/Goal', 'another')).status).toBe(401);
});
