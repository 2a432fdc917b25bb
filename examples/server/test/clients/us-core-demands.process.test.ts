import { setImmediate } from 'node:timers/promises';
import {
  type AnyResource,
  evaluatePath,
  findFhirIssues,
  findMissingElements,
  findProfileIssues,
  usCoreProfiles,
  usCoreSearches,
} from '@clinical-records/testing-profiles';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endAll, newFolder, startServer } from '../running-server.ts';

afterAll(endAll);

type Element = { readonly [name in 'reference' | 'system' | 'code' | 'value']?: string };
type Entry = { readonly resource: AnyResource };
type Condition = readonly [name: string, value: string];

const chartTypes = ['CareTeam', 'Goal', 'Immunization', 'ServiceRequest', 'AllergyIntolerance'];

let server: Awaited<ReturnType<typeof startServer>>;

const request = async (path: string, init: RequestInit = {}) => {
  const headers = { ...init.headers, authorization: `Bearer ${server.token}` };
  const response = await fetch(`${server.address}/${path}`, { ...init, headers });
  return { status: response.status, body: (await response.json()) as AnyResource };
};

const found = ({ status, body }: Awaited<ReturnType<typeof request>>): readonly AnyResource[] => {
  expect(status).toBe(200);
  return ((body.entry ?? []) as readonly Entry[]).map(({ resource }) => resource);
};

const search = async (type: string, conditions: readonly Condition[]) =>
  found(
    await request(`${type}?${new URLSearchParams([['_count', '100'], ...conditions] as [string, string][])}`),
  );

/** A reference, a token or a date as a search names it. An unknown author has none. */
const toValue = (element: string | Element): string | undefined => {
  if (typeof element === 'string') return element;
  const { reference, system, code, value = code } = element;
  return value === undefined ? reference : `${system}|${value}`;
};

const valuesAt = (resource: AnyResource, path: string): readonly string[] =>
  evaluatePath(resource, path).flatMap((element) => toValue(element as string | Element) ?? []);

/** The charts of the demo clinic, who wrote them, and the resources to which these refer, by their references. */
const resources = new Map<string, AnyResource>();

const ofType = (type: string) => [...resources.values()].filter(({ resourceType }) => resourceType === type);

beforeAll(async () => {
  server = await startServer(['--us-core'], await newFolder());
  for (const type of chartTypes) {
    for (const one of await search(type, [['_revinclude', 'Provenance:target']])) {
      resources.set(`${one.resourceType}/${one.id}`, one);
    }
  }
  const references = [...resources.values()].flatMap((one) =>
    Object.keys(usCoreProfiles[one.resourceType]?.references ?? {}).flatMap((path) => valuesAt(one, path)),
  );
  for (const reference of new Set(references)) {
    const { status, body } = await request(reference);
    expect(status).toBe(200);
    resources.set(reference, body);
  }
});

test('each resource is valid FHIR', () => {
  expect([...resources.values()].flatMap(findFhirIssues)).toEqual([]);
});

test('each conforms to its profile and names it, except for what the interface says otherwise', () => {
  const charts = chartTypes.flatMap(ofType);
  const others = charts.filter((one) => findProfileIssues(one).length > 0);
  expect(others.map(({ id }) => id)).toEqual(['demo-immunization-2', 'demo-immunization-6']);
  expect(charts.filter(({ meta }) => meta?.profile === undefined)).toEqual(others);
  expect([...resources.values()].filter((one) => !charts.includes(one)).flatMap(findProfileIssues)).toEqual(
    [],
  );
});

test('every element that must be supported is there, except for some of patients', () => {
  const extension = (name: string) =>
    `Patient.extension('http://hl7.org/fhir/us/core/StructureDefinition/us-core-${name}')`;
  expect(findMissingElements([...resources.values()])).toEqual([
    ...['Patient.name.suffix', 'Patient.name.period.end', "Patient.name.where(use = 'old')"],
    ...['Patient.deceasedDateTime', 'Patient.address.period.end', "Patient.address.where(use = 'old')"],
    ...['race', 'ethnicity', 'tribal-affiliation', 'sex'].map(extension),
  ]);
});

test('every type to which an element must be able to refer is there, except for a RelatedPerson', () => {
  const missing = Object.entries(usCoreProfiles).flatMap(([type, { references = {} }]) =>
    Object.entries(references).flatMap(([path, targets]) => {
      const referred = ofType(type).flatMap((one) =>
        valuesAt(one, path).map((value) => resources.get(value)),
      );
      return targets
        .filter((target) => !referred.some((one) => one?.resourceType === target))
        .map((target) => `${type}.${path} -> ${target}`);
    }),
  );
  expect(missing).toEqual(['CareTeam.participant.member -> RelatedPerson']);
});

