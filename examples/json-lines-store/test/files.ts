import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/** The name of a file that is not there yet, in a folder of its own. */
export const newFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'json-lines-store-'));
  folders.push(folder);
  return join(folder, 'clinic.jsonl');
};

export const removeFolders = (): void => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
};
