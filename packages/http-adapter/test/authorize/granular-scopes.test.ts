import { setImmediate } from 'node:timers/promises';
import type { ClinicalStore, ResourceType } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { beforeEach, describe, expect, test } from 'vitest';
import type { HttpHandlerOptions, Principal, Scope } from '../../src/index.ts';
import { ada, bob, labOrder, statement, team } from '../builders.ts';
import { type Clinic, createHandler, createSender, type ParsedResponse } from '../clinic.ts';
import { expectError, expectNotFound, idsOf, linkOf } from '../response-helpers.ts';
import { selectStores } from '../stores.ts';
import { hostResources, openCharts } from './clinic.ts';
import { routes, rows } from './rows.ts';

/** Of each type, a search that finds every resource of the charts, and one that finds none. */
const searches: Readonly<Record<ResourceType, readonly [matching: string, opposite: string]>> = {
  ServiceRequest: ['category=http://snomed.info/sct|108252007', 'category=http://snomed.info/sct|363679005'],
  Goal: ['description=Walk%20a%20mile', 'description=Run'],
  CareTeam: ['status=active', 'status=inactive'],
  Immunization: ['status=completed', 'status=not-done'],
};

const otherTypes = [
  ...['Patient', 'Practitioner', 'Organization', 'Encounter', 'Provenance'],
  ...['Condition', 'Device', 'Medication'],
];

/** The scopes of a sender who reaches all types, of which one is limited by a search. */
const scopesWith = (limited: string, search: string): readonly Scope[] =>
  [...Object.keys(searches), ...otherTypes].map(
    (type) => `user/${type}.cruds${type === limited ? search : ''}` as Scope,
  );

const sendAs = (
  { records }: Clinic,
  principal: Partial<Principal> = {},
  options: Partial<HttpHandlerOptions> = {},
) =>
  createSender(
    createHandler(records, {
      ...{ hostResources, chartCommands: true },
      authenticate: () => ({ subject: 'Practitioner/ada', scopes: [], ...principal }),
      ...options,
    }),
  );

/** A response without the id that the request named, and without what differs between two writes. */
const withoutId = ({ status, headers, text }: ParsedResponse, id: string) => ({
  status,
  headers: { ...headers, location: undefined, 'last-modified': undefined },
  text: text.replaceAll(id, 'id'),
});

const stores = selectStores<readonly [name: string, open: () => ClinicalStore]>(
  ['memory', createMemoryStore],
  ['sqlite', () => openSqliteStore({ filename: ':memory:' })],
);

/** The type by which the request of a row is limited. */
const limitedTypeOf = (name: string): ResourceType => {
  const [type = ''] = name.split(' ').slice(-1);
  return type === 'Provenance' ? 'Goal' : (type as ResourceType);
};

const limitedRows = Object.entries(rows).filter(([name]) => limitedTypeOf(name) in searches);

