import { beforeAll, describe, expect, test } from 'vitest';
import { all, openServer, statement } from './server.ts';

type Parameter = { readonly name: string; readonly in: string };
type Operation = { readonly parameters?: readonly (Parameter | { readonly $ref: string })[] };
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> };
};

let server: Awaited<ReturnType<typeof openServer>>;
let document: Document;

beforeAll(async () => {
  server = await openServer();
  const { body } = await server.handler({ method: 'GET', url: '/fhir/openapi.json', headers: {} });
  document = JSON.parse(body);
  const { client } = server;
  const { commands } = client;
  const code = { coding: [{ system: 'http://loinc.org', code: '718-7' }] } as const;
  const goal = await commands.stage({ kind: 'goal', patientId: 'amy', description: 'Walk' });
  await commands.commit(goal.id, { version: goal.version });
  const order = await commands.record({ kind: 'labOrder', patientId: 'amy', code });
  await commands.complete(order.id);
  await commands.reopen(order.id);
  await commands.enterInError(order.id, { reason: 'Wrong.' });
  const draft = await commands.stage({ kind: 'labOrder', patientId: 'amy', code });
  await commands.discard(draft.id);
  await commands.read(goal.id);
  await all(commands.search({ patient: 'amy' }));
  await commands.setParticipantStatus('amy', { member: 'Organization/lab', status: 'proposed' });
  await commands.validateRecord({ kind: 'labOrder', patientId: 'amy', code });
  await commands.validateCommit((await commands.stage({ kind: 'labOrder', patientId: 'amy', code })).id);
  await client.validateCreate('Immunization', statement);
  const dose = await client.create('Immunization', statement);
  await client.validateUpdate(dose, { ...statement, id: dose.id, status: 'entered-in-error' });
  await client.update(dose, { ...statement, id: dose.id, status: 'entered-in-error' });
  const team = await client.read('CareTeam', 'amy');
  await client.update(team, { id: 'amy', participant: [{ member: { reference: 'Organization/lab' } }] });
  await client.read('Encounter', 'visit');
  await client.read('Patient', 'amy');
  await client.read('Practitioner', 'ada');
  await client.read('Organization', 'lab');
  await client.read('Goal', goal.resourceId);
  await client.read('ServiceRequest', order.resourceId);
  await client.read('Immunization', dose.id);
  for (const isForm of [false, true]) {
    await all(
      client.search('ServiceRequest', { patient: 'amy', _include: 'ServiceRequest:requester' }, { isForm }),
    );
    await all(client.search('Goal', { patient: 'amy' }, { isForm }));
    await all(client.search('CareTeam', { patient: 'amy' }, { isForm }));
    await all(client.search('Immunization', { patient: 'amy' }, { isForm }));
    await all(client.search('Provenance', { target: `Immunization/${dose.id}` }, { isForm }));
    await all(client.search('Patient', { name: 'shaw' }, { isForm }));
    await all(client.search('Practitioner', { name: 'byron' }, { isForm }));
    await all(client.search('Organization', { name: 'lab' }, { isForm }));
  }
  for await (const { id } of client.search('Provenance', { target: `Immunization/${dose.id}` })) {
    await client.read('Provenance', `${id}`);
    break;
  }
  for (const type of ['Goal', 'CareTeam', 'Immunization', 'ServiceRequest'] as const) {
    const id = {
      Goal: goal.resourceId,
      CareTeam: 'amy',
      Immunization: dose.id,
      ServiceRequest: order.resourceId,
    };
    await all(client.history(type, id[type]));
    const { meta } = await client.read(type, id[type]);
    await client.readVersion(type, id[type], meta?.versionId ?? '');
  }
  const { corrections } = client;
  const charts = { patientId: 'amy', toPatientId: 'ben' };
  const misplaced = { resourceType: 'Goal', resourceId: goal.resourceId, ...charts };
  const { leaves: _, ...seen } = await corrections.previewMove(misplaced);
  await corrections.move({ ...seen, reason: 'Two charts were open.' });
  await corrections.of('Goal', goal.resourceId);
  const { counts: __, staged: ___, participants: ____, ...patients } = await corrections.previewMerge(charts);
  await corrections.merge({ ...patients, reason: 'Registered twice.' });
  await all(client.everything('ben', { _type: 'Goal', _since: '2026-01-01' }));
});

const segmentsOf = (path: string): readonly string[] => path.split('?')[0]?.split('/') ?? [];

/** The path of the document that has the form of a request's. Of several, the one with the fewest parameters. */
const templateOf = (method: string, path: string): string | undefined => {
  const sent = segmentsOf(path);
  return Object.keys(document.paths)
    .filter((template) => document.paths[template]?.[method.toLowerCase()] !== undefined)
    .filter((template) => {
      const parts = segmentsOf(template);
      return (
        parts.length === sent.length && parts.every((part, at) => part.startsWith('{') || part === sent[at])
      );
    })
    .toSorted((a, b) => a.split('{').length - b.split('{').length)[0];
};

const parametersOf = (method: string, template: string): readonly string[] =>
  (document.paths[template]?.[method.toLowerCase()]?.parameters ?? []).map((parameter) => {
    const named =
      '$ref' in parameter
        ? document.components.parameters?.[parameter.$ref.split('/').at(-1) ?? '']
        : parameter;
    return `${named?.in} ${named?.name.toLowerCase()}`;
  });

describe('each request of the client', () => {
  test('is one that the server describes, with the parameters and headers that it has', () => {
    expect(server.requests.length).toBeGreaterThan(40);
    for (const { method, path, headers } of server.requests) {
      const template = templateOf(method, path);
      expect([method, path, template]).not.toContain(undefined);
      const described = parametersOf(method, template ?? '');
      for (const name of ['if-match', 'idempotency-key', 'prefer'].filter((sent) => headers.has(sent))) {
        expect([template, described]).toEqual([template, expect.arrayContaining([`header ${name}`])]);
      }
      for (const name of new URLSearchParams(path.split('?')[1] ?? '').keys()) {
        expect([template, described]).toEqual([
          template,
          expect.arrayContaining([`query ${name.toLowerCase()}`]),
        ]);
      }
    }
  });

  test('and it sends every request that the server describes, except these', () => {
    const sent = new Set(server.requests.map(({ method, path }) => `${method} ${templateOf(method, path)}`));
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations)
        .filter((method) => ['get', 'post', 'put'].includes(method))
        .map((method) => `${method.toUpperCase()} ${path}`),
    );
    const others = described.filter((one) => !sent.has(one)).toSorted();
    // The search of the type finds the same. A validation of the other steps would have nothing to say.
    const left =
      /^GET \/Patient\/\{id\}\/[A-Z]|(complete|reopen|discard|enter-in-error|CareTeam\/\{id\})\/\$validate$/;
    expect(others.filter((one) => !left.test(one))).toEqual(['GET /commands/{resourceType}/{id}']);
  });
});
