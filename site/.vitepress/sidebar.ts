import type { DefaultTheme } from 'vitepress';

type Pages = readonly (readonly [text: string, path: string])[];

const group = (text: string, pages: Pages): DefaultTheme.SidebarItem => ({
  text,
  collapsed: false,
  items: pages.map(([title, path]) => ({ text: title, link: `/${path}` })),
});

/** The pages, in the order in which one needs them. */
export const sidebar: DefaultTheme.SidebarItem[] = [
  group('Start', [
    ['Overview', ''],
    ['Why this', 'docs/why'],
    ['Getting started', 'docs/getting-started'],
    ['The example server', 'examples/server/README'],
    ['Recipes', 'docs/recipes'],
  ]),
  group('Concepts', [
    ['Chart commands', 'docs/chart-commands'],
    ['Corrections', 'docs/corrections'],
    ['Guarantees', 'docs/guarantees'],
    ['Limits', 'docs/limits'],
    ['Glossary', 'docs/glossary'],
  ]),
  group('Embedding', [
    ['Embedding', 'docs/embedding'],
    ['A whole app', 'examples/day-clinic/README'],
    ['Express', 'examples/embed-express/README'],
    ['Fastify', 'examples/embed-fastify/README'],
    ['Hono', 'examples/embed-hono/README'],
    ['Many clinics', 'examples/tenants/README'],
    ['With fp-ts', 'docs/fp-ts'],
    ['Importing', 'docs/importing'],
    ['Exporting', 'docs/exporting'],
    ['Webhooks', 'docs/webhooks'],
  ]),
  group('HTTP', [
    ['The HTTP interface', 'docs/http-interface'],
    ['Bulk export', 'docs/bulk-export'],
    ['Errors', 'docs/errors'],
    ['US Core', 'docs/us-core'],
    ['Decisions', 'docs/decisions'],
  ]),
  group('Stores', [
    ['SQLite', 'packages/store-sqlite/README'],
    ['PostgreSQL', 'packages/store-postgres/README'],
    ['Memory', 'packages/store-memory/README'],
    ['Writing a store', 'docs/writing-a-store'],
  ]),
  group('Operating', [
    ['Operating', 'docs/operating'],
    ['Sizing', 'docs/sizing'],
    ['Scaling', 'docs/scaling'],
    ['Audit', 'docs/audit'],
  ]),
  group('Security', [
    ['Security', 'docs/security'],
    ['Authorization', 'docs/authorization'],
    ['Report a vulnerability', 'SECURITY'],
  ]),
  {
    text: 'Reference',
    items: [{ text: 'Functions and types', link: '/reference/index.html', target: '_self' }],
  },
  group('Maintainers', [
    ['Contributing', 'CONTRIBUTING'],
    ['Architecture', 'docs/architecture'],
    ['Where each rule is decided', 'docs/rules'],
    ['Testing', 'docs/testing'],
    ['Performance', 'docs/performance'],
  ]),
];
