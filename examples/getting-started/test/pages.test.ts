import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { inFolder, printed, textOf, whileServing } from './running.ts';

/** Processes take the time that the machine leaves them. */
const timeout = 60_000;

/** The code blocks of a document in a language. */
const blocksIn = (document: string, language: string): readonly string[] =>
  [...document.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, code]) => code ?? '',
  );

test('the first care team prints what the page says, and finds what is there when it runs again', {
  timeout,
}, async () => {
  const [shown] = blocksIn(textOf('../../docs/getting-started.md'), 'text');
  await inFolder(async (folder) => {
    expect(await printed('first-care-team.ts', folder)).toBe(shown);
    expect(await printed('first-care-team.ts', folder)).toContain('2 of her goals:\n');
  });
});

test("the README's code serves what its curl line asks for", { timeout }, async () => {
  const request = blocksIn(textOf('../../README.md'), 'sh').find((code) => code.startsWith('curl')) ?? '';
  await whileServing('embed.ts', async ({ said, origin }) => {
    expect(said).toContain('Care Team for Shaw, Amy: 1 active\n');
    const line = request.replace('http://127.0.0.1:3000', origin);
    const { stdout } = await promisify(execFile)('sh', ['-c', line]);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(textOf('shown/care-team.json')));
    const withoutSession = await fetch(`${origin}/fhir/CareTeam/7`);
    expect(withoutSession.status).toBe(401);
    expect(await (await fetch(origin)).text()).toBe('Your backend');
  });
});
