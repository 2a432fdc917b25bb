import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createClinicalRecords } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { clinicalErrorCategories } from '../../src/errors.ts';
import { createReferencedResources } from '../../src/host/references.ts';
import {
  createRouteTable,
  parseResourcePath,
  type ResourcePath,
  splitUrl,
} from '../../src/request/request.ts';
import { createCommandRoutes } from '../../src/routes/command-routes.ts';
import { createCorrectionRoutes } from '../../src/routes/correction-routes.ts';
import { createRoutes, toServedRecords } from '../../src/routes/routes.ts';
import { openClinic } from './clinic.ts';
import { parseRequests, withResponses } from './exchanges.ts';

const path = fileURLToPath(new URL('../../../../docs/http-interface.md', import.meta.url));
const document = readFileSync(path, 'utf8');
const requests = parseRequests(document);

const records = createClinicalRecords({
  store: createMemoryStore(),
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [],
});

const served = toServedRecords(records);

test('every response in the document is what the interface returns', async () => {
  await expect(await withResponses(document, await openClinic())).toMatchFileSnapshot(path);
});

test('every request in the document is followed by its response', () => {
  expect(document.match(/^```http\n[A-Z]+ \//gm)).toHaveLength(requests.length);
});

test('only the requests about errors fail', () => {
  const [others = ''] = document.split('\n## Errors\n');
  expect(others).not.toMatch(/^HTTP\/1\.1 [45]/m);
});

test('the document has a request for every endpoint', () => {
  // One request shows an interaction that is the same for each type.
  const isSameForEachType = (method: string, level: string | undefined) =>
    ['chart', 'search', 'history', 'version'].includes(`${level}`) || (level === 'type' && method === 'GET');
  const nameOf = (
    method: string,
    { type, level, isValidation }: Partial<Pick<ResourcePath, 'type' | 'level' | 'isValidation'>>,
  ) => {
    if (isValidation) return 'POST $validate';
    return isSameForEachType(method, level) ? `${method} ${level}` : `${method} ${type} ${level}`;
  };
  const allRoutes = [
    ...createRoutes(served, createReferencedResources(served)),
    ...createCommandRoutes(served),
    ...createCorrectionRoutes(served),
  ];
  const { hasParticipants } = createRouteTable(allRoutes);
  const shown = requests.map(({ method, url }) =>
    nameOf(method, parseResourcePath(splitUrl(url).path, '/fhir', hasParticipants) ?? {}),
  );
  const routes = allRoutes.map((route) => nameOf(route.method, route));
  expect(routes.filter((route) => !shown.includes(route))).toEqual([]);
});

test('the next page is requested by the link of the first', () => {
  const [next] = requests.flatMap(({ url }) => (url.includes('_after=') ? [url.replace('/fhir/', '')] : []));
  expect(document).toContain(`"relation": "next",\n      "url": "${next}"`);
});

test('the document names every search parameter', () => {
  const rows = document.split('\n').filter((line) => line.startsWith('|'));
  const { resources, directory } = records.describe();
  const missing = Object.entries({ ...resources, ...directory }).flatMap(([type, { parameters }]) =>
    parameters
      .filter(
        ({ name }) =>
          !rows.some((row) => row.includes(`\`${name}\``) && (name.startsWith('_') || row.includes(type))),
      )
      .map(({ name }) => `${type}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test('the document lists every status of an error', () => {
  const rows = Object.values(clinicalErrorCategories).map(({ status, code }) => `| ${status} | ${code} |`);
  expect(rows.filter((row) => !document.includes(row))).toEqual([]);
});
