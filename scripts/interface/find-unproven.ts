import type { TestRun } from './test-runs.ts';

/** A sentence, and the title of its test. */
export type Sentence = { readonly section: string; readonly sentence: string };

/** A section is tested on every store, whose name the title then has. */
const isSection = (section: string) => (title: string) =>
  title === section || (title.startsWith(`${section} (`) && title.endsWith(')'));

/** Whether a test is in a section and names a sentence in another title than that of the section. */
const provesSentence =
  ({ section, sentence }: Sentence) =>
  ({ titles }: TestRun): boolean => {
    const others = titles.filter((title) => !isSection(section)(title));
    return others.length < titles.length && others.some((title) => title.includes(sentence));
  };

/** The words by which a sentence excludes something. */
const excludingWords = /\b(?:only|must|cannot)\b|(?<![\w-])(?:not|or)(?![\w-])|One of:/i;

/** Whether a title says that something is refused, in words that are not the sentence's own. */
const saysRefused = (title: string, sentence: string): boolean =>
  /\brefused\b/.test(title.replace(sentence, ''));

/**
 * The sentences that exclude something, by their words or because they are listed, and of which no test tries what they
 * exclude. Such a test is named after the sentence, and says what is refused.
 */
export const findUnrefused = (
  sentences: readonly Sentence[],
  tests: readonly TestRun[],
  listed: readonly string[],
): readonly Sentence[] =>
  sentences
    .filter(({ sentence }) => excludingWords.test(sentence) || listed.includes(sentence))
    .filter((one) =>
      tests
        .filter(provesSentence(one))
        .every(({ titles }) => !titles.some((title) => saysRefused(title, one.sentence))),
    );

/** The sentences that no test names, and those for which a test failed. */
export const findUnproven = (
  sentences: readonly Sentence[],
  tests: readonly TestRun[],
): { readonly untested: readonly Sentence[]; readonly notPassed: readonly Sentence[] } => {
  const runs = sentences.map((sentence) => ({ sentence, tests: tests.filter(provesSentence(sentence)) }));
  return {
    untested: runs.filter((one) => one.tests.length === 0).map(({ sentence }) => sentence),
    notPassed: runs.filter((one) => one.tests.some(({ passed }) => !passed)).map(({ sentence }) => sentence),
  };
};
