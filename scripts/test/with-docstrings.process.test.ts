import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { workspace } from '../packages/run.ts';
import { withDocstrings } from '../packages/with-docstrings.ts';

const core = join(workspace, 'packages/core/src');
const { config } = ts.readConfigFile(join(workspace, 'tsconfig.json'), ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, workspace);

let program: ts.Program;

beforeAll(() => {
  const emitting = { ...options, noEmit: false, declaration: true, emitDeclarationOnly: true };
  program = ts.createProgram([join(core, 'index.ts')], emitting);
}, 60_000);

/** The declarations of a source as TypeScript writes them. */
const declarationsOf = (name: string): string => {
  let declarations = '';
  const keep = (_: string, text: string) => {
    declarations = text;
  };
  program.emit(program.getSourceFile(join(core, name)), keep, undefined, true);
  return declarations;
};

const document = (declarations: string): string => {
  const sources = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(core));
  return withDocstrings(declarations, sources, program.getTypeChecker());
};

describe('the declarations have the docstring of', () => {
  test.each([
    ['an element of a schema', 'goal/model.ts', '/** The goal in words. */\n    description: z.ZodString;'],
    [
      'an element that describes itself to clients, too',
      'goal/model.ts',
      '/** The practitioner who committed the goal. */\n    expressedBy: ',
    ],
    ['an element that two schemas share', 'goal/model.ts', '*/\n    barriers: z.ZodOptional<z.ZodString>;'],
    ['an element of a schema in an object', 'directory/model.ts', '*/\n        lastName: z.ZodString;'],
    ['an element of a schema that a function returns', 'care-team/model.ts', '*/\n    participant: '],
    ['an element of a body', 'immunization/bodies.ts', '/** The patient who got it. */\n    patient: '],
  ])('%s', (_, name, documented) => {
    const declarations = declarationsOf(name);
    expect(declarations).not.toContain(documented);
    expect(document(declarations)).toContain(documented);
  });
});

test('nothing else of the declarations changes', () => {
  const declarations = declarationsOf('goal/model.ts');
  const lines = (text: string) => text.split('\n').filter((line) => !/^\s*\/\*\* .* \*\/$/.test(line));
  expect(lines(document(declarations))).toEqual(lines(declarations));
});

test('a constant that the bundle has given a number is documented by its own source', () => {
  const renamed = declarationsOf('immunization/bodies.ts').replaceAll(
    'createBodySchema',
    'createBodySchema$1',
  );
  expect(document(renamed)).toContain('/** The patient who got it. */\n    patient: ');
});
