import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The most files of all packages that a request may enter, so that its way can be read, and its most calls of what they export. */
const most = {
  'GET /Goal/{id}': { files: 22, calls: 45 },
  'GET /Goal?patient=': { files: 40, calls: 90 },
  'GET /CareTeam/{id}': { files: 26, calls: 56 },
  'PUT /CareTeam/{id}': { files: 43, calls: 205 },
  'POST /Immunization': { files: 50, calls: 190 },
  'an imported line': { files: 41, calls: 160 },
};

type Entered = { readonly files: readonly string[]; readonly calls: number };

const program = fileURLToPath(new URL('print-entered-files.ts', import.meta.url));
const entered: Readonly<Record<string, Entered>> = JSON.parse(
  execFileSync(process.execPath, [program], { encoding: 'utf8' }),
);

test.each(Object.entries(most))('%s enters no more files, and makes no more calls', (name, limit) => {
  const { files = [], calls = 0 } = entered[name] ?? {};
  expect(files).not.toEqual([]);
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(limit.files);
  expect(calls).toBeLessThanOrEqual(limit.calls);
});
