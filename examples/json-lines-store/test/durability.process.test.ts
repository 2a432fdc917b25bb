import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { erasedState, exactVersion } from '@clinical-records/core/store';
import { afterEach, expect, test } from 'vitest';
import { openJsonLinesStore } from '../src/json-lines-store.ts';
import { newFile, removeFolders } from './files.ts';
import { change, commit, readEverything } from './records.ts';

afterEach(removeFolders);

const script = fileURLToPath(new URL('writer.ts', import.meta.url));

const runWriter = async (filename: string) => {
  const store = openJsonLinesStore({ filename });
  await commit(store, change('a'), change('b'));
  await commit(store, change('a', { resource: null }));
  const content = await readEverything(store);
  await store.close();
  return content;
};

const contentOf = async (filename: string) => {
  const store = openJsonLinesStore({ filename });
  const content = await readEverything(store);
  await store.close();
  return content;
};

test('a store that is opened again returns the same content, and continues from there', async () => {
  const filename = newFile();
  const before = await runWriter(filename);
  expect(await contentOf(filename)).toEqual(before);

  const store = openJsonLinesStore({ filename });
  expect(await commit(store, change('c'), change('a'))).toEqual([1, 3]);
  const { feed, records } = await readEverything(store);
  expect(feed.map(({ position }) => position)).toEqual(['1', '2', '3', '4', '5']);
  expect(records.map(({ id, position }) => [id, position])).toEqual([
    ['a', '1'],
    ['b', '2'],
    ['c', '3'],
  ]);
  await store.close();
});

test('an erasure takes the erased texts out of the file, which is opened again with the same content', async () => {
  const filename = newFile();
  const store = openJsonLinesStore({ filename });
  await commit(store, change('a', { state: '{"secret":1}' }), change('b'));
  await commit(store, change('a', { state: '{"secret":2}', resource: '{"secret":2}' }));
  const priorStates = [1, 2].map(() => erasedState('0'.repeat(64)));
  const erasure = { state: '{}', resource: null, index: [], expects: exactVersion(2), priorStates };
  await commit(store, change('a', erasure));
  await commit(store, change('b'));
  expect(readFileSync(filename, 'utf8')).not.toMatch(/secret/);
  const before = await readEverything(store);
  await store.close();
  expect(await contentOf(filename)).toEqual(before);
});

test('a commit that was reported as done is in the file, although the store was never closed', async () => {
  const filename = newFile();
  const copy = newFile();
  const store = openJsonLinesStore({ filename });
  await commit(store, change('a'));
  writeFileSync(copy, readFileSync(filename));
  expect(await contentOf(copy)).toEqual(await readEverything(store));
  await store.close();
});

test('a last line that is torn anywhere is dropped, and the next commit replaces it', async () => {
  const filename = newFile();
  const before = await runWriter(filename);
  const whole = readFileSync(filename).length;
  const store = openJsonLinesStore({ filename });
  await commit(store, change('torn'), change('b'));
  await store.close();
  const file = readFileSync(filename);

  for (let size = file.length - 1; size >= whole; size -= 1) {
    truncateSync(filename, size);
    expect(await contentOf(filename)).toEqual(before);
    writeFileSync(filename, file);
  }
  truncateSync(filename, whole + 10);
  const again = openJsonLinesStore({ filename });
  expect(await commit(again, change('b'))).toEqual([2]);
  const content = await readEverything(again);
  await again.close();
  expect(await contentOf(filename)).toEqual(content);
});

test('a last line whose end is on the disk and whose middle is missing is torn, too', async () => {
  for (const middle of ['\0\0\0\0', '\u00ff']) {
    const filename = newFile();
    const before = await runWriter(filename);
    appendFileSync(filename, Buffer.from(`[{"type":"Goal","id":"${middle}"}]\n`, 'latin1'));
    expect(await contentOf(filename)).toEqual(before);
  }
});

test('a file that is damaged before its last line is not opened and not changed', async () => {
  const filename = newFile();
  await runWriter(filename);
  const damaged = readFileSync(filename, 'utf8').replace('"type"', '"type');
  writeFileSync(filename, damaged);
  expect(() => openJsonLinesStore({ filename })).toThrow('The line at byte 0 is damaged');
  expect(readFileSync(filename, 'utf8')).toBe(damaged);
});

/** Runs the writer, and returns the lines that it printed. `onLine` gets the process and its lines so far. */
const linesOf = async (
  command: readonly [program: string, ...args: string[]],
  onLine: (writer: ChildProcess, lines: readonly string[]) => void = () => {},
): Promise<readonly string[]> => {
  const [program, ...args] = command;
  const writer = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = new Promise((resolve) => writer.once('close', resolve));
  const lines: string[] = [];
  for await (const line of createInterface({ input: writer.stdout })) {
    lines.push(line);
    onLine(writer, lines);
  }
  await gone;
  return lines;
};

test('every commit that was reported to a writer before it was killed is in the file', async () => {
  const filename = newFile();
  const lines = await linesOf([process.execPath, script, filename], (writer, { length }) => {
    if (length === 50) writer.kill('SIGKILL');
  });
  const { records } = await contentOf(filename);
  expect(lines.length).toBeGreaterThanOrEqual(50);
  expect(records.map(({ id }) => id).slice(0, lines.length)).toEqual(lines);
});

test.skipIf(process.platform === 'win32')(
  'on a full disk, commits are Unavailable, and earlier commits stay',
  async () => {
    const filename = newFile();
    const full = 'trap "" XFSZ; ulimit -f 16; exec "$0" "$@"';
    const lines = await linesOf(['sh', '-c', full, process.execPath, script, filename]);
    expect(lines.length).toBeGreaterThan(10);
    expect(lines.slice(-2)).toEqual(['refused', 'refused']);
    // Nothing is left of what was refused.
    expect(readFileSync(filename, 'utf8').split('\n')).toHaveLength(lines.length - 1);
    expect((await contentOf(filename)).records.map(({ id }) => id)).toEqual(lines.slice(0, -2));
  },
);

test.runIf(process.platform === 'linux')(
  'if a commit can neither be written nor undone, its outcome is unknown, and later commits are refused',
  async () => {
    const script = fileURLToPath(new URL('writer-without-file.ts', import.meta.url));
    const lines = await linesOf([process.execPath, script, newFile()]);
    expect(lines).toEqual(['OutcomeUnknown', 'Unavailable']);
  },
);
