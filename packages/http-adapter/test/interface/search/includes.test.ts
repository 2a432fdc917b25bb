import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { HostResources, Principal } from '../../../src/index.ts';
import { ada, bob, goal, lab, labOrder, statement, team } from '../../builders.ts';
import { type Clinic, createHandler, createSender, openClinic, type ParsedResponse } from '../../clinic.ts';
import { expectError } from '../../response-helpers.ts';

let clinic: Clinic;

beforeAll(async () => {
  clinic = await openClinic(createMemoryStore());
  await clinic.records.careTeams.update('amy', team(ada, bob, lab));
  for (const id of ['walk', 'swim', 'run']) await clinic.record(goal({ id }));
  await clinic.record(goal({ id: 'ben', patientId: 'ben' }));
  await clinic.record(
    labOrder({
      requesterId: 'bob',
      encounter: { reference: 'Encounter/visit-amy' },
      performer: [{ reference: 'Organization/lab' }, { reference: 'Device/pump' }, { display: 'Somebody' }],
    }),
  );
  const manufacturer = { reference: 'Organization/home' };
  const performer = [
    { actor: { reference: 'Practitioner/cyd' } },
    { actor: { reference: 'Practitioner/no' } },
  ];
  await clinic.post('/Immunization', statement({ manufacturer, performer }));
});

type Entry = {
  readonly fullUrl?: string;
  readonly resource: { readonly resourceType: string; readonly id: string };
  readonly search: { readonly mode: 'match' | 'include' };
};

/** The included resources of a page, which follow its matches. */
const includedIn = ({ status, json }: ParsedResponse): readonly string[] => {
  expect(status).toBe(200);
  const entries: readonly Entry[] = json.entry ?? [];
  const modes = entries.map(({ search }) => search.mode);
  expect(modes).toEqual(modes.toSorted().toReversed());
  return entries
    .filter(({ search }) => search.mode === 'include')
    .map(({ resource }) => `${resource.resourceType}/${resource.id}`);
};

describe('each include adds the resources to which the matches refer', () => {
  test.each([
    ['CareTeam', 'patient=amy', 'CareTeam:patient', ['Patient/amy']],
    ['CareTeam', 'patient=amy', 'CareTeam:subject', ['Patient/amy']],
    [
      'CareTeam',
      'patient=amy',
      'CareTeam:participant',
      ['Practitioner/ada', 'Practitioner/bob', 'Organization/lab'],
    ],
    ['Goal', '_id=walk', 'Goal:patient', ['Patient/amy']],
    ['Goal', '_id=walk', 'Goal:subject', ['Patient/amy']],
    ['ServiceRequest', 'patient=amy', 'ServiceRequest:requester', ['Practitioner/bob']],
    ['ServiceRequest', 'patient=amy', 'ServiceRequest:encounter', ['Encounter/visit-amy']],
    ['ServiceRequest', 'patient=amy', 'ServiceRequest:performer', ['Organization/lab']],
    ['Immunization', 'patient=amy', 'Immunization:patient', ['Patient/amy']],
    ['Immunization', 'patient=amy', 'Immunization:performer', ['Practitioner/cyd']],
    ['Immunization', 'patient=amy', 'Immunization:manufacturer', ['Organization/home']],
    ['Immunization', 'patient=amy', '*', ['Patient/amy', 'Organization/home', 'Practitioner/cyd']],
    ['Goal', '_id=nothing', 'Goal:patient', []],
  ])('%s?%s&_include=%s', async (type, condition, include, expected) => {
    const found = includedIn(await clinic.get(`/${type}?${condition}&_include=${include}`));
    expect(found.toSorted()).toEqual(expected.toSorted());
    const form = `${condition}&_include=${include}`;
    expect(includedIn(await clinic.post(`/${type}/_search`, form))).toEqual(found);
  });
});

