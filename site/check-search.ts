import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import MiniSearch from 'minisearch';

// Searches the built site as its pages do.

/** Everyday words, with the page that a search for each must find first. */
const expected = [
  ['multi-tenant', 'examples/tenants/README'],
  ['tenants', 'examples/tenants/README'],
  ['delete patient', 'docs/corrections'],
  ['GDPR', 'docs/privacy'],
  ['HIPAA', 'docs/privacy'],
  ['ISO 14971', 'docs/hazards'],
  ['SOUP', 'docs/hazards'],
  ['SBOM', 'docs/hazards'],
  ['retention', 'docs/privacy'],
  ['erase', 'docs/corrections'],
  ['merge patients', 'docs/corrections'],
  ['upgrade', 'docs/operating'],
  ['backup', 'docs/operating'],
  ['restore', 'docs/operating'],
  ['docker', 'docs/operating'],
  ['deploy', 'docs/operating'],
  ['logging', 'docs/operating'],
  ['metrics', 'docs/operating'],
  ['rate limit', 'docs/operating'],
  ['health check', 'docs/operating'],
  ['nginx', 'docs/operating'],
  ['migration', 'docs/operating'],
  ['disk full', 'docs/on-call'],
  ['jwt', 'docs/users'],
  ['login', 'docs/users'],
  ['session', 'docs/users'],
  ['csrf', 'docs/users'],
  ['oauth', 'docs/users'],
  ['cookie', 'docs/users'],
  ['permissions', 'docs/users'],
  ['consent', 'docs/authorization'],
  ['break glass', 'docs/authorization'],
  ['transaction', 'docs/transactions'],
  ['kysely', 'docs/recipes'],
  ['drizzle', 'docs/recipes'],
  ['prisma', 'docs/recipes'],
  ['test', 'docs/recipes'],
  ['mock', 'docs/recipes'],
  ['bun', 'docs/recipes'],
  ['openapi', 'docs/http-interface'],
  ['pagination', 'docs/http-interface'],
  ['optimistic locking', 'docs/http-interface'],
  ['care team lead', 'docs/http-interface'],
  ['reopen a goal', 'docs/chart-commands'],
  ['lab order', 'docs/chart-commands'],
  ['cancel an order', 'docs/chart-commands'],
  ['duplicate patients', 'docs/corrections'],
  ['rename a person', 'docs/people'],
  ['history', 'docs/changes'],
  ['retry', 'docs/changes'],
  ['idempotency', 'docs/changes'],
  ['import', 'docs/importing'],
  ['export', 'docs/exporting'],
  ['webhook', 'docs/webhooks'],
  ['audit log', 'docs/audit'],
  ['install', 'docs/getting-started'],
  ['nextjs', 'docs/frameworks'],
  ['fastify', 'examples/embed-fastify/README'],
  ['server-sent events', 'docs/http-interface'],
  ['sort', 'docs/http-interface'],
  ['express', 'examples/embed-express/README'],
  ['postgres', 'packages/store-postgres/README'],
  ['sqlite', 'docs/database'],
  ['time zone', 'docs/embedding'],
  ['error codes', 'docs/errors'],
  ['scaling', 'docs/scaling'],
  ['failover', 'docs/scaling'],
  ['replica', 'docs/scaling'],
  ['performance', 'docs/performance'],
  ['vaccination', 'docs/chart-commands'],
  ['allergies', 'docs/your-types'],
  ['mysql', 'docs/database'],
  ['lambda', 'docs/limits'],
  ['slow', 'docs/sizing'],
  ['fill the directory', 'docs/people'],
] as const;

const [file] = globSync('dist/assets/chunks/@localSearchIndexroot.*.js', { cwd: import.meta.dirname });
assert(file !== undefined, 'The site has no search index. Run npm run docs:build.');
const { default: index } = (await import(`${import.meta.dirname}/${file}`)) as { readonly default: string };

const search = MiniSearch.loadJSON(index, {
  fields: ['title', 'titles', 'text'],
  storeFields: ['title', 'titles'],
  searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
});

const wrong = expected.flatMap(([word, page]) => {
  const found = String(search.search(word)[0]?.id).replace(/^\/guide\/|\.html.*$/g, '');
  return found === page ? [] : [`The search for "${word}" finds ${found} first, not ${page}.`];
});
assert.deepEqual(wrong, []);
console.log(`${search.documentCount} sections can be searched.`);