/** Searches for what no resource of the demo clinic has, or what the server does not find by. */
const unfindable = ['Patient by death-date and family', 'Organization by address'];

const searches = Object.entries(usCoreSearches).flatMap(([type, { elements, searches: all }]) =>
  all
    .map((names) => ({ type, names, elements, title: `${type} by ${names.join(' and ')}` }))
    .filter(({ title }) => !unfindable.includes(title)),
);

type Search = (typeof searches)[number];

/** Each resource that has all the elements of a search, and a search by its values. */
const samplesOf = ({ type, names, elements }: Search) =>
  ofType(type).flatMap((resource) => {
    const conditions = names.flatMap((name): readonly Condition[] => {
      const [value] = valuesAt(resource, elements[name] ?? '');
      return value === undefined ? [] : [[name, value]];
    });
    return conditions.length < names.length ? [] : [{ resource, conditions }];
  });

describe('each search finds the resources that have its values, and no others', () => {
  // The tests before leave no turn in which the client would notice that the server has closed an idle connection.
  beforeAll(() => setImmediate());

  test.each(searches)('$title', async (one) => {
    const samples = samplesOf(one);
    expect(samples).not.toEqual([]);
    for (const { resource, conditions } of samples) {
      const matches = await search(one.type, conditions);
      expect(matches.map(({ id }) => id)).toContain(resource.id);
      for (const match of matches) {
        for (const [name, value] of conditions) {
          expect(valuesAt(match, one.elements[name] ?? '')).toContain(value);
        }
      }
    }
  });
});

describe('with a form, each finds the same', () => {
  test.each(searches)('$title', async (one) => {
    const [{ conditions } = { conditions: [] }] = samplesOf(one);
    const body = new URLSearchParams(conditions as [string, string][]);
    const byForm = found(await request(`${one.type}/_search`, { method: 'POST', body }));
    const ids = (all: readonly AnyResource[]) => all.map(({ id }) => id);
    expect(ids(byForm)).toEqual(ids(await search(one.type, conditions)));
  });
});

/** So many days later, to the second or to the day. */
const daysLater = (value: string, days: number): string => {
  const later = new Date(Date.parse(value) + days * 86_400_000).toISOString();
  return value.includes('T') ? `${later.slice(0, 19)}Z` : later.slice(0, 10);
};

describe('a date or a time is found with each comparator, and nothing beyond it', () => {
  const dated = searches.flatMap((one) =>
    (usCoreSearches[one.type]?.dates ?? []).flatMap((date) =>
      one.names.includes(date) ? { ...one, date } : [],
    ),
  );
  test.each(dated)('$title', async ({ date, ...one }) => {
    const samples = samplesOf(one).flatMap(({ resource, conditions }) => {
      const [value = ''] = conditions.flatMap(([name, sent]) => (name === date ? sent : []));
      const others = conditions.filter(([name]) => name !== date);
      return /^\d+-\d+-\d+/.test(value) ? [{ resource, value, others }] : [];
    });
    expect(samples).not.toEqual([]);
    for (const { resource, value, others } of samples) {
      for (const [comparator, days] of Object.entries({ gt: -1, ge: -1, lt: 1, le: 1 })) {
        const limit = daysLater(value, days);
        const matches = await search(one.type, [...others, [date, `${comparator}${limit}`]]);
        expect(matches.map(({ id }) => id)).toContain(resource.id);
        const times = matches.flatMap((match) => valuesAt(match, one.elements[date] ?? '')).map(Date.parse);
        expect(times.filter((time) => (time - Date.parse(limit)) * days > 0)).toEqual([]);
      }
    }
  });
});

test.each(chartTypes)('a search for %s adds the Provenance of each match', (type) => {
  const targets = ofType('Provenance').flatMap((one) => valuesAt(one, 'target'));
  for (const { id } of ofType(type)) {
    expect(targets.some((target) => target.startsWith(`${type}/${id}/`))).toBe(true);
  }
});

test('the server says that it has each search', async () => {
  const { body } = await request('metadata');
  for (const { type, names } of searches) {
    const listed = evaluatePath(body, `rest.resource.where(type = '${type}').searchParam.name`);
    expect(listed).toEqual(expect.arrayContaining([...names]));
  }
});