test('each resource is included once a page, whatever includes there are, and is not counted', async () => {
  const answer = await clinic.get('/Goal?_count=2&_include=Goal:patient&_include=Goal:subject&_include=*');
  expect(includedIn(answer)).toEqual(['Patient/amy']);
  expect([answer.json.total, answer.json.entry.length]).toEqual([4, 3]);
  const { url } = answer.json.link.find(({ relation }: { relation: string }) => relation === 'next');
  expect(includedIn(await clinic.get(`/${url}`))).toEqual(['Patient/amy', 'Patient/ben']);
});

test('an included resource is what a read returns, with its URL if the host gives one', async () => {
  const baseUrl = 'https://clinic.example/r4';
  const send = createSender(createHandler(clinic.records, { baseUrl, links: 'absolute' }));
  const { json } = await send('GET', '/Goal?_id=walk&_include=Goal:patient');
  expect(json.entry[1]).toEqual({
    fullUrl: `${baseUrl}/Patient/amy`,
    resource: (await send('GET', '/Patient/amy')).json,
    search: { mode: 'include' },
  });
});

test('an unknown include is a 400 that says which are supported, and a modifier is one, too', async () => {
  for (const query of [
    ...['_include=Goal:author', '_include=Patient:general-practitioner'],
    // One that is supported does not excuse another.
    ...['_include=Goal:patient&_include=Goal:author', '_include=Goal:author&_include=Goal:patient'],
  ]) {
    const answer = await clinic.get(`/Goal?${query}`);
    expectError(answer, 400, 'http._include');
    expect(answer.json.issue[0].diagnostics).toContain('Goal:patient, Goal:subject, *');
  }
  expectError(await clinic.get('/Goal?_include:iterate=Goal:patient'), 400, 'http._include');
});

describe('what the token may not read is left out', () => {
  const sendAs = (principal: Omit<Principal, 'subject'>, hostResources?: HostResources) =>
    createSender(
      createHandler(clinic.records, {
        authenticate: () => ({ subject: 'Person/x', ...principal }),
        ...(hostResources !== undefined && { hostResources }),
      }),
    );
  test('by type', async () => {
    const path = '/CareTeam?patient=amy&_include=*';
    expect(includedIn(await sendAs({ scopes: 'user/CareTeam.rs' })('GET', path))).toEqual([]);
    const scopes = 'user/CareTeam.rs user/Practitioner.r user/Patient.s';
    expect(includedIn(await sendAs({ scopes })('GET', path))).toEqual([
      'Practitioner/ada',
      'Practitioner/bob',
    ]);
  });
  test('by chart: the host is asked with the limit, and not for other patients', async () => {
    const read = vi.fn<HostResources['read']>((resourceType, id) => ({ resourceType, id }));
    const host = { types: ['Patient', 'Encounter'], read };
    const scopes = 'user/Goal.rs patient/Patient.r user/ServiceRequest.rs patient/Encounter.r';
    const send = sendAs({ scopes, patient: 'amy' }, host);
    expect(includedIn(await send('GET', '/Goal?_include=Goal:patient'))).toEqual(['Patient/amy']);
    expect(read.mock.calls).toEqual([['Patient', 'amy', { within: 'amy' }]]);
    // The host's encounter does not say whose it is.
    expect(includedIn(await send('GET', '/ServiceRequest?_include=ServiceRequest:encounter'))).toEqual([]);
  });
  test('in TypeScript, by the limit of the search', async () => {
    const { careTeams, goals } = clinic.records;
    const page = await careTeams.asJson.search([['_include', '*']], { within: 'amy' });
    expect(page).toContain('"Practitioner","id":"ada"');
    const reach = (type: string) => (type === 'Patient' ? null : {});
    const without = await goals.asJson.search([['_include', '*']], { reach });
    expect(without).not.toContain('"include"');
  });
});

test('a search that includes resources of a failing host fails as a whole', async () => {
  const onError = vi.fn();
  const read = () => {
    throw new Error('The host is away.');
  };
  const send = createSender(
    createHandler(clinic.records, { hostResources: { types: ['Patient'], read }, onError }),
  );
  expectError(await send('GET', '/Goal?_include=Goal:patient'), 500);
  expect(onError).toHaveBeenCalledOnce();
});
