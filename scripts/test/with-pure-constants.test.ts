import ts from 'typescript';
import { expect, test } from 'vitest';
import { withPureConstants } from '../packages/with-pure-constants.ts';

/** The value of `value` after a module has run. */
const run = (module: string): unknown => {
  const { outputText } = ts.transpileModule(`${module}\nreturn value;`, {
    compilerOptions: { target: ts.ScriptTarget.ESNext },
  });
  return new Function(outputText)();
};

test.each([
  ['const value = make();', 'a call'],
  ['const value = { type: "C", schema: z.object({}) };', 'a call in an object'],
  ['const value = new Set([1]);', 'an instance'],
  ['const value = [...others];', 'the elements of another array'],
  ['const value = { ...others };', 'the properties of another object'],
  ['const value = { [name]: 1 };', 'a property whose name is computed'],
  ['const value = settings.limit;', 'a property of another object'],
  ['const value = settings["limit"];', 'a property of another object, by its name'],
  ['const value = String.raw`a`;', 'a tagged template'],
])('a bundler may leave out %s: %s', (module) => {
  expect(withPureConstants(module)).toContain('= /* @__PURE__ */ (() => (');
});

test.each([
  'const value = 5;',
  'const value = (text: string) => text.trim();',
  'const value = { codes: ["a", "b"], read: (text: string) => text.trim() } as const;',
  'const value = function* () { yield call(); };',
  'function value() { return call(); }',
  'let value: string | undefined;',
])('a bundler leaves out %s as it is', (module) => {
  expect(withPureConstants(module)).toBe(module);
});

test('the values of constants, and their lines, stay the same', () => {
  const module = `const names = ['a', 'b'].map((name) => name.toUpperCase()),
  size = names.length;
const value = {
  names,
  ...{ size },
} satisfies object;`;
  const marked = withPureConstants(module);
  expect(run(marked)).toEqual({ names: ['A', 'B'], size: 2 });
  expect(run(marked)).toEqual(run(module));
  expect(marked.split('\n').map((line) => line.trim().slice(0, 5))).toEqual(
    module.split('\n').map((line) => line.trim().slice(0, 5)),
  );
});
