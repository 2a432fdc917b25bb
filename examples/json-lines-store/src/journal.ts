import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** It is not known whether a line is in the file. Opening the file again finds out. */
export class InDoubtError extends Error {}

/** A file of JSON lines that only grows. Its functions throw if the file system fails. */
export type Journal = {
  /** Once this returns, the line is on the disk. If it throws an error other than `InDoubtError`, the line is not. */
  readonly append: (line: string) => void;
  /** Writes all lines again, each changed, and appends one. It is as durable as `append`. */
  readonly rewrite: (change: (value: never) => unknown, line: string) => void;
  readonly close: () => void;
};

const newline = 0x0a;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Passes on the value of every line, and returns the offset at which the last whole line ends. */
const replay = (bytes: Buffer, onValue: (value: unknown) => void): number => {
  let end = 0;
  for (let stop = bytes.indexOf(newline); stop !== -1; stop = bytes.indexOf(newline, end)) {
    let value: unknown;
    try {
      value = JSON.parse(utf8.decode(bytes.subarray(end, stop)));
    } catch (cause) {
      // The last line was never reported as written: the power failed during the write.
      if (stop === bytes.length - 1) return end;
      throw new Error(`The line at byte ${end} is damaged, and others follow it.`, { cause });
    }
    onValue(value);
    end = stop + 1;
  }
  return end;
};

/** Makes a rename or a new file survive a loss of power. Windows does not need it. */
const syncFolderOf = (filename: string): void => {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(filename), 'r');
  fsyncSync(folder);
  closeSync(folder);
};

const writeAll = (file: number, bytes: Buffer): void => {
  for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
};

/** Once this returns, the content of the file is on the disk. */
const writeFile = (filename: string, bytes: Buffer): void => {
  const file = openSync(filename, 'w');
  try {
    writeAll(file, bytes);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

export const openJournal = (filename: string, onValue: (value: unknown) => void): Journal => {
  let file = openSync(filename, 'a+');
  let end: number;
  try {
    end = replay(readFileSync(file), onValue);
    ftruncateSync(file, end);
    // Later results rely on these lines, which a process may have written that died before it synced.
    fsyncSync(file);
    syncFolderOf(filename);
  } catch (cause) {
    closeSync(file);
    throw cause;
  }

  let isSound = true;

  const undoAppend = (): void => {
    isSound = false;
    try {
      ftruncateSync(file, end);
      fsyncSync(file);
    } catch (cause) {
      throw new InDoubtError('It is not known how the file ends.', { cause });
    }
    isSound = true;
  };

  const append = (line: string): void => {
    if (!isSound) throw new Error('Writing has failed before. Open the file again.');
    const bytes = Buffer.from(`${line}\n`);
    try {
      writeAll(file, bytes);
      fdatasyncSync(file);
    } catch (cause) {
      // A caller that gets an error tries again, so nothing of the line may be left.
      undoAppend();
      throw cause;
    }
    end += bytes.length;
  };

  const rewrite: Journal['rewrite'] = (change, line) => {
    if (!isSound) throw new Error('Writing has failed before. Open the file again.');
    const lines: string[] = [];
    replay(readFileSync(filename), (value) => lines.push(JSON.stringify(change(value as never))));
    const bytes = Buffer.from([...lines, line].map((one) => `${one}\n`).join(''));
    writeFile(`${filename}.rewritten`, bytes);
    isSound = false;
    try {
      renameSync(`${filename}.rewritten`, filename);
      syncFolderOf(filename);
      closeSync(file);
      file = openSync(filename, 'a+');
    } catch (cause) {
      throw new InDoubtError('It is not known which file is in place.', { cause });
    }
    end = bytes.length;
    isSound = true;
  };

  return { append, rewrite, close: () => closeSync(file) };
};
