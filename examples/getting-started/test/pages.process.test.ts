import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { startHost } from '../../testing/running-host.ts';
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

test('the code in the README serves what its curl line requests', async () => {
  const commands = blocksIn(textOf('../../README.md'), 'sh');
  const commandOf = (tool: string) => commands.find((code) => code.startsWith(`${tool} `))?.trim() ?? '';
  const { output, origin, stop } = await startHost(commandOf('node'));
  onTestFinished(stop);
  expect(output).toContain('Care Team for Shaw, Amy: 1 active\n');
  const { stdout } = await execute('sh', ['-c', commandOf('curl').replace('http://127.0.0.1:3000', origin)]);
  const shown = JSON.parse(textOf('shown/care-team.json'));
  const { lastUpdated } = JSON.parse(stdout).meta;
  expect(JSON.parse(stdout)).toEqual({ ...shown, meta: { ...shown.meta, lastUpdated } });
  const withoutSession = await fetch(`${origin}/fhir/CareTeam/7`);
  expect(withoutSession.status).toBe(401);
  expect(await (await fetch(origin)).text()).toBe('Your backend');
});
