import { findQuote, findUnquotedWords } from './find-quote.ts';
import type { Statements } from './parse-statements.ts';

/** How sentences cover a document: which lists quote a heading, and which words are not tested. */
export type Coverage = {
  readonly sentences: Readonly<Record<string, readonly string[]>>;
  readonly sectionsByHeading: Readonly<Record<string, readonly string[]>>;
  readonly exemptions: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/** The issues of sentences that must quote all of a document and nothing else, one on each line. */
export const findCoverageIssues = (
  statements: Statements,
  { sentences, sectionsByHeading, exemptions }: Coverage,
): readonly string[] => {
  const isQuoted = (sentence: string, headings: readonly string[]) =>
    headings.some((heading) => statements[heading]?.some((statement) => findQuote(sentence, statement)));
  const headingsOf = (section: string) =>
    Object.keys(sectionsByHeading).filter((heading) => sectionsByHeading[heading]?.includes(section));

  const invented = Object.entries(sentences).flatMap(([section, listed]) =>
    listed
      .filter((sentence) => !isQuoted(sentence, headingsOf(section)))
      .map((sentence) => `Not in the interface: ${section}: ${sentence}`),
  );
  const stale = Object.entries(exemptions).flatMap(([heading, quotes]) =>
    Object.keys(quotes)
      .filter((quote) => !isQuoted(quote, [heading]))
      .map((quote) => `Not in the interface: ${heading}: ${quote}`),
  );
  const missing = Object.entries(statements).flatMap(([heading, stated]) => {
    const quotes = [
      ...(sectionsByHeading[heading] ?? []).flatMap((section) => sentences[section] ?? []),
      ...Object.keys(exemptions[heading] ?? {}),
    ];
    return stated
      .map((statement) => [statement, findUnquotedWords(statement, quotes).join(' ')])
      .filter(([, words]) => words !== '')
      .map(([statement, words]) => `No sentence quotes "${words}": ${heading}: ${statement}`);
  });
  return [...invented, ...stale, ...missing];
};
