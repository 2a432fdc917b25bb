/**
 * Flips single bits of a file at rest. Whatever is then answered otherwise than before must be noticed: when the file is opened or
 * read, or by `verify`, which knows the head. Exits with 1 where a bit is served wrong unnoticed.
 *
 *     node bench/attack/bits.ts [--bits=2000] [--seed=1]
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { below, randomFrom } from '../data/random.ts';
import { answersOf, refsIn } from './damage/answers.ts';
import { makeClinicFile, openClinic } from './damage/clinic-file.ts';
import { complaintsOf } from './damage/complaints.ts';

const { values } = parseArgs({
  options: { bits: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});
const random = randomFrom(Number(values.seed));
const folder = mkdtempSync(join(tmpdir(), 'bits-'));
const [original, damaged] = [join(folder, 'clinic.db'), join(folder, 'damaged.db')];

const opened = async <A>(filename: string, work: (clinic: ReturnType<typeof openClinic>) => Promise<A>) => {
  const clinic = openClinic({ filename });
  try {
    return await work(clinic);
  } finally {
    await clinic.store.close()();
  }
};

const place = (bytes: Buffer, filename: string): void => {
  for (const log of ['-wal', '-shm']) rmSync(filename + log, { force: true });
  writeFileSync(filename, bytes);
};

const counts = { harmless: 0, 'not opened or not read': 0, 'noticed by verify': 0, unnoticed: 0 };

const tryOut = async (
  bytes: Buffer,
  { refs, truth, head }: { refs: Awaited<ReturnType<typeof refsIn>>; truth: string; head: string },
): Promise<keyof typeof counts> => {
  place(bytes, damaged);
  let answers: string;
  try {
    answers = await opened(damaged, (clinic) => answersOf(clinic, refs));
  } catch {
    return 'not opened or not read';
  }
  if (answers === truth) return 'harmless';
  place(bytes, damaged);
  return (await complaintsOf(damaged, head)).length > 0 ? 'noticed by verify' : 'unnoticed';
};

try {
  const head = await makeClinicFile(original);
  const bytes = readFileSync(original);
  place(bytes, damaged);
  const refs = await opened(damaged, refsIn);
  const truth = await opened(damaged, (clinic) => answersOf(clinic, refs));
  const complaints = await complaintsOf(damaged, head);
  if (complaints.length > 0) throw new Error(`The file itself is not sound: ${complaints.join()}`);

  console.log(`${values.bits} single bits of a file of ${bytes.length} bytes, seed ${values.seed}`);
  for (let times = 0; times < Number(values.bits); times++) {
    const [byte, bit] = [below(random, bytes.length), below(random, 8)];
    const flipped = Buffer.from(bytes);
    flipped[byte] = (flipped[byte] as number) ^ (1 << bit);
    const outcome = await tryOut(flipped, { refs, truth, head });
    counts[outcome] += 1;
    if (outcome === 'unnoticed') console.log(`  unnoticed: bit ${bit} of byte ${byte}`);
  }
  for (const [outcome, count] of Object.entries(counts)) console.log(`${outcome}: ${count}`);
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = counts.unnoticed === 0 ? 0 : 1;
