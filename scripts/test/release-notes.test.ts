import { expect, test } from 'vitest';
import { newestNotes, releaseNotes } from '../packages/release-notes.ts';

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
  expect(releaseNotes(version, [changeset(bump, 'It.\n\n**Upgrade.** Do it.')])).toContain(`# ${next}\n`);
});

test('a change that breaks programs says how to upgrade; a fix need not', () => {
  expect(() => releaseNotes('1.3.1', [changeset('major', 'It.')])).toThrow(
    'needs a paragraph "**Upgrade.** …": It.',
  );
  expect(releaseNotes('1.3.1', [changeset('patch', 'It.')])).toContain('It.');
});

test('the newest notes of a changelog are the first', () => {
  const [newer, older] = [releaseNotes('1.3.0', []), releaseNotes('1.2.0', [changeset('minor', 'It.')])];
  expect(newestNotes(`${newer}\n${older}`)).toBe(newer);
});
