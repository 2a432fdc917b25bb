import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import MiniSearch from 'minisearch';

// Searches the built site as its pages do: each word must find its page first.

const expected = [
  ['backup', '/guide/docs/operating.html'],
  ['transaction', '/guide/docs/transactions.html'],
] as const;

const [file] = globSync('dist/assets/chunks/@localSearchIndexroot.*.js', { cwd: import.meta.dirname });
assert(file !== undefined, 'The site has no search index. Run npm run docs:build.');
const { default: index } = (await import(`${import.meta.dirname}/${file}`)) as { readonly default: string };

const search = MiniSearch.loadJSON(index, {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
});

for (const [word, page] of expected) {
  const [first] = search.search(word);
  assert.equal(String(first?.id).split('#')[0], page, `The search for "${word}" finds another page first.`);
}
console.log(`${search.documentCount} sections can be searched.`);
