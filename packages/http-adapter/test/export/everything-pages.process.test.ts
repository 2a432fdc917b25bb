import type { ClinicalStore } from '@clinical-records/core/store';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { isRight } from 'fp-ts/lib/Either.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { statement } from '../builders.ts';
import { createClock, createHandler, createRecords, createSender } from '../clinic.ts';

const maxPageBytes = 1024 * 1024;
const doses = 24;
/** 240 kB. */
const note = Array.from({ length: 240 }, () => ({ text: 'ü'.repeat(500) }));
const namesOfPerformers = ['ada', 'grace', 'mary'];

/** The matches that searches have read since the last look at it. */
const read = { rows: 0, bytes: 0 };
const countingStore = (store: ClinicalStore): ClinicalStore => ({
  ...store,
  search: async (query) => {
    const found = await store.search(query);
    if (isRight(found)) {
      read.rows += found.right.matches.length;
      for (const { resource } of found.right.matches) read.bytes += Buffer.byteLength(resource);
    }
    return found;
  },
});

const records = createRecords(countingStore(openSqliteStore({ filename: ':memory:' })), {
  clock: createClock().now,
});
const send = createSender(createHandler(records));
let names: readonly string[];
beforeAll(async () => {
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  for (const id of namesOfPerformers) await records.directory.put('Practitioner', { id, lastName: id });
  const ids: string[] = [];
  for (let at = 0; at < doses; at += 1) {
    const actor = { reference: `Practitioner/${namesOfPerformers[at % 3]}` };
    ids.push((await records.immunizations.create(statement({ note, performer: [{ actor }] }))).id);
  }
  names = [
    'Patient/amy',
    'CareTeam/amy',
    ...ids.map((id) => `Immunization/${id}`),
    ...namesOfPerformers.map((id) => `Practitioner/${id}`),
  ];
});

type Resource = { readonly resourceType: string; readonly id: string };
type Page = {
  readonly names: readonly string[];
  readonly bytes: number;
  readonly total: number | undefined;
  readonly relations: readonly string[];
  readonly read: typeof read;
};

const readPage = async (url: string): Promise<Page & { readonly next: string | undefined }> => {
  Object.assign(read, { rows: 0, bytes: 0 });
  const { status, json } = await send('GET', url);
  expect(status).toBe(200);
  const resources: readonly Resource[] = (json.entry ?? []).map(
    (entry: { readonly resource: Resource }) => entry.resource,
  );
  const links: readonly { readonly relation: string; readonly url: string }[] = json.link;
  return {
    names: resources.map(({ resourceType, id }) => `${resourceType}/${id}`),
    bytes: resources.reduce((sum, resource) => sum + Buffer.byteLength(JSON.stringify(resource)), 0),
    total: json.total,
    relations: links.map(({ relation }) => relation),
    read: { ...read },
    next: links.find(({ relation }) => relation === 'next')?.url.replace('../..', ''),
  };
};

const everything = '/Patient/amy/$everything';

/** Reads one page after the other, as `next` says. */
const readPages = async (query = ''): Promise<readonly Page[]> => {
  const pages: Page[] = [];
  for (let url: string | undefined = `${everything}${query}`; url !== undefined; ) {
    const { next, ...page } = await readPage(url);
    pages.push(page);
    url = next;
  }
  return pages;
};

const allNames = (pages: readonly Page[]) => pages.flatMap((page) => page.names);

describe('a page of a large chart', () => {
  test.each(['', '?_count=100', '?_count=3'])(
    '%s has at most 1 MiB, and all pages have each resource once',
    async (query) => {
      const pages = await readPages(query);
      expect(pages.length).toBeGreaterThan(doses / 5);
      for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(maxPageBytes);
      expect(allNames(pages)).toEqual(names);
    },
  );

  test('ends before the resource that would make it larger, and not before', async () => {
    const [first, second] = await readPages();
    // The patient, the team and four doses of 240 kB.
    expect(first?.names).toHaveLength(6);
    expect(second?.names).toHaveLength(4);
  });

  test('reads only what it shows, and about a page ahead', async () => {
    const pages = await readPages();
    const withinChart = pages.slice(0, -1);
    expect(withinChart.length).toBeGreaterThan(4);
    for (const page of withinChart) {
      expect(page.read.rows).toBeLessThanOrEqual(10);
      expect(page.read.bytes).toBeLessThanOrEqual(2 * maxPageBytes);
    }
    // The references of a chart are known once all of it was read.
    expect(pages.at(-1)?.read.rows).toBeGreaterThanOrEqual(doses);
  });

  test('says how many resources there are if it is the last one, or empty', async () => {
    const pages = await readPages('?_count=100');
    expect(pages.map(({ total }) => total)).toEqual([...pages.slice(1).map(() => undefined), names.length]);
    expect(pages[0]?.relations).toEqual(['self', 'first', 'next']);
    expect(pages.at(-1)?.relations).toEqual(['self', 'first', 'last']);
    for (const query of ['?_count=0', '?_offset=1000']) {
      expect(await readPages(query)).toMatchObject([{ names: [], total: names.length }]);
    }
  });

  test('with _count and _offset, begins after that many resources', async () => {
    for (const offset of [0, 1, 2, 9, doses + 1, doses + 2, doses + 4]) {
      const page = await readPage(`${everything}?_count=2&_offset=${offset}`);
      expect(page.names).toEqual(names.slice(offset, offset + 2));
    }
  });

  test('with _type and _since, has only what these ask for', async () => {
    const types = await readPages('?_type=Immunization,Practitioner');
    expect(allNames(types)).toEqual(names.filter((name) => /^(Immunization|Practitioner)/.test(name)));
    const { json } = await send('GET', `/${names[12]}`);
    const later = allNames(await readPages(`?_since=${encodeURIComponent(json.meta.lastUpdated)}`));
    // The performers of the later doses are in the order in which these name them.
    expect(later.filter((name) => !name.startsWith('Practitioner/'))).toEqual([
      'Patient/amy',
      ...names.slice(12, 2 + doses),
    ]);
    expect(later.filter((name) => name.startsWith('Practitioner/')).toSorted()).toEqual(names.slice(-3));
    expect(allNames(await readPages('?_since=2100-01-01'))).toEqual(['Patient/amy']);
  });
});

test('a small chart is one page without a next one', async () => {
  await records.directory.put('Patient', { id: 'ben', lastName: 'Low' });
  const { json } = await send('GET', '/Patient/ben/$everything');
  expect(json).toMatchObject({ total: 2, link: [{ relation: 'self' }] });
});
