import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const script = fileURLToPath(new URL('../check-docs.ts', import.meta.url));

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  writeFileSync(join(folder, 'goal.ts'), source);
  writeFileSync(join(folder, 'later.ts'), later);
});

afterEach(() => rmSync(folder, { recursive: true }));

const source = `const close = () => {
  // #region costs
  const price = '$& $1';

  if (price) {
    pay(price);
  }
  // #endregion
};
`;

const region = `const price = '$& $1';

if (price) {
  pay(price);
}
`;

const fenced = (language: string, code: string, place?: string) =>
  `${place === undefined ? '' : `<!-- file: ${place} -->\n`}\`\`\`${language}\n${code}\`\`\`\n`;

const later = source.replace('close', 'reopen').replace('pay(price)', 'pay(price, now)');

const change = `-const close = () => {
+const reopen = () => {
   // #region costs
 …
   if (price) {
-    pay(price);
+    pay(price, now);
   }
`;

const check = (readme: string, ...flags: readonly string[]) => {
  writeFileSync(join(folder, 'README.md'), readme);
  const { status, stderr } = spawnSync(process.execPath, [script, ...flags], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, wrong: stderr.split('\n').filter((line) => line !== '') };
};

const whole = fenced('ts', source, 'goal.ts');
const part = fenced('ts', region, 'goal.ts#costs');
const changed = fenced('ts', change, 'goal.ts..later.ts');

test('a block that equals its file, or a region of it, is right', () => {
  expect(check(`# Goals\n\n${whole}\n${part}`)).toEqual({ status: 0, wrong: [] });
});

test.each([
  ['a file', 'goal.ts', whole],
  ['a region', 'goal.ts#costs', part],
  ['a change', 'goal.ts..later.ts', changed],
])('a block that differs from %s is reported, and updated by --write', (_what, place, right) => {
  const before = `Before.\n\n${fenced('ts', '', place)}\nAfter.\n`;
  expect(check(before)).toEqual({ status: 1, wrong: [`README.md: differs from ${place}`] });
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(before);
  expect(check(before, '--write')).toEqual({ status: 0, wrong: [] });
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(`Before.\n\n${right}\nAfter.\n`);
});

test('a block that names a missing file or region cannot be updated', () => {
  expect(check(fenced('ts', 'pay();\n'))).toMatchObject({ status: 1 });
  expect(check(fenced('json', '{}\n', 'none.json'), '--write')).toMatchObject({ status: 1 });
  expect(check(fenced('ts', '', 'goal.ts#none'), '--write')).toMatchObject({ status: 1 });
});

test('a link to a file, a heading or a declaration is right if it exists', () => {
  expect(
    check('# The goals\n\n[goal](goal.ts): `close`, [here](#the-goals), [there](https://a.example/b)\n'),
  ).toEqual({
    status: 0,
    wrong: [],
  });
});

test('a test that is named after a link to its file is right if the file has it', () => {
  writeFileSync(
    join(folder, 'goal.test.ts'),
    "test(\n  'it closes', close);\ntest.each([1])('%i opens', open);\n",
  );
  expect(check('[goal](goal.test.ts): "it closes", [goal](goal.test.ts): "%i opens"\n')).toEqual({
    status: 0,
    wrong: [],
  });
});

test.each(['it opens', 'closes', 'it waits'])(
  'a test that is missing or skipped is reported: %s',
  (title) => {
    writeFileSync(join(folder, 'goal.test.ts'), "test('it closes', close);\ntest.skip('it waits', wait);\n");
    expect(check(`[goal](goal.test.ts): "${title}"\n`)).toEqual({
      status: 1,
      wrong: [`README.md: names the test "${title}", which goal.test.ts does not have`],
    });
  },
);

