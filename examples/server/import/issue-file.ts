import { closeSync, openSync, writeSync } from 'node:fs';
import { CommandError } from '../command-error.ts';

/** A file for all issues of an import, one on each line. It is created with the first issue. */
export type IssueFile = {
  readonly path: string;
  readonly write: (line: string) => void;
  /** Writes the waiting lines, and closes the file. */
  readonly close: () => void;
};

/** The number of characters that are written at a time. */
const maxBuffered = 65_536;

/** Replaces a file of that path. Its lines name patients, so only its owner can read it. */
export const createIssueFile = (path: string): IssueFile => {
  let file: number | null = null;
  let waiting = '';
  const flush = (): void => {
    try {
      file ??= openSync(path, 'w', 0o600);
      for (let bytes = Buffer.from(waiting); bytes.length > 0; )
        bytes = bytes.subarray(writeSync(file, bytes));
    } catch (cause) {
      throw new CommandError(`cannot write the problems into ${path}: ${(cause as Error).message}`, 'data');
    }
    waiting = '';
  };
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
