import type { MarkdownRenderer } from 'vitepress';

/** Makes the name of a rule an anchor of its row: `docs/errors.html#one-lead` shows what to do. */
export const anchorRules = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.push('anchor-rules', ({ tokens, env }) => {
    if (env.relativePath !== 'docs/errors.md') return;
    for (const [index, row] of tokens.entries()) {
      const [first] = tokens[index + 2]?.children ?? [];
      if (row.type === 'tr_open' && first?.type === 'code_inline') row.attrSet('id', first.content);
    }
  });
};
