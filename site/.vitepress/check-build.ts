import type { SiteConfig } from 'vitepress';
import { sidebar } from './sidebar.ts';

const linked = sidebar
  .flatMap(({ items = [] }) => items)
  .filter(({ target }) => target === undefined)
  .map(({ link = '' }) => (link === '/' ? 'index.md' : `${link.slice(1)}.md`));

/**
 * Fails a build that has warned, for example of a language without colors. Also fails if the sidebar links to a page that
 * does not exist, or does not link to a page of docs/.
 */
export const checkBuild = ({
  logger,
  pages,
  rewrites,
}: Pick<SiteConfig, 'logger' | 'pages' | 'rewrites'>): void => {
  const built = new Set(pages.map((page) => rewrites.map[page] ?? page));
  const problems = [
    ...(logger.hasWarned ? ['The build has warned; the warnings are above.'] : []),
    ...linked
      .filter((page) => !built.has(page))
      .map((page) => `The sidebar links to ${page}, which does not exist.`),
    ...[...built]
      .filter((page) => page.startsWith('docs/') && !linked.includes(page))
      .map((page) => `The sidebar does not link to ${page}.`),
  ];
  if (problems.length > 0) throw new Error(problems.join('\n'));
};
