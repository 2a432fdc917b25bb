import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccessEvent, type AuditEvent, type ChartLimit, createAuditLog } from '@clinical-records/core';
import { createMemoryAuditStore, createMemoryStore } from '@clinical-records/store-memory';
import { openSqliteAuditStore, openSqliteStore } from '@clinical-records/store-sqlite';
import { evaluatePath, findFhirIssues } from '@clinical-records/testing-profiles';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ada, goal, immunizationStatement, labOrder, statement, team } from '../builders.ts';
import { createHandler, createRecords, openClinic, type RequestOptions } from '../clinic.ts';
import { lookAndAsk } from '../docs/audit-log.ts';

const patients = ['amy', 'ben'] as const;
const site = 'https://clinic.example/fhir';

type Sent = readonly [method: string, path: string, options?: RequestOptions];

/** A request that is chosen by a number. */
const requestOf = (at: number): Sent => {
  const patientId = patients[at % 2] ?? 'amy';
  const number = (at >> 1) % 3;
  const token = ['full', 'full', 'reader', 'amy', 'goals', 'none', 'expired'][at % 7] ?? null;
  const representation = { prefer: 'return=representation' };
  const choices: readonly Sent[] = [
    ['GET', `/Goal/goal-${patientId}-${number}`],
    ['GET', `/Goal/goal-${patientId}-${number}/_history/1`],
    ['GET', `/Goal/goal-${patientId}-${number}/_history`],
    ['GET', `/CareTeam/${patientId}`],
    ['GET', `/Patient/${patientId}`],
    ['GET', '/Practitioner/ada'],
    ['GET', '/Goal/none'],
    ['GET', `/Goal?patient=${patientId}`],
    ['GET', `/Goal?_count=${(at >> 3) % 5}`],
    ['GET', `/Goal?patient=${patientId}&_include=Goal:patient&_revinclude=Provenance:target`],
    ['GET', '/Immunization?_include=Immunization:patient&_count=3'],
    ['GET', '/ServiceRequest?_sort=-authored&_count=4'],
    ['GET', `/Provenance?target=Goal/goal-${patientId}-${number}`],
    ['GET', `/Provenance/G-goal-${patientId}-${number}-1`],
    ['GET', '/Goal?color=blue'],
    [
      'POST',
      '/Goal/_search',
      { body: `patient=${patientId}`, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['POST', '/Immunization', { body: statement(), headers: representation }],
    ['PUT', '/CareTeam/amy', { body: team(ada), headers: representation }],
    ['PUT', '/CareTeam/amy', { body: team(ada), headers: { 'if-match': 'W/"999"' } }],
    ['DELETE', `/Goal/goal-${patientId}-${number}`],
  ];
  const [method, path, options] = choices[(at * 7) % choices.length] ?? ['GET', '/Goal'];
  return [method, path, { token, ...options }];
};

/** The patients in a response, read without the library: by their references, and by the names of the test. */
const patientsIn = (text: string): readonly string[] => [
  ...new Set([
    ...Array.from(
      text.matchAll(/"Patient\/(\w+)"|"resourceType":"Patient","id":"(\w+)"/g),
      ([, one, other]) => `${one ?? other}`,
    ),
    ...Array.from(text.matchAll(/"reference":"Goal\/goal-(\w+)-\d/g), ([, one]) => `${one}`),
  ]),
];

/**
 * The patients in whose charts a refused request asks for something: those whom it names, and of what is hidden from a patient. The
 * body of a request without a scope is not read.
 */
const askedPatientsOf = ([method, path, { token, body } = {}]: Sent): readonly string[] => {
  const text = `${path} ${typeof body === 'string' && token !== 'none' ? body : ''}`;
  const named = Array.from(text.matchAll(/(?:CareTeam\/|Patient\/|patient=)(\w+)/g), ([, id]) => `${id}`);
  const isHidden = token === 'amy' && method === 'GET' && path.includes('goal-ben');
  return isHidden ? [...named, 'ben'] : named;
};

const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
const filename = join(folder, 'clinic.db');
const store = openSqliteStore({ filename });
const auditStore = openSqliteAuditStore({ filename });
const audit = createAuditLog({ store: auditStore, site });
afterAll(async () => {
  await auditStore.close();
  await store.close();
  rmSync(folder, { recursive: true });
});

const readAll = async (log: typeof audit): Promise<readonly AuditEvent[]> => {
  const events: AuditEvent[] = [];
  for await (const line of log.export()) events.push(JSON.parse(line));
  return events;
};

const textsAt = (event: object, path: string): readonly string[] => evaluatePath(event, path).map(String);

const requestIdsOf = (event: AuditEvent) =>
  textsAt(event, "entity.where(type.code = 'XrequestId').what.identifier.value");
const patientsOf = (event: AuditEvent) =>
  textsAt(event, "entity.where(role.code = '1').what.reference").map((one) => one.replace('Patient/', ''));

/** The requests with their responses, by their ids. */
const sent = new Map<string, { readonly status: number; readonly seen: readonly string[] }>();
let events: readonly AuditEvent[] = [];

beforeAll(async () => {
  const clinic = await openClinic(store);
  for (const patientId of patients) {
    for (const number of [0, 1, 2]) {
      await clinic.record(goal({ id: `goal-${patientId}-${number}`, patientId }));
      await clinic.record(labOrder({ id: `order-${patientId}-${number}`, patientId }));
      await clinic.record(immunizationStatement({ id: `shot-${patientId}-${number}`, patientId }));
    }
  }
  const handler = createHandler(createRecords(store, { onAccess: audit.onAccess }));
  const send = async (at: number) => {
    const request = requestOf(at);
    const [method, path, { token, headers, body } = {}] = request;
    const { status, body: text } = await handler({
      ...{ method, url: `/fhir${path}`, source: { socket: { remoteAddress: '10.0.0.7' } } },
      headers: { 'x-request-id': `r${at}`, authorization: `Bearer ${token}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const query = `${path.split('?')[1] ?? ''}&${typeof body === 'string' ? body : ''}`;
    const searched = status === 200 ? (new URLSearchParams(query).getAll('patient') ?? []) : [];
    // A token of a patient searches only the patient's chart.
    const own = token === 'amy' && status === 200 && /^\/[A-Z]\w+(?:\?|\/_search)/.test(path) ? ['amy'] : [];
    const isOfCharts = !path.startsWith('/Provenance');
    const seen =
      status < 300
        ? [...patientsIn(text), ...searched, ...(isOfCharts ? own : [])]
        : askedPatientsOf(request);
    sent.set(`r${at}`, { status, seen: [...new Set(seen)].toSorted() });
  };
  for (let from = 0; from < 1000; from += 32) {
    await Promise.all(Array.from({ length: Math.min(32, 1000 - from) }, (_, at) => send(from + at)));
  }
  events = await readAll(audit);
}, 120_000);

test('each of 1,000 mixed requests whose sender is known makes an event, which names every patient seen', () => {
  const byRequest = Map.groupBy(events, (event) => requestIdsOf(event).join());
  const known = [...sent].filter(([, { status }]) => status !== 401);
  expect(known.length).toBeGreaterThan(800);
  // And the events of unknown senders, who share them.
  expect(byRequest.size).toBe(known.length + 1);
  const differing = known.flatMap(([id, { seen }]) => {
    const named = (byRequest.get(id) ?? []).flatMap(patientsOf).toSorted();
    return named.join() === seen.join() ? [] : [[id, requestOf(Number(id.slice(1))), seen, named]];
  });
  expect(differing).toEqual([]);
  // All outcomes occur, and searches of several charts.
  expect(new Set([...sent.values()].map(({ status }) => status))).toEqual(
    new Set([200, 201, 400, 401, 403, 404, 405, 412]),
  );
  expect([...byRequest.values()].filter(({ length }) => length > 1).length).toBeGreaterThan(20);
});

test('the chain of the log verifies', async () => {
  expect(await audit.verify()).toMatchObject({ entries: events.length, discrepancies: [] });
});

test('each event is a valid AuditEvent of FHIR R4', () => {
  // Most have the same elements.
  const shapeOf = ({ meta, subtype, outcome, agent, entity = [] }: AuditEvent) =>
    JSON.stringify([meta, subtype, outcome, agent.length, new Set(entity.map(({ type }) => type.code)).size]);
  const shapes = new Map(events.map((event) => [shapeOf(event), event]));
  expect([...shapes.values()].flatMap(findFhirIssues)).toEqual([]);
});

const balp = 'https://profiles.ihe.net/ITI/BALP/StructureDefinition/IHE.BasicAudit.';

/** The elements that a profile demands, as FHIRPath. Source: IHE BALP 1.1.4. */
const demands = ({ action, subtype, client, server, user, data }: Readonly<Record<string, string>>) => [
  "type.code = 'rest' and outcome = '0' and recorded.exists() and source.observer.exists()",
  `action = '${action}' and subtype.where(code in (${subtype})).count() = 1`,
  `agent.where(type.coding.code = '${client}' and who.exists() and network.exists()).count() = 1`,
  `agent.where(type.coding.code = '${server}' and who.exists() and network.exists()).count() = 1`,
  `agent.where(type.coding.code = '${user}' and who.exists() and requestor and network.empty()).count() = 1`,
  `entity.where(type.code = '2').count() = 1 and entity.where(${data}).count() = 1`,
  "entity.where(type.code = 'XrequestId' and what.identifier.value.exists()).count() = 1",
];
const aboutPatient =
  "entity.where(type.code = '1' and role.code = '1' and what.reference.exists()).count() = 1";
const resource = "type.code = '2' and role.code = '4' and what.exists()";
const read = { action: 'R', subtype: "'read' | 'vread'", client: '110152', server: '110153', user: 'IRCP' };
const write = { client: '110153', server: '110152', user: 'AUT', data: resource };
const profiles: Readonly<Record<string, readonly string[]>> = {
  Read: demands({ ...read, data: resource }),
  Query: demands({
    ...{ action: 'E', subtype: "'search'", client: '110153', server: '110152', user: 'IRCP' },
    data: "type.code = '2' and role.code = '24' and query.exists() and what.empty()",
  }),
  Create: demands({ ...write, action: 'C', subtype: "'create'" }),
  Update: demands({ ...write, action: 'U', subtype: "'update'" }),
  Delete: demands({
    ...{ ...write, action: 'D', subtype: "'delete'", client: '110150', server: 'custodian' },
  }),
};

describe('each event that names a profile of IHE has the elements that it demands', () => {
  test.each(['Read', 'PatientRead', 'Query', 'PatientQuery', 'PatientCreate', 'PatientUpdate'])(
    '%s',
    (profile) => {
      const named = events.filter(({ meta }) => meta?.profile[0] === `${balp}${profile}`);
      expect(named.length).toBeGreaterThan(0);
      const base = profile.replace('Patient', '');
      const paths = [...(profiles[base] ?? []), ...(profile === base ? [] : [aboutPatient])];
      const broken = paths.flatMap((path) =>
        named
          .filter((event) => evaluatePath(event, path)[0] !== true)
          .slice(0, 1)
          .map((one) => [path, one]),
      );
      expect(broken).toEqual([]);
    },
  );

  test('a refused access, a failure and a history name none', () => {
    const nameless = events.filter(({ meta }) => meta === undefined);
    expect(new Set(nameless.map(({ outcome, subtype }) => `${outcome} ${subtype?.[0].code}`))).toContain(
      '0 history-instance',
    );
    expect(events.filter(({ outcome, meta }) => outcome !== '0' && meta !== undefined)).toEqual([]);
  });
});

const event: AccessEvent = {
  ...{ at: Date.parse('2026-03-02T09:00:00Z'), by: 'Practitioner/ada', client: 'growth-chart' },
  ...{ address: '10.0.0.7', interaction: 'search', resourceType: 'Goal', id: null },
  query: 'description=Ł',
  resources: [
    { type: 'Goal', id: '1', version: 3, patientId: 'amy' },
    { type: 'Goal', id: '2', version: null, patientId: 'ben' },
    { type: 'Practitioner', id: 'ada', version: null, patientId: null },
  ],
  ...{ patientIds: ['amy', 'ben'], outcome: 'success', rules: [], status: 200, requestId: 'r' },
};

test('an erasure names the profile of a delete, and has the elements that it demands', async () => {
  const resources = [{ type: 'Goal', id: '1', version: 3, patientId: 'amy' }];
  const [erasure] = await eventsOf({ interaction: 'delete', id: '1', resources, patientIds: ['amy'] });
  expect(erasure?.meta?.profile).toEqual([`${balp}PatientDelete`]);
  for (const path of [...(profiles.Delete ?? []), aboutPatient]) {
    expect([path, erasure && evaluatePath(erasure, path)]).toEqual([path, [true]]);
  }
});

test('a correction of several resources in one event names no profile, because IHE wants one event for each', async () => {
  const resources = [event.resources[0], { type: 'Goal', id: '4', version: 1, patientId: 'amy' }] as const;
  const made = await eventsOf({ interaction: 'update', resources: resources as never, patientIds: ['amy'] });
  expect(made.map(({ meta }) => meta)).toEqual([undefined]);
});

const eventsOf = async (changed: Partial<AccessEvent> = {}) => {
  const log = createAuditLog({ store: createMemoryAuditStore(), site });
  await log.onAccess({ ...event, ...changed });
  return readAll(log);
};

test('a store that rejects fails the accesses of that write, and no later one', async () => {
  const memory = createMemoryAuditStore();
  const failures = [new Error('Out of threads.')];
  const log = createAuditLog({
    store: {
      ...memory,
      append: async (entries) => {
        const failure = failures.pop();
        if (failure !== undefined) throw failure;
        return memory.append(entries);
      },
    },
  });
  const together = await Promise.allSettled([log.onAccess(event), log.onAccess(event)]);
  expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await log.onAccess(event);
  expect(await readAll(log)).toHaveLength(2);
});

test('an access to two charts is an event for each, which names only the resources of that chart', async () => {
  const made = await eventsOf();
  expect(made.map(patientsOf)).toEqual([['amy'], ['ben']]);
  expect(made.map((one) => textsAt(one, 'entity.what.reference'))).toEqual([
    ['Goal/1/_history/3', 'Practitioner/ada', 'Patient/amy'],
    ['Goal/2', 'Patient/ben'],
  ]);
  expect(made.map((one) => atob(textsAt(one, 'entity.query')[0] ?? ''))).toEqual(
    Array(2).fill('Goal?description=Å\u0081'),
  );
});

test('the client, the server and the user are agents', async () => {
  expect(
    (await eventsOf()).map(({ agent }) => agent.map(({ who, network }) => [who, network?.address]))[0],
  ).toEqual([
    [{ identifier: { value: 'growth-chart' } }, '10.0.0.7'],
    [{ display: site }, site],
    [{ reference: 'Practitioner/ada' }, undefined],
  ]);
});

test('a user who is not known, or whom FHIR does not allow as an agent, is not a reference', async () => {
  const [unknown] = await eventsOf({ by: null });
  expect(unknown?.agent.map(({ requestor }) => requestor)).toEqual([true, false]);
  const [person] = await eventsOf({ by: 'Person/x\u0000' });
  expect(person?.agent[2]?.who).toEqual({ identifier: { value: 'Person/x' } });
  expect(
    [unknown, person].flatMap((one) => findFhirIssues(one as unknown as { resourceType: string })),
  ).toEqual([]);
});

describe('refused requests of unknown senders', () => {
  const open = () => {
    const log = createAuditLog({ store: createMemoryAuditStore(), site });
    const refused = { ...event, by: null, client: null, outcome: 'refused', status: 401 } as const;
    const refuse = (seconds: number, address: string | null = '10.0.0.7') =>
      log.onAccess({
        ...refused,
        ...{ at: event.at + seconds * 1000, address, resources: [], patientIds: [], rules: ['bearer-token'] },
      });
    const read = async () =>
      (await readAll(log)).map(({ agent, outcomeDesc }) => [agent[0]?.network?.address, outcomeDesc]);
    return { log, refused, refuse, read };
  };

  test('are one event a minute for each address, with the number of the others after it', async () => {
    const { refuse, read } = open();
    for (const second of [0, 1, 59]) await refuse(second);
    await refuse(2, '10.0.0.8');
    expect(await read()).toEqual([
      ['10.0.0.7', 'bearer-token'],
      ['10.0.0.8', 'bearer-token'],
    ]);
    await refuse(60);
    expect((await read()).slice(2)).toEqual([
      ['10.0.0.7', 'bearer-token 2 requests'],
      ['10.0.0.7', 'bearer-token'],
    ]);
  });

  test('are few events, however many addresses they come from', async () => {
    const { refuse, read } = open();
    for (let at = 0; at < 1000; at += 1) await refuse(at / 100, `10.0.1.${at}`);
    expect(await read()).toHaveLength(101);
    await refuse(70);
    expect((await read()).slice(101)).toEqual([
      [undefined, 'bearer-token 899 requests'],
      ['10.0.0.7', 'bearer-token'],
    ]);
  });

  test('keep nothing that the sender has written', async () => {
    const { log, refuse } = open();
    await refuse(0);
    const [made] = await readAll(log);
    expect(made).not.toHaveProperty('entity');
    expect(made && findFhirIssues(made)).toEqual([]);
  });

  test('are counted again after a clock was set back', async () => {
    const { refuse, read } = open();
    for (const second of [1000, 1, 2]) await refuse(second);
    expect(await read()).toHaveLength(2);
  });

  test.each([
    ['a user', { by: 'Practitioner/ada' }],
    ['a client', { client: 'growth-chart' }],
    ['a success', { outcome: 'success', status: 200 }],
    ['a call in process', { status: null }],
  ] as const)('are not those of %s: each of them is an event', async (_, known) => {
    const { log, refused } = open();
    for (let times = 0; times < 3; times += 1) await log.onAccess({ ...refused, patientIds: [], ...known });
    expect(await readAll(log)).toHaveLength(3);
  });
});

describe('events expire', () => {
  const day = 24 * 60 * 60 * 1000;
  const open = async (store = createMemoryAuditStore()) => {
    const log = createAuditLog({ store, site });
    for (let days = 0; days < 1200; days += 1)
      await log.onAccess({ ...event, at: days * day, patientIds: ['amy'] });
    return log;
  };
  const expiry = { until: 1100 * day, by: 'Device/retention' };

  test('up to a time, and those that are left verify, with the head of an earlier verification', async () => {
    const log = await open();
    const { head } = await log.verify();
    expect(await log.expire(expiry)).toEqual({ removed: 1100 });
    expect(await log.verify({ head })).toMatchObject({
      ...{ entries: 101, removed: 1100, hasFoundHead: true, discrepancies: [] },
    });
    const [oldest] = await readAll(log);
    expect(Date.parse(oldest?.recorded ?? '')).toBe(1100 * day);
    const made = (await readAll(log)).at(-1);
    expect(made?.agent.find(({ requestor }) => requestor)?.who).toEqual({ reference: 'Device/retention' });
    expect(made && findFhirIssues(made)).toEqual([]);
  });

  test('and a removal that fails between its steps verifies, and is continued', async () => {
    const memory = createMemoryAuditStore();
    let steps = 0;
    const log = await open({
      ...memory,
      removeUntil: async (position) => {
        steps += 1;
        if (steps === 2) return { _tag: 'Left', left: { _tag: 'Unavailable', message: 'away', cause: null } };
        return memory.removeUntil(position);
      },
    });
    await expect(log.expire(expiry)).rejects.toMatchObject({ tag: 'StoreFailure' });
    expect(await log.verify()).toMatchObject({ removed: 500, discrepancies: [] });
    expect(await log.expire(expiry)).toEqual({ removed: 600 });
    expect(await log.verify()).toMatchObject({ entries: 102, removed: 1100, discrepancies: [] });
  });

  test('but not those of a time that is not one, or by nobody', async () => {
    const log = await open();
    await expect(log.expire({ ...expiry, until: Number.NaN })).rejects.toThrow('until must be a time');
    await expect(log.expire({ ...expiry, by: '' })).rejects.toThrow('by must be a reference');
    expect(await log.verify()).toMatchObject({ entries: 1200, removed: 0 });
  });

  test('a head that is older than the start is not found', async () => {
    const log = createAuditLog({ store: createMemoryAuditStore(), site });
    await log.onAccess({ ...event, at: 0, patientIds: ['amy'] });
    const { head } = await log.verify();
    await log.onAccess({ ...event, at: day, patientIds: ['amy'] });
    await log.expire({ until: 2 * day, by: 'Device/retention' });
    expect(await log.verify({ head })).toMatchObject({ hasFoundHead: false, discrepancies: [] });
  });
});

test('a query of an event has at most 2,000 characters, and one that was cut says so', async () => {
  const queryOf = async (query: string) => {
    const [made] = await eventsOf({ query });
    const text = textsAt(made as AuditEvent, 'entity.query')[0] ?? '';
    return Buffer.from(text, 'base64').toString();
  };
  expect(await queryOf('x'.repeat(2000))).toBe(`Goal?${'x'.repeat(2000)}`);
  expect(await queryOf('x'.repeat(2001))).toBe(`Goal?${'x'.repeat(1999)}…`);
});

test('a client without an address is not a conformant agent, so the event names no profile', async () => {
  expect((await eventsOf({ address: null }))[0]).not.toHaveProperty('meta');
  expect((await eventsOf({ address: null, status: null }))[0]).toHaveProperty('meta');
});

test('the example of the document says who looked', async () => {
  expect(await lookAndAsk(join(folder, 'document.db'))).toEqual(['Practitioner/12', 'null']);
});

test('who looked at a chart, and what a user has seen, newest first and in pages', async () => {
  const looked = await audit.search({ patientIds: ['ben'], count: 5 });
  expect(looked.events.map(patientsOf)).toEqual(Array(5).fill(['ben']));
  const following = await audit.search({ patientIds: ['ben'], before: looked.next ?? 0, count: 5 });
  const positions = [...looked.events, ...following.events].map(({ id }) => Number(id));
  expect(positions).toHaveLength(10);
  expect(positions).toEqual([...new Set(positions)].toSorted((one, other) => other - one));
  const seen = await audit.search({ users: ['Person/reader'], count: 10_000 });
  expect(seen.next).toBeNull();
  expect(
    new Set(seen.events.flatMap((one) => textsAt(one, 'agent.where(requestor).who.identifier.value'))),
  ).toEqual(new Set(['Person/reader']));
});

test('a limit to resources reaches no event', async () => {
  const totalUnder = async (limit: ChartLimit) =>
    JSON.parse(await audit.searchBundle({ patient: 'ben' }, limit)).entry?.length ?? 0;
  expect(await totalUnder({ within: 'ben' })).toBeGreaterThan(0);
  expect(await totalUnder({ within: 'ben', matching: [[['status', 'active']]] })).toBe(0);
});

test('a limit counts as it is at the call', async () => {
  const limit = { within: ['ben'], authorize: async () => ({}) };
  const searching = audit.searchBundle({ patient: 'ben' }, limit);
  limit.within[0] = 'amy';
  limit.within = ['amy'];
  expect(JSON.parse(await searching).entry.length).toBeGreaterThan(0);
});

test.each([undefined, [], { Within: [] }, { within: undefined }])(
  '`authorize` that returns %j is a Misuse',
  async (answer) => {
    const authorize = async () => answer as object;
    await expect(async () => audit.searchBundle({ patient: 'ben' }, { authorize })).rejects.toMatchObject({
      tag: 'Misuse',
    });
  },
);

test.each([
  ['no store', undefined],
  ['the store of the records', createMemoryStore()],
])('an audit log cannot be created on %s', (_, store) => {
  expect(() => createAuditLog({ store: store as never })).toThrow(
    new TypeError('store must be that of an audit log, such as openSqliteAuditStore() returns it.'),
  );
});
