import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { parseFlags } from '../../command/flags.ts';
import { endAll, newFolder } from '../running-server.ts';

afterAll(endAll);

const unit = readFileSync(new URL('../../deploy/clinical-records.service', import.meta.url), 'utf8');
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const analyze = '/usr/bin/systemd-analyze';

/** The unit for an installation in the folder of this project. */
const installedUnit = async (): Promise<string> => {
  const file = join(await newFolder(), 'clinical-records.service');
  await writeFile(file, unit.replaceAll('/opt/clinical-records', root.replace(/\/$/, '')));
  return file;
};

test('the flags of the unit are flags of the server', () => {
  const [, args = ''] = /^ExecStart=.* examples\/server\/server\.ts (.*)$/m.exec(unit) ?? [];
  expect(parseFlags(args.split(' '))).toMatchObject({ empty: true, log: 'json' });
});

test.skipIf(!existsSync(analyze))(
  'systemd accepts the unit, and rates its exposure as 1.5 of 10 at most',
  async () => {
    const file = await installedUnit();
    const run = promisify(execFile);
    expect(await run(analyze, ['verify', '--man=no', file])).toEqual({ stdout: '', stderr: '' });
    const rated = await run(analyze, ['security', '--offline=true', '--threshold=15', '--no-pager', file]);
    expect(rated.stdout).toContain('Overall exposure level');
  },
);
