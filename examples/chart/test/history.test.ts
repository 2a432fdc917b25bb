import { expect, test } from 'vitest';
import type { Client } from '../src/api/client.ts';
import { loadHistory } from '../src/api/history.ts';

test('the history of a team fails if the versions of its other members cannot be read', async () => {
  const client: Pick<Client, 'history' | 'searchAll'> = {
    history: async (path) => {
      if (path === 'CareTeam/7') return [];
      throw new Error('The records cannot be reached at the moment.');
    },
    searchAll: async () => [],
  };
  await expect(loadHistory(client as Client, { type: 'CareTeam', id: '7' })).rejects.toThrow(
    'The records cannot be reached at the moment.',
  );
});
