import { expect, test } from 'vitest';
import { progressOn } from '../import/progress.ts';

const shownOn = (screen: { readonly isTTY?: boolean; readonly columns?: number }): string => {
  let shown = '';
  const display = progressOn({
    ...screen,
    write: (text) => {
      shown += text;
    },
  });
  display.show(0.04, { read: 4, taken: 4, waiting: 0 });
  display.show(0.5, { read: 50, taken: 48, waiting: 0 });
  display.show(0.55, { read: 55, taken: 53, waiting: 0 });
  display.show(1, { read: 100, taken: 98, waiting: 0 });
  display.end(1, { read: 100, taken: 98, waiting: 0 });
  return shown;
};

test('on a terminal a bar is drawn over itself, and never wider than the terminal', () => {
  const frames = shownOn({ isTTY: true, columns: 40 }).split('\r').slice(1);
  expect(frames).toHaveLength(5);
  expect(frames[1]).toContain('Importing ████████████░░░░░░░░░░░░');
  expect(frames.at(-1)?.endsWith('\n')).toBe(true);
  for (const frame of frames) expect(frame.replace('\u001b[K', '').trimEnd().length).toBeLessThan(40);
});

test('elsewhere there is a line for each tenth that is passed', () => {
  expect(shownOn({})).toBe('Importing:  50 %, 50 read, 48 taken\nImporting: 100 %, 100 read, 98 taken\n');
});

test('elsewhere there is also a line for each tenth of what had to wait', () => {
  let shown = '';
  const display = progressOn({
    write: (text) => {
      shown += text;
    },
  });
  display.show(0.95, { read: 100, taken: 0, waiting: 60 });
  display.show(1, { read: 200, taken: 0, waiting: 200 });
  for (const waiting of [150, 145, 100]) display.show(1, { read: 200, taken: 200 - waiting, waiting });
  display.end(1, { read: 200, taken: 200, waiting: 0 });
  expect(shown.split('\n')).toEqual([
    'Importing:  95 %, 100 read, 0 taken, 60 waiting',
    'Importing: 100 %, 200 read, 50 taken, 150 waiting',
    'Importing: 100 %, 200 read, 100 taken, 100 waiting',
    'Importing: 100 %, 200 read, 200 taken',
    '',
  ]);
});
