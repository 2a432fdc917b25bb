/** The range of a text in a statement: its first character, and the one after its last. */
type Span = readonly [from: number, to: number];

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Finds whole words only: `status` is not in `statusReason`. */
const find = (piece: string, statement: string, from: number): Span | null => {
  const pattern = new RegExp(`(?<![A-Za-z0-9])${escaped(piece)}(?![A-Za-z0-9])`, 'g');
  pattern.lastIndex = from;
  const found = pattern.exec(statement);
  return found && [found.index, pattern.lastIndex];
};

/**
 * The ranges in which a sentence quotes a statement exactly. A table row may be quoted in pieces, in their order, with
 * ` | ` between them. Returns null if it does not.
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

/** The words of a statement that no sentence quotes, without those that only join its parts. */
export const findUnquotedWords = (statement: string, sentences: readonly string[]): readonly string[] => {
  const spans = sentences.flatMap((sentence) => findQuote(sentence, statement) ?? []);
  return Array.from(statement.matchAll(/[^\s|]+/g))
    .filter(([word]) => /[A-Za-z0-9]/.test(word) && !joiningWords.includes(word))
    .filter(({ index, 0: word }) => !spans.some(([from, to]) => index < to && index + word.length > from))
    .map(([word]) => word);
};
