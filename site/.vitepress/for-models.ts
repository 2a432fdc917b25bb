import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SiteConfig } from 'vitepress';
import { sidebar } from './sidebar.ts';

/** The first paragraph of a page, in one line. */
const summaryOf = (page: string): string =>
  page
    .split('\n\n')
    .find((passage) => /^[A-Z`]/.test(passage))
    ?.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/\s+/g, ' ') ?? '';

/**
 * Writes the pages for programs that read them as text (llmstxt.org): `llms.txt` lists them with their first paragraphs, and
 * `llms-full.txt` has all of them in the order of the sidebar.
 */
export const writeForModels = ({ site, srcDir, outDir }: Pick<SiteConfig, 'site' | 'srcDir' | 'outDir'>) => {
  const groups = sidebar.map(({ text, items = [] }) => ({
    text,
    pages: items
      .filter(({ link, target }) => link !== '/' && target === undefined)
      .map(({ text, link }) => ({ text, link, page: readFileSync(join(srcDir, `${link}.md`), 'utf8') })),
  }));
  const list = groups.map(({ text, pages }) => {
    const lines = pages.map(
      (one) => `- [${one.text}](${site.base}${one.link?.slice(1)}.html): ${summaryOf(one.page)}`,
    );
    return `## ${text}\n\n${lines.join('\n')}\n`;
  });
  writeFileSync(join(outDir, 'llms.txt'), `# ${site.title}\n\n> ${site.description}\n\n${list.join('\n')}`);
  const all = groups.flatMap(({ pages }) => pages.map(({ page }) => page));
  writeFileSync(join(outDir, 'llms-full.txt'), all.join('\n\n'));
};
