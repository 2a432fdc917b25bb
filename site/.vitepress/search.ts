import type { DefaultTheme } from 'vitepress';
import { words } from '../words.ts';
import { sidebar } from './sidebar.ts';

/** The pages for maintainers. Their words are those of the guides, which a reader wants first. */
const forMaintainers = new Set(
  sidebar
    .filter(({ text }) => text === 'Maintainers')
    .flatMap(({ items = [] }) => items.map(({ link }) => `${link?.slice(1)}.md`)),
);

const isFound = (page: string): boolean => !forMaintainers.has(page) && !/^(?:bench|testing)\//.test(page);

/** Adds the words of each section to its title, in the index only. A section that does not exist fails the build. */
const withWords = (page: string, html: string): string =>
  Object.entries(words).reduce((indexed, [section, listed]) => {
    const [path, anchor] = section.split('#');
    if (`${path}.md` !== page) return indexed;
    const title = new RegExp(`(<h\\d id="${anchor}"[^>]*>.*?)(?= ?<a class="header-anchor")`);
    if (!title.test(indexed)) throw new Error(`The words of ${section} have no section.`);
    return indexed.replace(title, `$1: ${listed.join(', ')}`);
  }, html);

/** Searches the pages in the browser: titles count more than texts, and pages for maintainers are not found. */
export const search = {
  provider: 'local',
  options: {
    _render: (source, env, markdown) => {
      const html = markdown.render(source, env);
      return isFound(env.relativePath) ? withWords(env.relativePath, html) : '';
    },
  },
} satisfies DefaultTheme.Config['search'];
