/**
 * Flips single bits of a closed file. Each flip that changes a response must be noticed: when the file is opened or
 * read, or by `verify` with the head. Exits with 1 if a wrong response goes unnoticed.
 *
 * node testing/attack/bits.ts [--bits=2000] [--seed=1]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { below, randomFrom } from '../../bench/data/random.ts';
import { makeClinicFile, openClinic } from './damage/clinic-file.ts';
import { digestResponses, listRefs } from './damage/digest-responses.ts';
import { findIssues } from './damage/find-issues.ts';

const { values } = parseArgs({
  options: { bits: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});
const random = randomFrom(Number(values.seed));
const folder = mkdtempSync(join(tmpdir(), 'bits-'));
const [original, damaged] = [join(folder, 'clinic.db'), join(folder, 'damaged.db')];

const withClinic = async <A>(
  filename: string,
  work: (clinic: ReturnType<typeof openClinic>) => Promise<A>,
) => {
  const clinic = openClinic({ filename });
  try {
    return await work(clinic);
  } finally {
    await clinic.store.close();
  }
};

const placeFile = (bytes: Buffer, filename: string): void => {
  for (const log of ['-wal', '-shm']) rmSync(filename + log, { force: true });
  writeFileSync(filename, bytes);
};

const counts = { harmless: 0, 'not opened or not read': 0, 'noticed by verify': 0, unnoticed: 0 };

const tryBitFlip = async (
  bytes: Buffer,
  { refs, truth, head }: { refs: Awaited<ReturnType<typeof listRefs>>; truth: string; head: string },
): Promise<keyof typeof counts> => {
  placeFile(bytes, damaged);
  let answers: string;
  try {
    answers = await withClinic(damaged, (clinic) => digestResponses(clinic, refs));
  } catch {
    return 'not opened or not read';
  }
  if (answers === truth) return 'harmless';
  placeFile(bytes, damaged);
  return (await findIssues(damaged, head)).length > 0 ? 'noticed by verify' : 'unnoticed';
};

try {
  const head = await makeClinicFile(original);
  const bytes = readFileSync(original);
  placeFile(bytes, damaged);
  const refs = await withClinic(damaged, listRefs);
  const truth = await withClinic(damaged, (clinic) => digestResponses(clinic, refs));
  const complaints = await findIssues(damaged, head);
  if (complaints.length > 0) throw new Error(`The file itself is not sound: ${complaints.join()}`);

  console.log(`${values.bits} single bits of a file of ${bytes.length} bytes, seed ${values.seed}`);
  for (let times = 0; times < Number(values.bits); times++) {
    const [byte, bit] = [below(random, bytes.length), below(random, 8)];
    const flipped = Buffer.from(bytes);
    flipped[byte] = (flipped[byte] as number) ^ (1 << bit);
    const outcome = await tryBitFlip(flipped, { refs, truth, head });
    counts[outcome] += 1;
    if (outcome === 'unnoticed') console.log(`  unnoticed: bit ${bit} of byte ${byte}`);
  }
  for (const [outcome, count] of Object.entries(counts)) console.log(`${outcome}: ${count}`);
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = counts.unnoticed === 0 ? 0 : 1;
