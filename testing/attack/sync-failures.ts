/**
 * Tests disks that fail to sync at COMMIT, with a preloaded C library that makes `fdatasync` fail. It compares the
 * store's results with the content of the file after the process is killed. A commit that was reported as written must
 * be in the file. A commit that was reported as not written must not. Only for an unknown outcome, both are allowed.
 *
 * node testing/attack/sync-failures.ts
 *
 * It needs Linux and gcc.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anyVersion, orThrow, type RecordChange } from '@clinical-records/core/store';
import { openSqliteStore } from '@clinical-records/store-sqlite';

const shim = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Takes one from the number in a file. As long as it is above 0, to sync fails. */
static int fails(void) {
  const char *name = getenv("SYNC_FAILURES");
  FILE *file = name ? fopen(name, "r+") : NULL;
  int left = 0;
  if (!file) return 0;
  if (fscanf(file, "%d", &left) == 1 && left > 0) {
    rewind(file);
    fprintf(file, "%d\\n", left - 1);
  }
  fclose(file);
  return left > 0;
}

int fdatasync(int fd) {
  if (fails()) { errno = EIO; return -1; }
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd);
}

int fsync(int fd) {
  if (fails()) { errno = EIO; return -1; }
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}
`;

const change = (id: string): RecordChange => ({
  ...{ type: 'Goal', id, patientId: 'p', at: 1, by: null },
  ...{ state: '{}', resource: '{}', index: [], expects: anyVersion },
});

type CommitOutcomes = readonly (readonly [id: string, outcome: string])[];

/** Runs in a process of its own: writes, makes some syncs fail, writes again at once, and is killed. */
const write = async (filename: string, failures: string, count: string, then: string): Promise<void> => {
  const store = openSqliteStore({ filename });
  const commit = async (...ids: readonly string[]): Promise<CommitOutcomes> => {
    const outcomes = await Promise.all(
      ids.map((id) => store.commit({ changes: [change(id)], versionChecks: [] })),
    );
    return outcomes.map((outcome, at) => [
      ids[at] ?? '',
      outcome._tag === 'Right' ? 'written' : outcome.left._tag,
    ]);
  };
  const ends = [...(await commit('a')), ...(await commit('b', 'c'))];
  writeFileSync(failures, `${count}\n`);
  ends.push(...(await commit('d', 'e', 'f')));
  if (then !== 'dies at once') ends.push(...(await commit('g')));
  if (then === 'recovers') {
    writeFileSync(failures, '0\n');
    ends.push(...(await commit('h')));
  }
  writeSync(1, JSON.stringify(ends));
  process.kill(process.pid, 'SIGKILL');
};

const attack = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-attack-'));
  const library = join(folder, 'shim.so');
  writeFileSync(join(folder, 'shim.c'), shim);
  execFileSync('gcc', ['-shared', '-fPIC', '-o', library, join(folder, 'shim.c'), '-ldl']);
  let lies = 0;
  let unknown = 0;
  for (const count of [1, 2, 3, 1_000_000]) {
    for (const then of ['dies at once', 'dies', 'recovers']) {
      const filename = join(folder, `${count}-${then}.db`);
      const failures = join(folder, `${count}-${then}.txt`);
      const { stdout } = spawnSync(
        process.execPath,
        [fileURLToPath(import.meta.url), filename, failures, String(count), then],
        { env: { ...process.env, LD_PRELOAD: library, SYNC_FAILURES: failures } },
      );
      const ends = JSON.parse(String(stdout)) as CommitOutcomes;
      const store = openSqliteStore({ filename });
      const reports: string[] = [];
      for (const [id, outcome] of ends) {
        const isThere = (await orThrow(store.read({ type: 'Goal', id }))) !== null;
        if (outcome === 'OutcomeUnknown') unknown += 1;
        else if (isThere !== (outcome === 'written')) lies += 1;
        reports.push(`${id} ${outcome}${isThere ? ', there' : ', not there'}`);
      }
      await store.close();
      console.log(`${count} syncs fail, then the process ${then}: ${reports.join('; ')}`);
    }
  }
  rmSync(folder, { recursive: true });
  console.log(`answers that were wrong: ${lies}; outcomes that were answered as unknown: ${unknown}`);
  if (lies > 0) process.exitCode = 1;
};

const [filename, failures, count, then] = process.argv.slice(2);
if (filename !== undefined && failures !== undefined && count !== undefined && then !== undefined)
  await write(filename, failures, count, then);
else await attack();
