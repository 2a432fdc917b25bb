import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Nobody knows whether a line is in the file: opening it anew finds out. */
export class InDoubtError extends Error {}

/** A file of JSON lines that only grows. Its functions throw where the file system fails. */
export type Journal = {
  /** The line is on the disk once this returns, and is not once this throws anything but `InDoubtError`. */
  readonly append: (line: string) => void;
  readonly close: () => void;
};

const newline = 0x0a;

const utf8 = new TextDecoder('utf-8', { fatal: true });

// #region replay
/** Hands on the value of every line, and answers where the last whole line ends. */
const replay = (bytes: Buffer, onValue: (value: unknown) => void): number => {
  let end = 0;
  for (let stop = bytes.indexOf(newline); stop !== -1; stop = bytes.indexOf(newline, end)) {
    let value: unknown;
    try {
      value = JSON.parse(utf8.decode(bytes.subarray(end, stop)));
    } catch (cause) {
      // Nobody was told that the last line is there: it was being written when the power went.
      if (stop === bytes.length - 1) return end;
      throw new Error(`The line at byte ${end} is damaged, and others follow it.`, { cause });
    }
    onValue(value);
    end = stop + 1;
  }
  return end;
};
// #endregion

/** What a rename or a new file needs to outlive a loss of power; Windows has no such thing. */
const syncFolderOf = (filename: string): void => {
  if (process.platform === 'win32') return;
  const folder = openSync(dirname(filename), 'r');
  fsyncSync(folder);
  closeSync(folder);
};

// #region journal
export const openJournal = (filename: string, onValue: (value: unknown) => void): Journal => {
  const file = openSync(filename, 'a+');
  let end: number;
  try {
    end = replay(readFileSync(file), onValue);
    ftruncateSync(file, end);
    // What is answered from now on must not be lost, and may come from a process that died before it synced.
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
      throw new InDoubtError('Nobody knows how the file ends.', { cause });
    }
    isSound = true;
  };

  const append = (line: string): void => {
    if (!isSound) throw new Error('Writing has failed before. Open the file anew.');
    const bytes = Buffer.from(`${line}\n`);
    try {
      for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written);
      fdatasyncSync(file);
    } catch (cause) {
      // Who is told that nothing was written tries again: nothing may be left of it, whole or torn.
      undoAppend();
      throw cause;
    }
    end += bytes.length;
  };

  return { append, close: () => closeSync(file) };
};
// #endregion
