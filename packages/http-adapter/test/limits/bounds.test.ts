import { createMemoryStore } from '@clinical-records/store-memory';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { goal, statement, team } from '../builders.ts';
import { createHandler, createRecords, createSender } from '../clinic.ts';
import { outcomeOf } from '../outcome-of.ts';
import { expectError } from '../response-helpers.ts';

const sender = (records = createRecords()) => createSender(createHandler(records));

/** How often a function of an object is called while work is done. */
const countCalls = async <Name extends string>(
  object: Record<Name, (...sent: never[]) => unknown>,
  name: Name,
  work: () => Promise<unknown>,
): Promise<number> => {
  const spy = vi.spyOn(object, name as never);
  onTestFinished(() => spy.mockRestore());
  await work();
  return spy.mock.calls.length;
};

describe('a body is parsed only within its bounds', () => {
  const records = createRecords();
  const send = sender(records);
  beforeAll(async () => {
    await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  });
  const names = (count: number, prefix = 'n') =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 1]));
  const post = (body: string) => send('POST', '/Immunization', { body });
  const tooComplex = [400, ['too-complex'], ['Immunization']];
  const outcome = async (body: string) => {
    const { status, json } = await post(body);
    return [
      status,
      json.issue.map(({ details }: { details: { coding: { code: string }[] } }) => details.coding[0]?.code),
      json.issue.map(({ expression }: { expression: string[] }) => expression[0]),
    ];
  };
  const nested = (depth: number) => `${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`;

  test('a thousand names are read, and one more is a 400', async () => {
    expect((await outcome(JSON.stringify(names(1_000))))[1]).not.toContain('too-complex');
    expect(await outcome(JSON.stringify(names(1_001)))).toEqual(tooComplex);
    expect(await outcome(JSON.stringify([names(500), [names(500, 'm'), { other: {} }]]))).toEqual(tooComplex);
  });
  test('a name counts once, however often it is sent', async () => {
    const contained = Array.from({ length: 3_000 }, () => ({ text: 'a', id: 'b' }));
    expect((await post(JSON.stringify(statement({ contained })))).status).toBe(201);
  });
  test('five hundred levels are read, and one more is a 400', async () => {
    const body = (depth: number) =>
      JSON.stringify(statement({ contained: 0 })).replace(':0', `:${nested(depth)}`);
    expect((await post(body(500))).status).toBe(201);
    expect(await outcome(body(501))).toEqual(tooComplex);
  });
  test('and otherwise not at all', async () => {
    const calls = await countCalls(JSON, 'parse', async () => {
      expect(await outcome(JSON.stringify(names(20_000)))).toEqual(tooComplex);
      expect(await outcome(nested(100_000))).toEqual(tooComplex);
    });
    // The test parses the two responses.
    expect(calls).toBe(2);
  });
});

