import { quotedIn, unquotedWords } from './quotes.ts';
import type { Statements } from './statements.ts';

/** How sentences stand to what a document states: which lists quote a heading, and which of its words are left to no test. */
export type Coverage = {
  readonly sentences: Readonly<Record<string, readonly string[]>>;
  readonly quotedBy: Readonly<Record<string, readonly string[]>>;
  readonly unshown: Readonly<Record<string, Readonly<Record<string, string>>>>;
};

/** What is wrong with sentences that are to quote all of a document, and nothing else: a line for each. */
export const faultsOfCoverage = (
  statements: Statements,
  { sentences, quotedBy, unshown }: Coverage,
): readonly string[] => {
  const isQuoted = (sentence: string, headings: readonly string[]) =>
    headings.some((heading) => statements[heading]?.some((statement) => quotedIn(sentence, statement)));
  const headingsOf = (section: string) =>
    Object.keys(quotedBy).filter((heading) => quotedBy[heading]?.includes(section));

  const invented = Object.entries(sentences).flatMap(([section, listed]) =>
    listed
      .filter((sentence) => !isQuoted(sentence, headingsOf(section)))
      .map((sentence) => `Not in the interface: ${section}: ${sentence}`),
  );
  const stale = Object.entries(unshown).flatMap(([heading, quotes]) =>
    Object.keys(quotes)
      .filter((quote) => !isQuoted(quote, [heading]))
      .map((quote) => `Not in the interface: ${heading}: ${quote}`),
  );
  const missing = Object.entries(statements).flatMap(([heading, stated]) => {
    const quotes = [
      ...(quotedBy[heading] ?? []).flatMap((section) => sentences[section] ?? []),
      ...Object.keys(unshown[heading] ?? {}),
    ];
    return stated
      .map((statement) => [statement, unquotedWords(statement, quotes).join(' ')])
      .filter(([, words]) => words !== '')
      .map(([statement, words]) => `No sentence quotes "${words}": ${heading}: ${statement}`);
  });
  return [...invented, ...stale, ...missing];
};
