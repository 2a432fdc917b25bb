import { describe, expect, test } from 'vitest';
import { fillClinicFile, isSound } from './clinic-file.ts';
import { newFile } from './files.ts';
import { tamper, tamperings } from './tampering.ts';

describe('a file that was changed behind the back of the library is not sound', () => {
  test('an unchanged file is sound, and has the head that was reported', async () => {
    const filename = newFile();
    const { discrepancies, head, versions } = await fillClinicFile(filename);
    expect(discrepancies).toEqual([]);
    expect(versions).toBeGreaterThan(15);
    expect(await isSound(filename, head)).toBe(true);
  });

  test.each(tamperings)('$name', async (tampering) => {
    const filename = newFile();
    const { head } = await fillClinicFile(filename);
    expect(await tamper(filename, tampering)).toBe(true);
    expect(await isSound(filename, head)).toBe(false);
    // Without a head, only what was cut off is not missed.
    expect(await isSound(filename)).toBe(tampering.needsHead === true);
  });
});
