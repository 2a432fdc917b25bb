import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, workspace } from './packages/run.ts';

// Packs every package twice and compares the bytes, so that anybody can verify from which source a tarball was built.

const digestsOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, hash('sha256', readFileSync(join(folder, name)))]),
  );

const folder = mkdtempSync(join(tmpdir(), 'clinical-records-packed-'));
try {
  const pack = async (into: string) => {
    await run(workspace, 'npm', 'run', '--silent', 'tarballs', into);
    return digestsOf(into);
  };
  const { TARBALLS: packed } = process.env;
  const first = packed === undefined ? await pack(join(folder, 'first')) : digestsOf(packed);
  assert.deepEqual(await pack(join(folder, 'again')), first, 'A package was packed with other bytes.');
  console.log(
    Object.entries(first)
      .map(([name, digest]) => `${digest}  ${name}`)
      .join('\n'),
  );
} catch (cause) {
  console.error(cause instanceof Error ? cause.message : cause);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
