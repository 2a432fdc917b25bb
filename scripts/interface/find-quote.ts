/** Where in a statement a text stands: the place of its first character, and that behind its last. */
type Span = readonly [from: number, to: number];

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whole words only: `status` is not in `statusReason`. */
const find = (piece: string, statement: string, from: number): Span | null => {
  const pattern = new RegExp(`(?<![A-Za-z0-9])${escaped(piece)}(?![A-Za-z0-9])`, 'g');
  pattern.lastIndex = from;
  const found = pattern.exec(statement);
  return found && [found.index, pattern.lastIndex];
};

/**
 * Where a sentence quotes a statement, to the letter: a row of a table may be quoted in pieces, each in its order, with ` | `
 * between them. Null where it does not.
 */
export const findQuote = (sentence: string, statement: string): readonly Span[] | null => {
  const spans: Span[] = [];
  for (const piece of sentence.split(' | ')) {
    const span = find(piece, statement, spans.at(-1)?.[1] ?? 0);
    if (span === null) return null;
    spans.push(span);
  }
  return spans;
};

const joiningWords = ['and', 'but'];

/** The words of a statement that no sentence quotes, save those that join its parts. */
export const findUnquotedWords = (statement: string, sentences: readonly string[]): readonly string[] => {
  const spans = sentences.flatMap((sentence) => findQuote(sentence, statement) ?? []);
  return Array.from(statement.matchAll(/[^\s|]+/g))
    .filter(([word]) => /[A-Za-z0-9]/.test(word) && !joiningWords.includes(word))
    .filter(({ index, 0: word }) => !spans.some(([from, to]) => index < to && index + word.length > from))
    .map(([word]) => word);
};
