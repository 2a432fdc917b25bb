import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { Client } from '../src/api/client.ts';
import { loadHistory } from '../src/api/history.ts';

/** A version of a care team, or of one of its parts, with one member. */
const version = (status: string, versionId: string, lastUpdated: string, ...names: string[]) => ({
  resourceType: 'CareTeam',
  status,
  meta: { versionId, lastUpdated },
  participant: names.map((display) => ({ member: { reference: `Practitioner/${display}`, display } })),
});

/** The history of a team, as a client with only these functions reads it. */
const historyFrom = (client: object) => loadHistory(client as Client, { type: 'CareTeam', id: '7' });

test('the history of a team shows who was in another status at the time of each version', async () => {
  const histories: Record<string, object[]> = {
    'CareTeam/7': [
      version('active', '3', '2026-03-03T08:00:00Z', 'Ada'),
      version('active', '2', '2026-03-02T08:00:00Z', 'Ada'),
      version('active', '1', '2026-03-01T08:00:00Z', 'Ada', 'Bob'),
    ],
    'CareTeam/7.suspended': [
      version('suspended', '2', '2026-03-03T08:00:00Z'),
      version('suspended', '1', '2026-03-02T08:00:00Z', 'Bob'),
    ],
  };
  const client = {
    history: (type: string, id: string) => Readable.from(histories[`${type}/${id}`] ?? []),
    search: () => Readable.from([]),
  };
  const versions = await historyFrom(client);
  expect(versions.map(({ number, changes }) => [number, JSON.stringify(changes).includes('Bob')])).toEqual([
    ['3', true],
    ['2', true],
    ['1', true],
  ]);
});

test('the history of a team fails if the versions of its other members cannot be read', async () => {
  const client = {
    history: async function* (_: string, id: string) {
      yield* [];
      if (id !== '7') throw new Error('The records cannot be reached at the moment.');
    },
    search: () => Readable.from([]),
  };
  await expect(historyFrom(client)).rejects.toThrow('The records cannot be reached at the moment.');
});

test('a version that software proposed names it beside the author', async () => {
  const agent = [
    { type: { coding: [{ code: 'author' }] }, who: { reference: 'Practitioner/12' } },
    { type: { coding: [{ code: 'assembler' }] }, who: { reference: 'Device/scribe', display: 'Scribe' } },
  ];
  const client = {
    history: () => Readable.from([version('active', '1', '2026-03-01T08:00:00Z', 'Ada')]),
    search: () => Readable.from([{ target: [{ reference: 'CareTeam/7/_history/1' }], agent }]),
  };
  const [first] = await historyFrom(client);
  expect(first).toMatchObject({ author: 'Practitioner/12', proposedBy: 'Scribe' });
});
