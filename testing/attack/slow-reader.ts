/**
 * A reader keeps an old snapshot during many writes, and then ends. No later commit may have to copy the whole log.
 *
 * node testing/attack/slow-reader.ts
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { anyVersion, orThrow, type RecordChange } from '@clinical-records/core/store';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';

const logMiB = 400;
const maxCommitTime = 1000;
const timeLimit = 90_000;

const folder = mkdtempSync(join(tmpdir(), 'clinical-records-attack-'));
const filename = join(folder, 'clinic.db');
const logSize = () => (statSync(`${filename}-wal`, { throwIfNoEntry: false })?.size ?? 0) / 2 ** 20;
const store = openSqliteStore({ filename });

let written = 0;
const change = (length: number): RecordChange => {
  written += 1;
  return {
    ...{ type: 'Goal', id: `g${written}`, patientId: 'p', at: 1, by: null },
    ...{ state: 'x'.repeat(length), resource: '{}', index: [], expects: anyVersion },
  };
};
const commit = async (...changes: readonly RecordChange[]): Promise<number> => {
  const began = performance.now();
  await orThrow(store.commit({ changes, versionChecks: [] }));
  return performance.now() - began;
};
const formatTimes = (times: readonly number[]) => {
  const sorted = times.toSorted((a, b) => a - b);
  return `median ${(sorted[sorted.length >> 1] ?? 0).toFixed(1)} ms, longest ${(sorted.at(-1) ?? 0).toFixed(0)} ms`;
};

await commit(change(10));
const reader = new Database(filename, { readonly: true });
reader.exec('BEGIN');
reader.prepare('SELECT count(*) FROM records').get();

const during: number[] = [];
while (logSize() < logMiB) during.push(await commit(...Array.from({ length: 16 }, () => change(250_000))));
console.log(
  `log while a reader keeps its snapshot: ${logSize().toFixed(0)} MiB; commits of 4 MB: ${formatTimes(during)}`,
);

reader.close();
const after: number[] = [];
const began = performance.now();
for (let quiet = 0; quiet < 200 && performance.now() - began < timeLimit; ) {
  after.push(await commit(change(100)));
  await setTimeout(10);
  if (logSize() < 64) quiet += 1;
}
console.log(`${after.length} small commits after it has ended: ${formatTimes(after)}`);
console.log(`log in the end: ${logSize().toFixed(0)} MiB`);
await store.close();
console.log(`left beside the file once it is closed: ${logSize() > 0 ? 'a log' : 'nothing'}`);
rmSync(folder, { recursive: true });
if (Math.max(...after) > maxCommitTime) {
  console.log(`a commit took longer than ${maxCommitTime} ms`);
  process.exitCode = 1;
}
