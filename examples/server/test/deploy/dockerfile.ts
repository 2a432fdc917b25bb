import { readFileSync } from 'node:fs';

/** An instruction of a Dockerfile, such as `COPY` and its arguments. */
export type Instruction = { readonly name: string; readonly value: string };

const parseInstruction = (line: string): Instruction => {
  const [name = '', ...rest] = line.split(' ');
  return { name, value: rest.join(' ') };
};

const [build = '', run = ''] = readFileSync(new URL('../../deploy/Dockerfile', import.meta.url), 'utf8')
  .split(/^(?=FROM )/m)
  .slice(1);

const instructionsOf = (stage: string): readonly Instruction[] =>
  stage
    .replaceAll(' \\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseInstruction);

/** The instructions of the stage that installs, and of the stage that runs. */
export const stages = { build: instructionsOf(build), run: instructionsOf(run) };

/** The value of an instruction that a stage has once. */
export const onlyValueOf = (instructions: readonly Instruction[], name: string): string => {
  const [found, ...more] = instructions.filter((instruction) => instruction.name === name);
  if (found === undefined || more.length > 0) throw new Error(`The stage has ${name} not once.`);
  return found.value;
};
