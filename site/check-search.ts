import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import MiniSearch from 'minisearch';
import { words } from './words.ts';

// Searches the built site as its pages do.

const [file] = globSync('dist/assets/chunks/@localSearchIndexroot.*.js', { cwd: import.meta.dirname });
assert(file !== undefined, 'The site has no search index. Run npm run docs:build.');
const { default: index } = (await import(`${import.meta.dirname}/${file}`)) as { readonly default: string };

const search = MiniSearch.loadJSON(index, {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
});

const pageOf = (section: unknown): string =>
  String(section).replace(/^\/guide\/|(?:\.html)?#.*$|\.html$/g, '');

const wrong = Object.entries(words).flatMap(([section, listed]) =>
  listed.flatMap((word) => {
    const found = pageOf(search.search(word)[0]?.id);
    return found === pageOf(section)
      ? []
      : [`The search for "${word}" finds ${found} first, not ${section}.`];
  }),
);
assert.deepEqual(wrong, []);
console.log(
  `${search.documentCount} sections can be searched, and ${Object.values(words).flat().length} words lead to theirs.`,
);
