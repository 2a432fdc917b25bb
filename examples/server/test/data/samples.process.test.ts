import { afterAll, expect, test } from 'vitest';
import { endAll, newFolder, startServer } from '../running-server.ts';

afterAll(endAll);

type Media = { readonly example?: unknown; readonly schema: { readonly properties?: Fields } };
type Fields = Readonly<Record<string, { readonly examples?: readonly string[] }>>;
type Parameter = { readonly name: string; readonly in: string; readonly example?: string };
type Operation = {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
};
type Document = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };

/** The request that a viewer fills in. */
const requestOf = (path: string, method: string, { parameters, requestBody }: Operation) => {
  const filled = parameters.flatMap(({ name, in: place, example }) =>
    example === undefined ? [] : [{ name, place, example }],
  );
  const url = filled
    .filter(({ place }) => place === 'path')
    .reduce((before, { name, example }) => before.replace(`{${name}}`, encodeURIComponent(example)), path);
  const query = filled
    .filter(({ place }) => place === 'query')
    .map(({ name, example }): [string, string] => [name, example]);
  const [[type, media] = ['', undefined]] = Object.entries(requestBody?.content ?? {});
  const fields = Object.entries(media?.schema.properties ?? {}).flatMap(
    ([name, { examples: [value = ''] = [] }]): [string, string][] => (value === '' ? [] : [[name, value]]),
  );
  const body = type.endsWith('json') ? JSON.stringify(media?.example) : `${new URLSearchParams(fields)}`;
  return {
    url: `${url}?${new URLSearchParams(query)}`,
    init: { method, ...(media !== undefined && { body, headers: { 'content-type': type } }) },
  };
};

test('each request that the docs fill in works against the demo clinic, and finds a result', async () => {
  const server = await startServer([], await newFolder());
  const { origin } = new URL(server.address);
  const { paths } = (await (await fetch(`${origin}/docs/openapi.json`)).json()) as Document;
  const answered: Record<string, number> = {};
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      // An export needs the token of a system, and the demo prints that of a user.
      if (/export/i.test(operation.operationId)) continue;
      const { url, init } = requestOf(path, method.toUpperCase(), operation);
      const headers = { ...init.headers, authorization: `Bearer ${server.token}` };
      const response = await fetch(server.address + url, { ...init, headers });
      answered[operation.operationId] = response.status;
      const body = (await response.json()) as { readonly total?: number } | null;
      if (operation.operationId.startsWith('search'))
        expect(body?.total, operation.operationId).toBeGreaterThan(0);
    }
  }
  expect(answered).toEqual({
    ...Object.fromEntries(Object.keys(answered).map((id) => [id, 200])),
    createAllergyIntolerance: 201,
    createCommand: 201,
    createImmunization: 201,
    // Nobody merges two charts by a click on what is filled in.
    ...{ mergePatients: 400, moveToPatient: 400 },
  });
  expect(Object.keys(answered)).toHaveLength(78);
});

test('without the demo clinic, the docs do not fill in any field of a form', async () => {
  const { address } = await startServer(['--empty'], await newFolder());
  const response = await fetch(new URL('/docs/openapi.json', address));
  const { paths } = (await response.json()) as Document;
  const form = paths['/Goal/_search']?.post?.requestBody?.content['application/x-www-form-urlencoded'];
  expect(form?.schema.properties?.patient?.examples).toEqual(['']);
});
