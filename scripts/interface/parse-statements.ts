/**
 * The statements of a document by its headings: sentences, list items, and table rows with ` | ` between their cells.
 */
export type Statements = Readonly<Record<string, readonly string[]>>;

/**
 * A sentence ends at a full stop before a capital, or before a name or value in backticks that begins the next
 * sentence.
 */
const splitSentences = (text: string): readonly string[] =>
  text
    .split(/(?<=\.)\s+(?=[A-Z])/)
    .map((sentence) => sentence.replace(/[.:]$/, '').trim())
    .filter((sentence) => sentence !== '');

/** A heading states the text in its parentheses, if it has any. */
const headingStatements = (title: string): readonly string[] => (/ \(.+\)$/.test(title) ? [title] : []);

const parseRow = (line: string): string =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
    .join(' | ');

const isRow = (line: string) => line.startsWith('|');

const isRule = (line: string) => /^[\s|:-]+$/.test(line);

const parseSection = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line, at) => {
    if (!isRow(line)) return splitSentences(line.replace(/^(- |\d+\. )/, ''));
    const isHead = isRule(lines[at + 1] ?? '') && isRow(lines[at + 1] ?? '');
    return isHead || isRule(line) ? [] : [parseRow(line)];
  });

/** Parses a document of headings, paragraphs of one line, lists and tables. The heads of tables state nothing. */
export const parseStatements = (markdown: string): Statements => {
  const statements: Record<string, readonly string[]> = {};
  let chapter = '';
  for (const part of markdown.split(/^(?=#+ )/m)) {
    const [heading = '', ...lines] = part.split('\n').filter((line) => line.trim() !== '');
    const [, level = '', title = ''] = /^(#+) (.+)$/.exec(heading) ?? [];
    if (level.length < 3) chapter = title;
    const stated = [...headingStatements(title), ...parseSection(lines)];
    if (stated.length > 0) statements[level.length < 3 ? title : `${chapter} > ${title}`] = stated;
  }
  return statements;
};
