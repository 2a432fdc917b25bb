import { expect, test } from 'vitest';
import { createCopyProgress } from '../../copy/copy-progress.ts';

test('each tenth of a copy is one line, with the percentage of its versions', () => {
  let shown = '';
  const show = createCopyProgress(3002, (text) => {
    shown += text;
  });
  for (const copied of [100, 500, 550, 1000, 3000, 3002, 3003]) show(copied);
  expect(shown.split('\n')).toEqual([
    'Copying: 16 %, 500 versions',
    'Copying: 33 %, 1000 versions',
    'Copying: 99 %, 3000 versions',
    'Copying: 100 %, 3002 versions',
    '',
  ]);
});
