import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The number of characters that are written at a time. */
const maxBuffered = 65_536;

type OpenFile = { readonly descriptor: number; waiting: string };

/** The files of an export: one for each type of resource, with a resource on each line. */
export type TypeFiles = {
  readonly write: (type: string, json: string) => void;
  /** Writes the waiting lines to the disk, and closes the files. */
  readonly finish: () => void;
  /** Closes the files as they are. It may be called again. */
  readonly close: () => void;
};

const flush = (file: OpenFile): void => {
  for (let bytes = Buffer.from(file.waiting); bytes.length > 0; )
    bytes = bytes.subarray(writeSync(file.descriptor, bytes));
  file.waiting = '';
};

/** Creates files such as `Goal.ndjson` in a folder, each with its first resource. Only their owner can read them. */
export const createTypeFiles = (folder: string): TypeFiles => {
  const files = new Map<string, OpenFile>();
  const open = (type: string): OpenFile => {
    const file = { descriptor: openSync(join(folder, `${type}.ndjson`), 'wx', 0o600), waiting: '' };
    files.set(type, file);
    return file;
  };
  const close = (): void => {
    for (const { descriptor } of files.values()) closeSync(descriptor);
    files.clear();
  };
  return {
    write: (type, json) => {
      const file = files.get(type) ?? open(type);
      file.waiting += `${json}\n`;
      if (file.waiting.length >= maxBuffered) flush(file);
    },
    finish: () => {
      for (const file of files.values()) {
        flush(file);
        fsyncSync(file.descriptor);
      }
      close();
    },
    close,
  };
};
