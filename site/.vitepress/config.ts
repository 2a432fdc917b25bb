import { defineConfig } from 'vitepress';
import core from '../../packages/core/package.json' with { type: 'json' };
import { anchorOf } from '../../scripts/docs/anchor-of.ts';
import { checkBuild } from './check-build.ts';
import { writeForModels } from './for-models.ts';
import { linkPages } from './link-pages.ts';
import { anchorRules } from './rule-anchors.ts';
import { search } from './search.ts';
import { sidebar } from './sidebar.ts';

const version = core.version === '0.0.0' ? 'Not released yet' : core.version;

/** The pages are the documents of the project, each at its path. */
export default defineConfig({
  title: 'Clinical records',
  description: 'Care teams, goals, orders and immunizations for your Node backend',
  base: '/guide/',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: '..',
  srcExclude: ['.changeset/**', 'packages/*/CHANGELOG.md', 'README.md'],
  rewrites: { 'site/home.md': 'index.md' },
  outDir: 'dist',
  buildEnd: (site) => {
    checkBuild(site);
    writeForModels(site);
  },
  markdown: {
    anchor: { slugify: anchorOf },
    config: (markdown) => {
      linkPages(markdown);
      anchorRules(markdown);
    },
  },
  // Pictures are part of the pages, because the example server serves texts only.
  vite: { build: { assetsInlineLimit: () => true } },
  themeConfig: {
    sidebar,
    search,
    nav: [
      { text: version, link: '/docs/getting-started#install-it' },
      { text: 'Reference', link: '/reference/index.html', target: '_self' },
    ],
    outline: [2, 3],
  },
});
