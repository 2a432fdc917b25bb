import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { CommandError } from '../command/command-error.ts';

/** A file for all issues of an import, one on each line. It is created with the first issue. */
export type IssueFile = {
  readonly path: string;
  readonly write: (line: string) => void;
  /** Writes the waiting lines, and closes the file. */
  readonly close: () => void;
};

/** The number of characters that are written at a time. */
const maxBuffered = 65_536;

/** Removes a file of that path, which is of an earlier import. Its lines name patients, so only its owner can read it. */
export const createIssueFile = (path: string): IssueFile => {
  let file: number | null = null;
  let waiting = '';
  const attempt = (change: () => void): void => {
    try {
      change();
    } catch (cause) {
      throw new CommandError(`cannot write the issues into ${path}: ${(cause as Error).message}`, 'data');
    }
  };
  const flush = (): void => {
    attempt(() => {
      file ??= openSync(path, 'w', 0o600);
      for (let bytes = Buffer.from(waiting); bytes.length > 0; )
        bytes = bytes.subarray(writeSync(file, bytes));
    });
    waiting = '';
  };
  attempt(() => rmSync(path, { force: true }));
  return {
    path,
    write: (line) => {
      waiting += `${line}\n`;
      if (waiting.length >= maxBuffered) flush();
    },
    close: () => {
      if (waiting !== '') flush();
      if (file !== null) closeSync(file);
    },
  };
};
