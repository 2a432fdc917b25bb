import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const workspace = fileURLToPath(new URL('../../', import.meta.url));

/** The tools of the workspace come first, as in a script of its package.json. */
const env = { ...process.env, PATH: [`${workspace}node_modules/.bin`, process.env.PATH].join(delimiter) };

/** The output of a command to both streams. An Error with all of it if the command fails. */
export const run = async (
  cwd: string,
  command: string,
  ...parameters: readonly string[]
): Promise<string> => {
  try {
    const { stdout, stderr } = await promisify(execFile)(command, parameters, { cwd, env });
    return `${stdout}${stderr}`;
  } catch (cause) {
    const { stdout = '', stderr = '' } = cause as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${command} ${parameters.join(' ')}\n${stdout}${stderr}`, { cause });
  }
};
