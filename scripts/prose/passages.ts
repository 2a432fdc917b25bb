import ts from 'typescript';

/** A piece of prose, and the line of its file on which it begins. */
export type Passage = { readonly line: number; readonly text: string };

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** Markdown as it is read: code becomes one word, a link becomes its text, and emphasis is removed. */
const plain = (text: string): string =>
  text
    .replace(/`[^`]*`/g, 'code')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\*{1,2}/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Blanks with the same line breaks, so that line numbers stay the same. */
const blanked = (text: string): string => text.replace(/[^\n]/g, ' ');

/** The paragraphs, list items, headings and table cells of a Markdown text, without its code. */
export const passagesOfMarkdown = (markdown: string): readonly Passage[] => {
  const prose = markdown
    .replace(/^( *)```[\s\S]*?^\1```$/gm, blanked)
    .replace(/<!--[\s\S]*?-->/g, blanked)
    .replace(/^(?: {4}|\t).*$/gm, blanked)
    .replace(/^\|[-:| ]+\|$/gm, blanked);
  const blocks = prose.matchAll(
    /^(?:\|.*\||#+ .*|(?:.+\n?)+?(?=\n|$(?![\s\S])|^(?:\s*(?:[-*]|\d+\.) |#|\|)))/gm,
  );
  return [...blocks].flatMap(({ 0: block, index }) => {
    const cells = block.startsWith('|')
      ? block.split(/(?<!\\)\|/)
      : [block.replace(/^\s*(?:[-*>]|\d+\.|#+) /, '')];
    return cells
      .map((cell) => ({ line: lineOf(markdown, index), text: plain(cell) }))
      .filter(({ text }) => text !== '');
  });
};

const comment = /\/\*\*?([\s\S]*?)\*\/|((?:^[ \t]*\/\/(?!\/).*\n)+)|[ \t]\/\/ (.*)$/gm;
const isForTools = /biome-ignore|#region|#endregion|@ts-/;

const isLiteral = (node: ts.Node): boolean =>
  ts.isLiteralExpression(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node);

/** The source with blanks in place of its literals, in which `/*` does not begin a comment. */
const blankLiterals = (source: string): string => {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest);
  let text = source;
  const visit = (node: ts.Node): void => {
    if (isLiteral(node)) {
      const start = node.getStart(file);
      text = text.slice(0, start) + blanked(text.slice(start, node.end)) + text.slice(node.end);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return text;
};

const passagesOfComments = (source: string): readonly Passage[] =>
  [...blankLiterals(source).matchAll(comment)].flatMap(({ 0: whole, 1: block, 2: lines, 3: end, index }) => {
    if (isForTools.test(whole)) return [];
    const text = (block ?? lines ?? end ?? '').replace(/^[ \t]*(?:\*|\/\/) ?/gm, '');
    const parts = text.split(/\n\s*\n|\n(?=@|- )/).map((part) => plain(part.replace(/^@\w+\s*/, '')));
    return parts.map((part) => ({ line: lineOf(source, index), text: part }));
  });

const isSentence = /^\S+ .*\.$/;

const passagesOfMessages = (source: string): readonly Passage[] => {
  const passages: Passage[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) && isSentence.test(node.text)) {
      passages.push({ line: lineOf(source, node.pos), text: plain(node.text) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
  return passages;
};

/** The comments of a TypeScript text, and its messages: the literals that are whole sentences. */
export const passagesOfSource = (source: string): readonly Passage[] =>
  [...passagesOfComments(source), ...passagesOfMessages(source)].filter(({ text }) => text !== '');

/** Whether an expression is `test` or `describe`, or made from one, such as `test.each(cases)`. */
const isTest = (node: ts.Expression): boolean => {
  if (ts.isIdentifier(node)) return node.text === 'test' || node.text === 'describe';
  return (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) && isTest(node.expression);
};

/** The titles of the tests in a TypeScript text. */
export const passagesOfTitles = (source: string): readonly Passage[] => {
  const passages: Passage[] = [];
  const visit = (node: ts.Node): void => {
    const title = ts.isCallExpression(node) && isTest(node.expression) ? node.arguments[0] : undefined;
    if (title !== undefined && ts.isStringLiteralLike(title)) {
      passages.push({ line: lineOf(source, title.pos), text: plain(title.text) });
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest));
  return passages;
};
