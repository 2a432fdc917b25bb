import type { DefaultTheme } from 'vitepress';
import { sidebar } from './sidebar.ts';

/** The pages for maintainers. Their words are those of the guides, which a reader wants first. */
const forMaintainers = new Set(
  sidebar
    .filter(({ text }) => text === 'Maintainers')
    .flatMap(({ items = [] }) => items.map(({ link }) => `${link?.slice(1)}.md`)),
);

const isFound = (page: string): boolean => !forMaintainers.has(page) && !page.startsWith('bench/');

/** Searches the pages in the browser: titles count more than texts, and pages for maintainers are not found. */
export const search = {
  provider: 'local',
  options: {
    _render: (source, env, markdown) => {
      const html = markdown.render(source, env);
      return isFound(env.relativePath) ? html : '';
    },
  },
} satisfies DefaultTheme.Config['search'];