test.each([
  ['[goal](none.ts)', 'links to none.ts, which does not exist'],
  ['[goal](#none)', 'links to README.md#none, which has no such heading'],
  ['[goal](goal.ts): `open`', 'names open, which goal.ts does not declare'],
])('%s is reported', (link, wrong) => {
  expect(check(`# Goals\n\n${link}\n`)).toEqual({ status: 1, wrong: [`README.md: ${wrong}`] });
});

test('blocks of other languages, indented blocks and commands without a file are not checked', () => {
  const others = `${fenced('sql', 'SELECT 1\n')}${fenced('sh', 'npm test\n')}    \`\`\`ts\n    pay();\n    \`\`\`\n`;
  expect(check(others, '--write')).toEqual({ status: 0, wrong: [] });
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(others);
});

test.each(['docs/goals.md', 'packages/core/README.md', 'examples/server/README.md'])(
  '%s is checked, too',
  (name) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), fenced('ts', '', 'goal.ts'));
    expect(check('')).toEqual({ status: 1, wrong: [`${name}: differs from goal.ts`] });
  },
);

test('a file in a code span exists, in whatever folder; the span may leave out src', () => {
  mkdirSync(join(folder, 'core/src/goal'), { recursive: true });
  writeFileSync(join(folder, 'core/src/goal/rules.ts'), '');
  writeFileSync(join(folder, 'core/src/goal/model.ts'), '');
  expect(check('`goal.ts`, `goal/{rules,model}.ts`, `core/goal/rules.ts`, `*/source.ts`\n')).toEqual({
    status: 0,
    wrong: [],
  });
  expect(check('`oal.ts`, `goal/{rules,derive}.ts`\n')).toEqual({
    status: 1,
    wrong: [
      'README.md: names oal.ts, which does not exist',
      'README.md: names goal/derive.ts, which does not exist',
    ],
  });
});

test('a folder in a code span exists; in the README of an example, within the example or from the root', () => {
  mkdirSync(join(folder, 'examples/clinic/people'), { recursive: true });
  mkdirSync(join(folder, 'core/src/search'), { recursive: true });
  writeFileSync(join(folder, 'examples/clinic/people/find.ts'), '');
  writeFileSync(join(folder, 'core/src/search/terms.ts'), '');
  expect(check('`people/`, `search/`, `core/search/`, `patient/` and `/guide/`\n')).toEqual({
    status: 0,
    wrong: [],
  });
  writeFileSync(
    join(folder, 'examples/clinic/README.md'),
    '`people/`, `core/src/search/`, `search/`, `goal.ts`\n',
  );
  expect(check('`persons/`\n').wrong.toSorted()).toEqual([
    'README.md: names persons/, which does not exist',
    'examples/clinic/README.md: names search/, which does not exist',
  ]);
});

test('a path from the root and an npm script exist, in commands, too', () => {
  mkdirSync(join(folder, 'examples'));
  writeFileSync(join(folder, 'examples/start.sh'), '');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { 'check:docs': 'true' } }));
  expect(check('    sh examples/start.sh\n    npm run -s check:docs\n')).toEqual({ status: 0, wrong: [] });
  expect(check('Read `docs/none.yaml`.\n\n    sh examples/stop.sh\n    npm run check\n').wrong).toEqual([
    'README.md: names docs/none.yaml, which does not exist',
    'README.md: names examples/stop.sh, which does not exist',
    'README.md: runs npm run check, which package.json does not have',
  ]);
});

test('a count of lines is that of the file, or of the code beside a README, to the nearest ten', () => {
  mkdirSync(join(folder, 'app/test'), { recursive: true });
  for (const file of ['README.md', 'app.ts', 'test/app.test.ts']) {
    writeFileSync(join(folder, 'app', file), '1;\n'.repeat(22));
  }
  expect(check('[20 lines](app/app.ts), [20 lines](app/README.md)\n')).toEqual({ status: 0, wrong: [] });
  expect(check('[30 lines](app/README.md)\n').wrong).toEqual([
    'README.md: says 30 lines of app/README.md, which has 22',
  ]);
});
