import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { workspace } from '../packages/run.ts';

const read = (path: string): string => readFileSync(`${workspace}${path}`, 'utf8');

/** The code systems whose terms ask for a notice, by the addresses of their codes. */
const notices = { LOINC: 'http://loinc.org', 'SNOMED CT': 'http://snomed.info/sct' } as const;

test.each(globSync('packages/*/package.json', { cwd: workspace }))(
  '%s has the notice of each code system of which the package has a code',
  (manifest) => {
    const folder = manifest.slice(0, -'package.json'.length);
    const sources = globSync(['src/**/*.ts', 'README.md'], { cwd: workspace + folder })
      .map((file) => read(folder + file))
      .join('');
    const needed = Object.entries(notices).filter(([, address]) => sources.includes(address));
    const { files } = JSON.parse(read(manifest));
    expect(files.includes('NOTICE')).toBe(needed.length > 0);
    const notice = needed.length > 0 ? read(`${folder}NOTICE`) : '';
    expect(needed.filter(([name]) => !notice.includes(`\n${name}\n`))).toEqual([]);
  },
);
