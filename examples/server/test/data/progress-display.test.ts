import { expect, test } from 'vitest';
import { createProgressDisplay } from '../../import/progress-display.ts';

const textShownOn = (screen: { readonly isTTY?: boolean; readonly columns?: number }): string => {
  let shown = '';
  const display = createProgressDisplay({
    ...screen,
    write: (text) => {
      shown += text;
    },
  });
  display.show(0.04, { read: 4, imported: 4, waiting: 0 });
  display.show(0.5, { read: 50, imported: 48, waiting: 0 });
  display.show(0.55, { read: 55, imported: 53, waiting: 0 });
  display.show(1, { read: 100, imported: 98, waiting: 0 });
  display.end(1, { read: 100, imported: 98, waiting: 0 });
  return shown;
};

test('on a terminal, a bar is redrawn in place, and is never wider than the terminal', () => {
  const frames = textShownOn({ isTTY: true, columns: 40 }).split('\r').slice(1);
  expect(frames).toHaveLength(5);
  expect(frames[1]).toContain('Importing ████████████░░░░░░░░░░░░');
  expect(frames.at(-1)?.endsWith('\n')).toBe(true);
  for (const frame of frames) expect(frame.replace('\u001b[K', '').trimEnd().length).toBeLessThan(40);
});

test('elsewhere, each completed tenth is one line', () => {
  expect(textShownOn({})).toBe(
    'Importing:  50 %, 50 read, 48 imported\nImporting: 100 %, 100 read, 98 imported\n',
  );
});

test('elsewhere, each completed tenth of the waiting resources is one line, too', () => {
  let shown = '';
  const display = createProgressDisplay({
    write: (text) => {
      shown += text;
    },
  });
  display.show(0.95, { read: 100, imported: 0, waiting: 60 });
  display.show(1, { read: 200, imported: 0, waiting: 200 });
  for (const waiting of [150, 145, 100]) display.show(1, { read: 200, imported: 200 - waiting, waiting });
  display.end(1, { read: 200, imported: 200, waiting: 0 });
  expect(shown.split('\n')).toEqual([
    'Importing:  95 %, 100 read, 0 imported, 60 waiting',
    'Importing: 100 %, 200 read, 50 imported, 150 waiting',
    'Importing: 100 %, 200 read, 100 imported, 100 waiting',
    'Importing: 100 %, 200 read, 200 imported',
    '',
  ]);
});
