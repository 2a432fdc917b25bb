import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fillClinicFile, isSound } from './clinic-file.ts';
import { newFile } from './files.ts';
import { tamper, tamperings } from './tampering.ts';

/** The clinic is filled once. Each test has a copy of its file. */
let filled: { readonly content: Buffer; readonly head: string } | null = null;

const copyClinicFile = async () => {
  const filename = newFile();
  if (filled === null) {
    const { head } = await fillClinicFile(filename);
    filled = { content: readFileSync(filename), head };
  }
  writeFileSync(filename, filled.content);
  return { filename, head: filled.head };
};

describe('a file that was changed behind the back of the library is not sound', () => {
  test('an unchanged file is sound, and has the head that was reported', async () => {
    const filename = newFile();
    const { discrepancies, head, versions } = await fillClinicFile(filename);
    expect(discrepancies).toEqual([]);
    expect(versions).toBeGreaterThan(15);
    expect(await isSound(filename, head)).toBe(true);
  });

  test.each(tamperings)('$name', async (tampering) => {
    const { filename, head } = await copyClinicFile();
    expect(await tamper(filename, tampering)).toBe(true);
    expect(await isSound(filename, head)).toBe(false);
    // Without a head, only what was cut off is not missed.
    expect(await isSound(filename)).toBe(tampering.needsHead === true);
  });
});
