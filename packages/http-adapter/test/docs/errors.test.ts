import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createMemoryStore } from '@clinical-records/store-memory';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { careTeamIssues } from '../../../core/src/care-team/rules.ts';
import { chartIssues } from '../../../core/src/chart/command.ts';
import { copyIssues } from '../../../core/src/copy/copy-to.ts';
import { correctionIssues } from '../../../core/src/corrections/correction.ts';
import { directoryIssues } from '../../../core/src/directory/model.ts';
import { generalIssues } from '../../../core/src/errors.ts';
import { bodyIssues, sourceIssues } from '../../../core/src/fhir/issues.ts';
import { goalIssues } from '../../../core/src/goal/rules.ts';
import { hostTypeIssues } from '../../../core/src/host-type/rules.ts';
import { immunizationIssues } from '../../../core/src/immunization/rules.ts';
import { importIssues } from '../../../core/src/importer/import-report.ts';
import { idempotencyIssues } from '../../../core/src/records/idempotency.ts';
import { preconditionIssues } from '../../../core/src/records/transact.ts';
import { searchIssues } from '../../../core/src/search/issues.ts';
import { serviceRequestIssues } from '../../../core/src/service-request/rules.ts';
import { clinicalErrorCategories, httpIssues } from '../../src/errors.ts';
import { createHttpHandler } from '../../src/index.ts';
import { createRecords } from '../clinic.ts';

/** The catalogues, each under the heading that it has in the document. */
const catalogues = {
  General: { generalIssues },
  HTTP: { httpIssues },
  'Bodies and commands': { bodyIssues },
  Search: { searchIssues },
  Preconditions: { preconditionIssues },
  Retries: { idempotencyIssues },
  'Care teams': { careTeamIssues },
  Immunizations: { immunizationIssues },
  'People, encounters and notes': { directoryIssues },
  Chart: { chartIssues },
  Goals: { goalIssues },
  Orders: { serviceRequestIssues },
  'Your own types': { hostTypeIssues },
  'Elements that an import leaves out': { sourceIssues },
  Corrections: { correctionIssues },
  Import: { importIssues },
  Copies: { copyIssues },
};

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const document = readFileSync(`${root}docs/errors.md`, 'utf8');

/** The text under a heading. */
const sectionUnder = (heading: string): string =>
  document.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

/** The cells of the rows of a table, below its head. */
const rowsIn = (section: string): readonly (readonly string[])[] =>
  [...section.matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) =>
    row.split(' | ').map((cell) => cell.replaceAll('\\|', '|')),
  );

describe.each(Object.entries(catalogues))('the errors of the document: %s', (heading, catalogue) => {
  const section = sectionUnder(heading);
  const rows = rowsIn(section);
  test('each rule has exactly its sentence, and there are no other rules', () => {
    const listed = rows.map(([rule = '', sentence]) => [rule.split('`')[1], sentence]);
    expect(listed).toEqual(Object.entries(Object.values(catalogue)[0] ?? {}));
  });
  test('each rule has a status, and says what to do unless its sentence does', () => {
    const [, usual] = /^(\w+), unless a row says otherwise\.$/m.exec(section) ?? [];
    for (const [rule = '', , whatToDo = 'As the sentence says.'] of rows) {
      const [, status = usual] = /, (\w+)$/.exec(rule) ?? [];
      expect(status, rule).toMatch(/^(4\d\d|500|503|chart|changes|import|copy|warning)$/);
      expect(whatToDo, rule).toMatch(/^[A-Z`[].+[.?]$/);
    }
  });
});

test('every catalogue of the sources is in the document', () => {
  const sources = ['core', 'http-adapter'].flatMap((name) => {
    const folder = `${root}packages/${name}/src/`;
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(folder + file, 'utf8'));
  });
  const made = sources.flatMap((source) =>
    [...source.matchAll(/=\s+createIssueFactory\((\w+)\)/g)].map(([, catalogue]) => catalogue),
  );
  expect(made.toSorted()).toEqual(Object.values(catalogues).flatMap(Object.keys).toSorted());
});

test('no two rules have the same name', () => {
  const rules = Object.values(catalogues).flatMap((catalogue) =>
    Object.values(catalogue).flatMap((sentences) => Object.keys(sentences)),
  );
  expect(rules.filter((rule, at) => rules.indexOf(rule) !== at)).toEqual([]);
});

test('every tag has its status and its code', () => {
  const rows = Object.entries(clinicalErrorCategories).map(
    ([tag, { status, code }]) => `| \`${tag}\` | ${status} | ${code} |`,
  );
  expect(rows.filter((row) => !document.includes(row))).toEqual([]);
});

const createOpening = (sql: string) => () => {
  const database = new Database(':memory:');
  database.exec(sql);
  openSqliteStore({ database });
};

const records = createRecords(createMemoryStore());

/** Wrong calls of the opening functions, in the order of the document. */
const openings: readonly (() => unknown)[] = [
  () => openSqliteStore({ filename: '' }),
  createOpening('CREATE TABLE records (name TEXT)'),
  createOpening('CREATE TABLE store_versions (name TEXT)'),
  () => createHttpHandler(records, {} as never),
  () => createHttpHandler(records, { authenticate: () => null, bodyLimit: Number.NaN }),
];

test('each exception in the document is thrown', () => {
  const sentences = rowsIn(sectionUnder('When something is opened'))
    .map(([thrown = '']) => thrown.slice(1, -1))
    // No file is migrated yet: `migrations.test.ts` of the store throws these, with steps of its own.
    .filter((sentence) => !sentence.startsWith('backupTo '));
  expect(sentences).toHaveLength(openings.length);
  for (const [index, open] of openings.entries()) expect(open).toThrow(sentences[index]);
});
