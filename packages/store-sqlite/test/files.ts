import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The name of a file that is not there yet, in a folder of its own, which is gone after the test. */
export const newFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'clinic.db');
};
