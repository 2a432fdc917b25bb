import { dirname, join } from 'node:path/posix';
import type { MarkdownRenderer } from 'vitepress';

const isOutside = (href: string): boolean => /^(?:\w+:|#)/.test(href);
const isPage = (href: string): boolean => /\.md(?:#|$)/.test(href);

/**
 * Links to files that are not pages, such as tests, become their text: the site has only pages. The README is not one of them,
 * because the site begins with a page of its own.
 */
export const linkPages = (markdown: MarkdownRenderer): void => {
  markdown.core.ruler.push('link-pages', ({ tokens, env }) => {
    for (const { children } of tokens) {
      let isHidden = false;
      for (const token of children ?? []) {
        const href = token.type === 'link_open' ? token.attrGet('href') : null;
        if (href !== null) {
          isHidden = !isOutside(href) && !isPage(href);
          const [path = ''] = href.split('#');
          if (join(dirname(env.relativePath), path) === 'README.md') token.attrSet('href', '/');
        }
        if (isHidden && token.type.startsWith('link_')) token.hidden = true;
      }
    }
  });
};
