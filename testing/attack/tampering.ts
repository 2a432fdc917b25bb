/**
 * Changes a file by SQL, in every way listed, and prints what `verify` reports, with and without an earlier head. Exits
 * with 1 if a change that it must find goes unnoticed.
 *
 * node testing/attack/tampering.ts
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tamper, tamperings } from '../../packages/store-sqlite/test/tampering.ts';
import { makeClinicFile, openClinic } from './damage/clinic-file.ts';
import { findIssues } from './damage/find-issues.ts';

const folder = mkdtempSync(join(tmpdir(), 'tampering-'));
const [original, tampered] = [join(folder, 'clinic.db'), join(folder, 'tampered.db')];

const formatIssues = (complaints: readonly string[]): string =>
  complaints.length === 0 ? 'nothing' : [...new Set(complaints)].join(', ');

let unnoticed = 0;
try {
  await makeClinicFile(original);
  const { store, records } = openClinic({ filename: original });
  await records.directory.put('Organization', { id: 'newest', name: 'The newest version' });
  const { head } = await records.verify();
  await store.close();

  for (const tampering of tamperings) {
    for (const log of ['', '-wal', '-shm']) rmSync(tampered + log, { force: true });
    copyFileSync(original, tampered);
    if (!(await tamper(tampered, tampering))) throw new Error(`This changed nothing: ${tampering.name}`);
    const [withHead, without] = [await findIssues(tampered, head), await findIssues(tampered)];
    const isFound = withHead.length > 0 && (without.length > 0 || tampering.needsHead === true);
    if (!isFound) unnoticed += 1;
    console.log(`${tampering.name}: ${formatIssues(withHead)}; without a head: ${formatIssues(without)}`);
  }
  console.log(`unnoticed: ${unnoticed} of ${tamperings.length}`);
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = unnoticed === 0 ? 0 : 1;