describe.each(stores)('on %s', (_, openStore) => {
  let clinic: Clinic;
  beforeEach(async () => {
    clinic = await openCharts(openStore());
  });

  describe.each(limitedRows)('%s, by a sender with a scope that has a search', (name, row) => {
    const type = limitedTypeOf(name);
    const [matching, opposite] = searches[type];
    const { method } = routes.get(name) ?? { method: 'GET' };
    const request = (id: string) => {
      const { path, body, headers = {} } = row;
      return [method, path(id), { headers, ...(body && { body: body(id) }) }] as const;
    };

    test('that finds the resource is as by a sender with the whole scope', async () => {
      const whole = await sendAs(await openCharts(openStore()), { scopes: scopesWith(type, '') })(
        ...request('amy'),
      );
      const limited = await sendAs(clinic, { scopes: scopesWith(type, `?${matching}`) })(...request('amy'));
      expect(limited.status).toBeLessThan(300);
      expect(withoutId(limited, 'amy')).toEqual(withoutId(whole, 'amy'));
    });

    test('that does not find it, is as for a resource that does not exist, and nothing is written', async () => {
      const before = await clinic.feed();
      const send = sendAs(clinic, { scopes: scopesWith(type, `?${opposite}`) });
      const answer = await send(...request('amy'));
      expect(await clinic.feed()).toEqual(before);
      if (name.startsWith('POST type')) expectError(answer, 403);
      else if (row.denied === 'empty') expect([answer.json.total, idsOf(answer)]).toEqual([0, []]);
      else expect(withoutId(answer, 'amy')).toEqual(withoutId(await send(...request('nobody')), 'nobody'));
    });
  });

  /** Sends as somebody with some scopes. */
  const sendWith = (scopes: string, principal: Partial<Principal> = {}) =>
    sendAs(clinic, { scopes, ...principal });

  test('a search, its total and its pages have only what the search of the scope finds, whatever is searched for', async () => {
    await clinic.record({ ...labOrder({ id: 'scan' }), kind: 'imagingOrder' });
    await clinic.record(labOrder({ id: 'later' }));
    const labs = sendWith(`user/ServiceRequest.rs?${searches.ServiceRequest[0]}`);
    for (const [query, ids] of [
      ['', ['amy', 'ben', 'later']],
      ['?patient=amy', ['amy', 'later']],
      ['?category=363679005', []],
      ['?_id=scan,later', ['later']],
      ['?_sort=-_lastUpdated', ['later', 'ben', 'amy']],
    ] as const) {
      const page = await labs('GET', `/ServiceRequest${query}`);
      expect([query, idsOf(page), page.json.total]).toEqual([query, ids, ids.length]);
    }
    const first = await labs('GET', '/ServiceRequest?_count=1');
    const second = await labs('GET', `/ServiceRequest?${linkOf(first, 'next')?.split('?')[1]}`);
    expect([idsOf(first), first.json.total, idsOf(second)]).toEqual([['amy'], 3, ['ben']]);
    // A link of somebody who reaches all orders names one that this sender cannot know of.
    const after = await clinic.get('/ServiceRequest?_id=scan,later&_count=1');
    const link = linkOf(after, 'next')?.split('?')[1];
    expectError(await labs('GET', `/ServiceRequest?${link}`), 400, 'http._after');
  });

  test('a page begins after a resource that has left the reach since it was shown', async () => {
    const active = sendWith('user/Goal.rs?lifecycle-status=active');
    const first = await active('GET', '/Goal?_count=1');
    await clinic.record({ kind: 'closeGoal', goalId: 'amy', achievementStatus: 'achieved' });
    const second = await active('GET', `/Goal?${linkOf(first, 'next')?.split('?')[1]}`);
    expect([idsOf(first), idsOf(second)]).toEqual([['amy'], ['ben']]);
  });

  test('the past has the versions that the search finds, and nothing if it does not find the current one', async () => {
    await clinic.record({ kind: 'closeGoal', goalId: 'amy', achievementStatus: 'achieved' });
    const provenance = ' user/Provenance.rs';
    const completed = sendWith(`user/Goal.rs?lifecycle-status=completed${provenance}`);
    const versions = (await completed('GET', '/Goal/amy/_history')).json;
    expect([versions.total, versions.entry[0].resource.meta.versionId]).toEqual([1, '2']);
    expect((await completed('GET', '/Goal/amy/_history/1')).status).toBe(404);
    expect((await completed('GET', '/Provenance/G-amy-1')).status).toBe(404);
    expect(idsOf(await completed('GET', '/Provenance?target=Goal/amy'))).toEqual(['G-amy-2']);
    const active = sendWith(`user/Goal.rs?lifecycle-status=active${provenance}`);
    for (const path of ['/Goal/amy', '/Goal/amy/_history', '/Goal/amy/_history/1', '/Provenance/G-amy-1']) {
      expect([path, (await active('GET', path)).status]).toEqual([path, 404]);
    }
    expect((await active('GET', '/Provenance?target=Goal/amy')).json.total).toBe(0);
  });

  test('what a search includes is limited by the scopes that allow its reads', async () => {
    const path = '/Goal?_id=amy&_revinclude=Provenance:target';
    const scopes = 'user/Goal.s user/Provenance.r user/Goal.r?lifecycle-status=';
    const included = async (status: string) =>
      (await sendWith(`${scopes}${status}`)('GET', path)).json.entry.length - 1;
    expect([await included('active'), await included('completed')]).toEqual([1, 0]);
  });

  test('$everything has of each type what its scope finds', async () => {
    await clinic.record({ ...labOrder({ id: 'scan' }), kind: 'imagingOrder' });
    const scopes = [
      ...['user/Patient.r', 'user/ServiceRequest.r?category=363679005', 'user/Goal.r?description=Run'],
      ...['user/Immunization.r?status=completed', 'user/CareTeam.r?status=active'],
    ];
    const send = sendWith(scopes.join(' '));
    const all = (await send('GET', '/Patient/amy/$everything')).json;
    const names = all.entry.map(
      ({ resource }: { resource: { resourceType: string; id: string } }) =>
        `${resource.resourceType}/${resource.id}`,
    );
    expect(names).toEqual(['Patient/amy', 'ServiceRequest/scan', 'CareTeam/amy', 'Immunization/amy']);
    expect(all.total).toBe(4);
    const page = (await send('GET', '/Patient/amy/$everything?_count=2&_offset=2')).json;
    expect([page.entry.length, page.total]).toEqual([2, 4]);
  });

  test('a write shows its resource only if a scope that reads it finds it', async () => {
    const headers = { prefer: 'return=representation' };
    const shownWith = async (search: string) => {
      const send = sendWith(`user/Immunization.c user/Immunization.r?${search}`);
      return (await send('POST', '/Immunization', { headers, body: statement() })).text;
    };
    expect(JSON.parse(await shownWith('status=completed')).resourceType).toBe('Immunization');
    expect(await shownWith('status=not-done')).toBe('null');
  });

  test('a POST under a condition returns no immunization that the search does not find, and records nothing beside it', async () => {
    const system = 'urn:x:registry';
    const ofYear = (year: string, value: string) =>
      statement({ occurrenceDateTime: `${year}-02-03`, identifier: [{ system, value }] });
    const send = sendWith('user/Immunization.crs?date=2025');
    const post = async (year: string, value: string) => {
      const headers = { 'if-none-exist': `identifier=${system}|${value}` };
      return send('POST', '/Immunization', { headers, body: ofYear(year, value) });
    };
    await clinic.post('/Immunization', ofYear('2024', 'A-1'));
    const before = await clinic.feed();
    expectError(await post('2025', 'A-1'), 403);
    expect(await clinic.feed()).toEqual(before);
    const created = await post('2025', 'A-2');
    const found = await post('2025', 'A-2');
    expect([created.status, found.status]).toEqual([201, 200]);
    expect(found.headers.location).toBe(created.headers.location);
  });

  test('a team is found by its members, and changed only by who reaches it before and after', async () => {
    await clinic.put('/CareTeam/amy', team(ada));
    const send = sendWith('user/CareTeam.rus?participant=Practitioner/ada');
    expect(idsOf(await send('GET', '/CareTeam'))).toEqual(['amy']);
    expect((await send('GET', '/CareTeam/amy')).status).toBe(200);
    expect((await send('GET', '/CareTeam/ben')).status).toBe(404);
    expect((await send('PUT', '/CareTeam/ben', { body: { id: 'ben' } })).status).toBe(404);
    expect((await send('PUT', '/CareTeam/amy', { body: team(ada, bob) })).status).toBe(200);
    const before = await clinic.feed();
    expectError(await send('PUT', '/CareTeam/amy', { body: team(bob) }), 403);
    const suspend = { member: 'Practitioner/ada', status: 'suspended' };
    expectError(await send('POST', '/commands/CareTeam/amy', { body: suspend }), 403);
    expect(await clinic.feed()).toEqual(before);
    await clinic.put('/CareTeam/amy', team(bob));
    expect((await send('GET', '/CareTeam/amy')).status).toBe(404);
    expect((await send('GET', '/CareTeam/amy.inactive')).status).toBe(200);
    expectNotFound(await send('PUT', '/CareTeam/amy', { body: team(ada) }), 'CareTeam', 'amy');
    const dietitians = sendWith('user/CareTeam.rs?role=159033005');
    expect((await dietitians('GET', '/CareTeam')).json.total).toBe(0);
  });

  test('`authorize` decides about what the scopes find', async () => {
    const asked: unknown[] = [];
    const send = sendAs(
      clinic,
      { scopes: 'user/Goal.rs?lifecycle-status=active' },
      {
        authorize: ({ id, patientIds }) => {
          asked.push([id, patientIds]);
          return { limitTo: 'amy' };
        },
      },
    );
    expect((await send('GET', '/Goal')).json.total).toBe(1);
    expect((await send('GET', '/Goal/ben')).status).toBe(404);
    await clinic.record({ kind: 'closeGoal', goalId: 'amy', achievementStatus: 'achieved' });
    expect((await send('GET', '/Goal/amy')).status).toBe(404);
    expect((await send('GET', '/Goal')).json.total).toBe(0);
    // A resource that the scopes do not find is not asked about.
    expect(asked).toEqual([
      [null, []],
      ['ben', ['ben']],
      [null, []],
    ]);
  });

  test('an export has of each type what its scope finds, and its Provenances are of these', async () => {
    await clinic.record({ ...labOrder({ id: 'scan' }), kind: 'imagingOrder' });
    const files = new Map<string, string>();
    let scopes =
      'system/Provenance.rs system/ServiceRequest.rs?category=363679005 system/Goal.r system/Goal.s?description=Run';
    const handler = createHandler(clinic.records, {
      authenticate: () => ({ subject: 'Device/research', scopes }),
      baseUrl: 'https://clinic.example/fhir',
      bulkExport: {
        files: {
          write: async (id, name, text) => void files.set(`${id}/${name}`, text),
          read: async (id, name) => files.get(`${id}/${name}`) ?? null,
          remove: async () => {},
        },
      },
    });
    const send = createSender(handler);
    const headers = { prefer: 'respond-async' };
    const location = (await send('GET', '/$export', { headers })).headers['content-location'] ?? '';
    const read = async (url: string) =>
      handler({ method: 'GET', url: new URL(url).pathname, headers: { authorization: 'Bearer x' } });
    let status = await read(location);
    while (status.status === 202) {
      await setImmediate();
      status = await read(location);
    }
    const { output } = JSON.parse(status.body);
    const named = output.map(({ type, count }: { type: string; count: number }) => [type, count]);
    expect(named).toEqual([
      ['ServiceRequest', 1],
      ['Provenance', 1],
    ]);
    const [orders = '', provenances = ''] = await Promise.all(
      output.map(async ({ url }: { url: string }) => (await read(url)).body),
    );
    expect([JSON.parse(orders).id, JSON.parse(provenances).id]).toEqual(['scan', 'S-scan-1']);
    // A token of the same client that finds other orders reads nothing of it, and one that finds all of them does.
    scopes = 'system/Provenance.rs system/Goal.rs system/ServiceRequest.rs?category=108252007';
    expect((await read(output[0].url)).status).toBe(403);
    scopes = 'system/*.rs';
    expect((await read(output[0].url)).status).toBe(200);
  });

  test('a stream names only versions of what the scopes find', async () => {
    const handler = createHandler(clinic.records, {
      authenticate: () => ({
        subject: 'Person/x',
        scopes: 'user/ServiceRequest.r user/ServiceRequest.s?category=363679005',
      }),
      events: { interval: 1 },
    });
    const url = '/fhir/events?patient=amy';
    const { stream } = await handler({ method: 'GET', url, headers: { authorization: 'Bearer x' } });
    await stream?.next();
    await clinic.record(labOrder({ id: 'hidden' }));
    await clinic.record({ ...labOrder({ id: 'scan' }), kind: 'imagingOrder' });
    const { value } = (await stream?.next()) ?? {};
    expect(value).toContain('"id":"scan"');
    expect(value).not.toContain('hidden');
    await stream?.return();
  });
});