describe('the parameters of a query and of a form are parsed only within their bounds', () => {
  const send = sender();
  const find = (form: string) =>
    send('POST', '/Goal/_search', {
      body: form,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const ruleOf = ({ json }: Awaited<ReturnType<typeof find>>) => json.issue[0].details.coding[0].code;

  test.each([
    ['one more than a hundred parameters', 'a&'.repeat(100)],
    ['parameters that a search ignores', `${'_format=json&'.repeat(100)}patient=amy`],
    ['one more character than 65,536', `_id=${'a'.repeat(65_536 - 3)}`],
  ])('%s', async (_, text) => {
    for (const answer of [await find(text), await send('GET', `/Goal?${text}`)]) {
      expectError(answer, 400);
      expect(ruleOf(answer)).toBe('too-many-parameters');
    }
  });
  test.each([
    ['a hundred parameters', 'a&'.repeat(99)],
    ['65,536 characters', `code=${'a'.repeat(65_536 - 5)}`],
  ])('%s are parsed', async (_, text) => {
    expect(ruleOf(await find(text))).not.toBe('too-many-parameters');
    expect(ruleOf(await send('GET', `/Goal?${text}`))).not.toBe('too-many-parameters');
  });
  test('on each path, after the token', async () => {
    for (const path of ['/CareTeam/amy', '/nothing', '/Goal', '/events', '/Patient/$export']) {
      const answer = await send('GET', `${path}?${'a&'.repeat(1_000)}`);
      expect([answer.status, ruleOf(answer)]).toEqual([400, 'too-many-parameters']);
    }
    const unknown = await send('GET', `/Goal?${'_format=json&'.repeat(1_000)}`, { token: null });
    expect(unknown.status).toBe(401);
  });
  test('so no response is longer than ten times that', async () => {
    const { status, body } = await createHandler(createRecords())({
      ...{ method: 'POST', url: '/fhir/ServiceRequest/_search', body: `code=${'\\\\'.repeat(32_000)}` },
      headers: { authorization: 'Bearer full', 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(status).toBe(200);
    expect(body.length).toBeLessThan(10 * 65_536);
  });
});

describe('a host that does not answer, or answers with too much, holds nobody up', () => {
  const failing = { left: { _tag: 'StoreFailure', issues: [{ rule: 'resolve-failed' }] } };

  test('a `resolve` that never settles fails after `resolveTimeout`, and is asked again', async () => {
    const asked: string[] = [];
    const records = createRecords(createMemoryStore(), {
      resolveTimeout: 1,
      resolve: (type, id) => {
        asked.push(`${type}/${id}`);
        return new Promise(() => {});
      },
    });
    expect(await outcomeOf(records.careTeams.read('amy'))).toMatchObject(failing);
    const { status, json } = await sender(records)('GET', '/CareTeam/amy');
    expect([status, json.issue[0].details.coding[0].code]).toEqual([503, 'resolve-failed']);
    expect(asked).toEqual(['Patient/amy', 'Patient/amy']);
  });
  test('one that settles in time leaves no timer', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const resolve = async (_: string, id: string) => ({ id, lastName: 'Shaw' });
    const { careTeams } = createRecords(createMemoryStore(), { resolve });
    expect((await careTeams.read('amy')).subject.display).toBe('Shaw');
    expect(vi.getTimerCount()).toBe(0);
  });
  test.each([0, Number.NaN, 2 ** 31, '5' as never])(
    'a `resolveTimeout` of %j is refused',
    (resolveTimeout) => {
      expect(() => createRecords(createMemoryStore(), { resolveTimeout })).toThrow('resolveTimeout must be');
    },
  );

  const long = 'x'.repeat(1_001);
  test.each([
    ['Patient', { lastName: long }, 'Patient.lastName'],
    ['Patient', { lastName: 'a', firstName: long }, 'Patient.firstName'],
    ['Practitioner', { lastName: long }, 'Practitioner.lastName'],
    ['Organization', { name: long }, 'Organization.name'],
    ['Note', { patientId: 'amy', title: long }, 'Note.title'],
  ] as const)('a text of more than 1,000 characters in a %s is refused', async (type, fields, expression) => {
    const { directory } = createRecords();
    await directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
    expect(await outcomeOf(directory.put(type, { id: '7', ...fields } as never))).toMatchObject({
      left: { _tag: 'InvalidRequest', issues: [{ rule: 'text-length', expression }] },
    });
    const resolved = createRecords(createMemoryStore(), {
      resolve: (asked, id) => (asked === type ? ({ id, ...fields } as never) : { id, lastName: 'Shaw' }),
    });
    expect(await outcomeOf(resolved.directory.read(type, '7'))).toMatchObject({
      left: {
        _tag: 'Misuse',
        issues: [{ message: expect.stringContaining(`${expression}: The text has more than 1,000`) }],
      },
    });
  });
  test('and one of 1,000 is kept', async () => {
    const { directory } = createRecords();
    const entry = { id: '7', lastName: 'x'.repeat(1_000), firstName: 'y'.repeat(1_000) };
    expect(await directory.put('Patient', entry)).toMatchObject(entry);
  });
});

describe('many large things are done in several turns of the event loop', () => {
  /** Counts the turns of the event loop while work is done. */
  const countTurns = async (work: () => Promise<unknown>): Promise<number> => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setTimeout(count);
    };
    setTimeout(count);
    await work();
    isOver = true;
    return turns;
  };
  const note = Array.from({ length: 200 }, () => ({ text: 'x'.repeat(1_000) }));

  test('the feed has a turn for each MiB, though the store answers at once', async () => {
    const records = createRecords(openSqliteStore({ filename: ':memory:' }));
    await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
    for (let at = 0; at < 12; at += 1) await records.immunizations.create(statement({ note }));
    let length = 0;
    const turns = await countTurns(async () => {
      for await (const change of records.changes()) length += JSON.stringify(change).length;
    });
    expect(length).toBeGreaterThan(2 * 2 ** 20);
    expect(turns).toBeGreaterThanOrEqual(3);
  });
  test('of several pages of commands, each has a turn', async () => {
    const records = createRecords(openSqliteStore({ filename: ':memory:' }));
    await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
    for (let at = 0; at < 100; at += 1) await records.chart.stage(goal({ id: undefined }));
    const pages = 10;
    const search = () => records.chart.search({ patient: 'amy', _count: '100' });
    expect(
      await countTurns(() => Promise.all(Array.from({ length: pages }, () => search()))),
    ).toBeGreaterThanOrEqual(pages - 1);
  });
  test('of several charts, each has a turn', async () => {
    const records = createRecords(openSqliteStore({ filename: ':memory:' }));
    await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
    const charts = 10;
    expect(
      await countTurns(() =>
        Promise.all(Array.from({ length: charts }, () => records.exporter.everything('amy'))),
      ),
    ).toBeGreaterThanOrEqual(charts - 1);
  });
  test('of several pages with includes, each has a turn', async () => {
    const records = createRecords(openSqliteStore({ filename: ':memory:' }));
    await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
    await records.immunizations.create(statement());
    const pages = 10;
    const search = () => records.immunizations.asJson.search({ _include: '*' });
    expect(
      await countTurns(() => Promise.all(Array.from({ length: pages }, () => search()))),
    ).toBeGreaterThanOrEqual(pages - 1);
  });
});

describe('an id that is not a string is an error with a sentence', () => {
  const { goals, careTeams, immunizations, serviceRequests, provenance, exporter } = createRecords();
  const calls: Readonly<Record<string, (id: never) => PromiseLike<unknown>>> = {
    'goals.read': (id) => goals.read(id),
    'goals.history': (id) => goals.history(id),
    'goals.readVersion': (id) => goals.readVersion(id, 1),
    'goals.asJson.read': (id) => goals.asJson.read(id),
    'goals.asJson.historyBundle': (id) => goals.asJson.historyBundle(id, []),
    'serviceRequests.read': (id) => serviceRequests.read(id),
    'immunizations.read': (id) => immunizations.read(id),
    'careTeams.read': (id) => careTeams.read(id),
    'careTeams.history': (id) => careTeams.history(id),
    'careTeams.readVersion': (id) => careTeams.readVersion(id, 1),
    'careTeams.removeAllParticipants': (id) => careTeams.removeAllParticipants(id),
    'provenance.read': (id) => provenance.read(id),
    'exporter.everything': (id) => exporter.everything(id, []),
  };
  test.each(Object.entries(calls))('%s', async (_, call) => {
    for (const id of [undefined, null, 7]) {
      await expect((async () => await call(id as never))()).rejects.toMatchObject({
        name: 'ClinicalRecordsError',
        message: 'InvalidRequest: id: The id must be a string, such as "7".',
      });
    }
  });
  test('also in a write', async () => {
    const invalid = { left: { _tag: 'InvalidRequest' } };
    expect(await outcomeOf(careTeams.update(undefined as never, team()))).toMatchObject(invalid);
    expect(await outcomeOf(immunizations.update(null as never, {} as never))).toMatchObject(invalid);
  });
});
