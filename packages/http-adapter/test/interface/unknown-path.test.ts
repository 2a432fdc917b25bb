import { expect, test } from 'vitest';
import { onEveryStore } from '../stores.ts';

onEveryStore('Decisions: Status codes', (clinic) => {
  test.each(['/Patient/7', '/Goal/7/8', '/Goal/', '/'])('a path where there is nothing: %s', async (path) => {
    const { status, json } = await clinic().send('GET', path);
    expect([status, json.issue]).toEqual([
      404,
      [
        {
          severity: 'error',
          code: 'not-found',
          details: { text: 'Unknown resource' },
          diagnostics: 'There is nothing at this path.',
        },
      ],
    ]);
  });
});
