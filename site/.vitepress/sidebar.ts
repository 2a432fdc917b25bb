import type { DefaultTheme } from 'vitepress';

type Page = readonly [text: string, path: string] | typeof functionsAndTypes;

const group = (text: string, pages: readonly Page[]): DefaultTheme.SidebarItem => ({
  text,
  collapsed: false,
  items: pages.map((page) => ('link' in page ? page : { text: page[0], link: `/${page[1]}` })),
});

/** It is made from the types, beside the pages. */
const functionsAndTypes = { text: 'Functions and types', link: '/reference/index.html', target: '_self' };

/** The pages, in the order in which one needs them. */
export const sidebar: DefaultTheme.SidebarItem[] = [
  group('Start', [
    ['Overview', ''],
    ['Why this', 'docs/why'],
    ['Getting started', 'docs/getting-started'],
    ['Tutorial', 'docs/tutorial'],
    ['The example server', 'examples/server/README'],
    ['A whole app', 'examples/day-clinic/README'],
    ['Recipes', 'docs/recipes'],
  ]),
  group('Guides', [
    ['Embedding', 'docs/embedding'],
    ['The database', 'docs/database'],
    ['People and resources', 'docs/people'],
    ['Users', 'docs/users'],
    ['Authorization', 'docs/authorization'],
    ['Frameworks', 'docs/frameworks'],
    ['Transactions', 'docs/transactions'],
    ['Chart commands', 'docs/chart-commands'],
    ['Your own rules', 'docs/your-rules'],
    ['Your own fields', 'docs/your-fields'],
    ['Your own types', 'docs/your-types'],
    ['Corrections', 'docs/corrections'],
    ['Changes', 'docs/changes'],
    ['Webhooks', 'docs/webhooks'],
    ['Importing', 'docs/importing'],
    ['Exporting', 'docs/exporting'],
    ['Audit', 'docs/audit'],
    ['GDPR, HIPAA, retention', 'docs/privacy'],
    ['Many clinics', 'examples/tenants/README'],
    ['With fp-ts', 'docs/fp-ts'],
    ['Writing a store', 'docs/writing-a-store'],
  ]),
  group('Examples', [
    ['Express', 'examples/embed-express/README'],
    ['Fastify', 'examples/embed-fastify/README'],
    ['Hono', 'examples/embed-hono/README'],
  ]),
  group('Reference', [
    ['The HTTP interface', 'docs/http-interface'],
    ['A client', 'docs/client'],
    ['Agents', 'docs/agents'],
    ['Bulk export', 'docs/bulk-export'],
    ['Errors', 'docs/errors'],
    ['US Core', 'docs/us-core'],
    ['Guarantees', 'docs/guarantees'],
    ['Limits', 'docs/limits'],
    ['Glossary', 'docs/glossary'],
    ['SQLite', 'packages/store-sqlite/README'],
    ['PostgreSQL', 'packages/store-postgres/README'],
    ['Memory', 'packages/store-memory/README'],
    functionsAndTypes,
  ]),
  group('Operating', [
    ['Operating', 'docs/operating'],
    ['On call', 'docs/on-call'],
    ['Sizing', 'docs/sizing'],
    ['Scaling', 'docs/scaling'],
    ['Performance', 'docs/performance'],
    ['Security', 'docs/security'],
    ['Report a vulnerability', 'SECURITY'],
    ['Hazard log', 'docs/hazards'],
    ['Third-party notices', 'docs/notices'],
  ]),
  group('Maintainers', [
    ['Contributing', 'CONTRIBUTING'],
    ['Architecture', 'docs/architecture'],
    ['Decisions', 'docs/decisions'],
    ['Where each rule is decided', 'docs/rules'],
    ['Testing', 'docs/testing'],
  ]),
];
