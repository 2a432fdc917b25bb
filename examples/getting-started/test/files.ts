import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export const fileAt = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export const textOf = (path: string): string => readFileSync(fileAt(path), 'utf8');

/** An empty folder, which is gone after the test. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};
