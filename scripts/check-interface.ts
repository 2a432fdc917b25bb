import { existsSync, globSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { decisionSentences } from '../packages/http-adapter/test/interface/decision-sentences.ts';
import {
  exclusions,
  exemptions,
  sectionsByHeading,
} from '../packages/http-adapter/test/interface/interface-coverage.ts';
import { interfaceSentences } from '../packages/http-adapter/test/interface/interface-sentences.ts';
import { interfaceText } from '../packages/http-adapter/test/interface/interface-text.ts';
import { listSentences, sentences } from '../packages/http-adapter/test/interface/sentences.ts';
import { findCoverageIssues } from './interface/find-coverage-issues.ts';
import { findUnproven, findUnrefused, type Sentence } from './interface/find-unproven.ts';
import { parseStatements } from './interface/parse-statements.ts';
import { digestOf, readTestRuns } from './interface/test-runs.ts';

const formatSentence =
  (what: string) =>
  ({ section, sentence }: Sentence) =>
    `${what}: ${section}: ${sentence}`;

/** The issues of the listed sentences, by the tests that ran. */
const findTestIssues = (): readonly string[] => {
  const runs = readTestRuns('.');
  const files = globSync('packages/http-adapter/test/{interface,library}/**/*.test.ts');
  const notRun = files.filter((file) => runs[file]?.digest !== digestOf(file));
  if (notRun.length > 0) {
    return [
      `Run npm test first: ${notRun.length} files of tests did not run as they are, ${notRun[0]} for one.`,
    ];
  }
  const tests = files.flatMap((file) => runs[file]?.tests ?? []);
  const { untested, notPassed } = findUnproven(sentences, tests);
  const unrefused = findUnrefused(listSentences(interfaceSentences), tests, exclusions);
  console.log(`${sentences.length - untested.length} of ${sentences.length} sentences have a test.`);
  return [
    ...untested.map(formatSentence('No test')),
    ...notPassed.map(formatSentence('Not every test passed')),
    ...unrefused.map(formatSentence('No test says what is refused')),
  ];
};

const foldWhitespace = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** Decisions whose words neither page has, because the list or the page is out of date. */
const findDecisionIssues = (): readonly string[] => {
  const pages = ['docs/decisions.md', 'docs/http-interface.md'].map((path) =>
    foldWhitespace(readFileSync(path, 'utf8')),
  );
  return Object.values(decisionSentences)
    .flat()
    .filter((sentence) => !pages.some((page) => page.includes(foldWhitespace(sentence))))
    .map((sentence) => `Not in docs/decisions.md or docs/http-interface.md: ${sentence}`);
};

/** The interface is a file beside the repository, if it is there at all. */
const interfaceFile = '../shared/spec/clinical-records-interface.md';

const findCopyIssues = (): readonly string[] => {
  if (!existsSync(interfaceFile)) {
    console.log(`The copy of the interface was not compared: there is no ${interfaceFile}.`);
    return [];
  }
  const isCurrent = isDeepStrictEqual(parseStatements(readFileSync(interfaceFile, 'utf8')), interfaceText);
  return isCurrent ? [] : [`interface-text.ts is not what ${interfaceFile} states.`];
};

const issues = [
  ...findTestIssues(),
  ...findDecisionIssues(),
  ...findCoverageIssues(interfaceText, { sentences: interfaceSentences, sectionsByHeading, exemptions }),
  ...findCopyIssues(),
];
for (const fault of issues) console.error(fault);
process.exitCode = issues.length === 0 ? 0 : 1;
