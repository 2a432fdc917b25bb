import { existsSync, globSync, readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { quotedBy, unshown } from '../packages/http-adapter/test/interface/coverage-of-interface.ts';
import { sentences } from '../packages/http-adapter/test/interface/sentences.ts';
import { decisionSentences } from '../packages/http-adapter/test/interface/sentences-of-decisions.ts';
import { interfaceSentences } from '../packages/http-adapter/test/interface/sentences-of-interface.ts';
import { interfaceText } from '../packages/http-adapter/test/interface/text-of-interface.ts';
import { faultsOfCoverage } from './interface/coverage.ts';
import { type Sentence, unproven } from './interface/proof.ts';
import { statementsOf } from './interface/statements.ts';
import { digestOf, readTestRuns } from './interface/test-runs.ts';

const named =
  (what: string) =>
  ({ section, sentence }: Sentence) =>
    `${what}: ${section}: ${sentence}`;

/** What the tests that ran say of the listed sentences. */
const faultsOfTests = (): readonly string[] => {
  const runs = readTestRuns('.');
  const files = globSync('packages/http-adapter/test/{interface,library}/*.test.ts');
  const notRun = files.filter((file) => runs[file]?.digest !== digestOf(file));
  if (notRun.length > 0) {
    return [
      `Run npm test first: ${notRun.length} files of tests did not run as they are, ${notRun[0]} for one.`,
    ];
  }
  const { untested, notPassed } = unproven(
    sentences,
    files.flatMap((file) => runs[file]?.tests ?? []),
  );
  console.log(`${sentences.length - untested.length} of ${sentences.length} sentences have a test.`);
  return [...untested.map(named('No test')), ...notPassed.map(named('Not every test passed'))];
};

const folded = (text: string): string => text.replaceAll(/\s+/g, ' ');

/** A decision whose words the page does not have: one of the two says what is no longer so. */
const faultsOfDecisions = (): readonly string[] => {
  const page = folded(readFileSync('docs/decisions.md', 'utf8'));
  return Object.values(decisionSentences)
    .flat()
    .filter((sentence) => !page.includes(folded(sentence)))
    .map((sentence) => `Not in docs/decisions.md: ${sentence}`);
};

/** The interface itself lies beside the repository, where it lies at all. */
const interfaceFile = '../shared/spec/clinical-records-interface.md';

const faultsOfCopy = (): readonly string[] => {
  if (!existsSync(interfaceFile)) {
    console.log(`The copy of the interface was not compared: there is no ${interfaceFile}.`);
    return [];
  }
  const isCurrent = isDeepStrictEqual(statementsOf(readFileSync(interfaceFile, 'utf8')), interfaceText);
  return isCurrent ? [] : [`text-of-interface.ts is not what ${interfaceFile} states.`];
};

const faults = [
  ...faultsOfTests(),
  ...faultsOfDecisions(),
  ...faultsOfCoverage(interfaceText, { sentences: interfaceSentences, quotedBy, unshown }),
  ...faultsOfCopy(),
];
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
