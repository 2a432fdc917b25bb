import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The most files of all packages that a request may enter, so that its way can be read. */
const most = {
  'GET /Goal/{id}': 24,
  'GET /Goal?patient=': 40,
  'GET /CareTeam/{id}': 26,
  'PUT /CareTeam/{id}': 43,
  'POST /Immunization': 50,
  'an imported line': 40,
};

const program = fileURLToPath(new URL('print-entered-files.ts', import.meta.url));
const entered: Readonly<Record<string, readonly string[]>> = JSON.parse(
  execFileSync(process.execPath, [program], { encoding: 'utf8' }),
);

test.each(Object.entries(most))('%s enters at most %i files', (name, limit) => {
  const files = entered[name] ?? [];
  expect(files).not.toEqual([]);
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(limit);
});
