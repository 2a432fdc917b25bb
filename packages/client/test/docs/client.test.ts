import { expect, test } from 'vitest';
import { openServer } from '../server.ts';
import { connect, follow, replaceTeam, sendWaiting, showGoals, type Waiting } from './client.ts';

test('the code of the page does what the page says', async () => {
  const server = await openServer();
  const client = connect(server.fetch, async (isRefused) => (isRefused ? 'ada' : 'old'));
  const seen: string[] = [];
  const stop = follow(client, 'amy', (what) => seen.push(what));
  await expect.poll(() => seen).toEqual(['everything']);

  const outbox: readonly Waiting[] = ['Walk', 'Sleep'].map((description) => ({
    key: `key-${description}`,
    command: { kind: 'goal', patientId: 'amy', description },
  }));
  expect(await sendWaiting(client, outbox)).toEqual([]);
  expect(await sendWaiting(client, outbox)).toEqual([]);
  const { commands } = await server.records.chart.search({ patient: 'amy' });
  expect(commands).toHaveLength(2);
  for (const { id } of commands) await client.commands.commit(id);
  expect(await showGoals(client, 'amy')).toEqual(['Walk', 'Sleep']);
  await expect.poll(() => seen).toHaveLength(3);

  expect(await replaceTeam(client, 'amy', 'lab')).toBe('The team was replaced.');
  expect(await replaceTeam(client, 'amy', 'none')).toMatch(/^CareTeam\.participant\[0\]/);
  await stop();
});
