import type { HostResources, HostSearch } from '@clinical-records/http-adapter';
import { matchesName } from './match-name.ts';
import { type NamedType, namedTypes, type ReadNames } from './people-index.ts';

const parameters: HostSearch['parameters'] = [
  { name: 'name', type: 'string', documentation: 'The beginnings of any words of the name.' },
];

const collator = new Intl.Collator('en');

const createSearch = (type: NamedType, readNames: ReadNames, read: HostResources['read']): HostSearch => ({
  parameters,
  find: async (conditions, { count, offset, within }) => {
    const matches = (await readNames(type))
      .filter(({ id }) => within === undefined || within.includes(id))
      .filter(({ name }) => conditions.every(([, value]) => matchesName(name, value)))
      .sort((a, b) => collator.compare(a.name, b.name) || collator.compare(a.id, b.id));
    const page = matches.slice(offset, offset + count);
    const resources = await Promise.all(page.map(async ({ id }) => read(type, id, {})));
    return { total: matches.length, resources: resources.filter((resource) => resource != null) };
  },
});

/** The searches of people and organizations by their names. */
export const createPeopleSearches = (
  readNames: ReadNames,
  read: HostResources['read'],
): Readonly<Record<string, HostSearch>> =>
  Object.fromEntries(namedTypes.map((type) => [type, createSearch(type, readNames, read)]));
