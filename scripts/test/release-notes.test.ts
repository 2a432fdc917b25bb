import { expect, test } from 'vitest';
import { releaseNotes } from '../packages/release-notes.ts';

const changeset = (bump: string, text: string) => `---\n"@clinical-records/core": ${bump}\n---\n\n${text}\n`;

test('the notes of a release have new things before fixes', () => {
  expect(releaseNotes('0.3.1', [changeset('patch', 'A fix.'), changeset('minor', 'A search.')])).toBe(
    '# 0.4.0\n\n## New\n\nA search.\n\n## Fixed\n\nA fix.\n',
  );
});

test.each([
  ['0.3.1', 'major', '0.4.0'],
  ['1.3.1', 'major', '2.0.0'],
  ['1.3.1', 'minor', '1.4.0'],
  ['1.3.1', 'patch', '1.3.2'],
])('after %s, a %s change is released as %s', (version, bump, next) => {
  expect(releaseNotes(version, [changeset(bump, 'It.')])).toContain(`# ${next}\n`);
});
