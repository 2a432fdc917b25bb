import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fileAt, newFolder, textOf } from './files.ts';

const execute = promisify(execFile);

/** The code blocks of a document in a language. */
const blocksIn = (document: string, language: string): readonly string[] =>
  [...document.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code]) => code ?? '',
  );

test('the first care team prints what the page says, and finds the existing records when it runs again', async () => {
  const [shown] = blocksIn(textOf('../../docs/getting-started.md'), 'text');
  const cwd = newFolder();
  const printed = async () =>
    (await execute(process.execPath, [fileAt('first-care-team.ts')], { cwd })).stdout;
  expect(await printed()).toBe(shown);
  expect(await printed()).toContain('2 of her goals:\n');
});
