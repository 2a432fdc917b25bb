import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClinicalRecords, ClinicalRecordsOptions, HostIssue } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { left } from 'fp-ts/lib/Either.js';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ada, bob, goal, immunize, statement, team, withoutId } from '../../builders.ts';
import { type Clinic, createHandler, createRecords, createSender, openClinic } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { onEveryStore } from '../../stores.ts';
import {
  always,
  by,
  ends,
  everywhere,
  fill,
  imported,
  never,
  onlyOneOf,
  type Rules,
  refusable,
  system,
  unjudged,
  unrefusable,
  type Write,
  why,
} from './rule-writes.ts';

const withRules = (
  { store, clock }: Clinic,
  rules: Rules,
  options: Pick<ClinicalRecordsOptions, 'onRuleFailure'> = {},
): ClinicalRecords => createRecords(store, { clock: clock.now, rules, ...options });

/** Calls a function as another request does, which no rule makes. */
const inAnotherRequest = AsyncLocalStorage.snapshot();

const refused = (issue: object = {}) =>
  left({ _tag: 'RuleViolation', issues: [{ ...never, system, ...issue }] });

onEveryStore('Decisions: Rules of the host', (clinic) => {
  const ended = async (write: Write, rules: Rules) => {
    const before = (await clinic().feed()).length;
    const outcome = await outcomeOf(write(withRules(clinic(), rules)));
    return { outcome, versions: (await clinic().feed()).length - before };
  };

  describe('with an error', () => {
    test.each(Object.entries(refusable))(
      'An error of a rule refuses a write, whatever way it comes: %s',
      async (_, write) => {
        await fill(clinic().records);
        expect(await ended(write, everywhere(always()))).toEqual({ outcome: refused(), versions: 0 });
      },
    );

    test.each(Object.entries(ends))(
      'It refuses an end of care only if its rule may: %s',
      async (_, write) => {
        await fill(clinic().records);
        const blocking = everywhere({ check: always(), mayBlockEnd: true });
        const { outcome, versions } = await ended(write, blocking);
        expect(outcome).toMatchObject({ left: { _tag: 'RuleViolation' } });
        expect(versions).toBe(0);
        expect(await ended(write, everywhere(always()))).toMatchObject({ outcome: { _tag: 'Right' } });
      },
    );

    test.each(Object.entries(unrefusable))(
      'It never refuses a retraction, a move or a merge: %s',
      async (_, write) => {
        await fill(clinic().records);
        const blocking = everywhere({ check: always(), mayBlockEnd: true });
        const { outcome, versions } = await ended(write, blocking);
        expect(outcome._tag).toBe('Right');
        expect(versions).toBeGreaterThan(0);
      },
    );

    test.each(Object.entries(unjudged))('are not asked: %s', async (_, write) => {
      await fill(clinic().records);
      let asked = 0;
      const { outcome } = await ended(
        write,
        everywhere(() => {
          asked += 1;
          return [never];
        }),
      );
      expect([outcome._tag, asked]).toEqual(['Right', 0]);
    });
  });

  describe('with a warning', () => {
    const { move, merge, ...told } = unrefusable;
    const severities = { warning: always('warning'), 'error that cannot refuse': always() };

    test.each(Object.entries({ ...refusable, ...ends, ...told }))(
      'A warning is told once, when the change is written: %s',
      async (_, write) => {
        await fill(clinic().records);
        const heard: unknown[] = [];
        const onWarnings = (warnings: readonly unknown[]) => heard.push(warnings);
        const { outcome, versions } = await ended(
          (on) => write(on, { onWarnings }),
          onlyOneOf(always('warning')),
        );
        expect(outcome._tag).toBe('Right');
        expect(versions).toBeGreaterThan(0);
        expect(heard).toEqual([[{ ...never, system }]]);
      },
    );

    test.each(Object.entries({ ...ends, ...told }))(
      'tell an error that cannot refuse: %s',
      async (_, write) => {
        await fill(clinic().records);
        const heard: unknown[] = [];
        const onWarnings = (warnings: readonly unknown[]) => heard.push(warnings);
        await ended((on) => write(on, { onWarnings }), onlyOneOf(always()));
        expect(heard).toEqual([[{ ...never, system }]]);
      },
    );

    test.each(Object.entries(severities))('are in the result of a correction: %s', async (_, rule) => {
      await fill(clinic().records);
      const moved = await ended(move as Write, everywhere(rule));
      expect(moved.outcome).toMatchObject({ right: { kind: 'move', warnings: [{ ...never, system }] } });
      const merged = await ended(merge as Write, { Immunization: rule });
      expect(merged.outcome).toMatchObject({ right: { kind: 'merge', warnings: [{ ...never, system }] } });
      const [read] = await clinic().records.corrections.of({ resourceType: 'Goal', resourceId: 'walk' });
      expect(read).not.toHaveProperty('warnings');
    });

    test('say nothing if nothing is found, or nothing is written', async () => {
      await fill(clinic().records);
      const onWarnings = vi.fn();
      const quiet = everywhere(() => []);
      for (const write of Object.values(refusable)) await ended((on) => write(on, { onWarnings }), quiet);
      const both = everywhere([always('warning'), always()] as never);
      for (const write of Object.values(refusable)) await ended((on) => write(on, { onWarnings }), both);
      expect(onWarnings).not.toHaveBeenCalled();
    });

    test('A request that is repeated with its key is told the warnings again', async () => {
      const heard: unknown[] = [];
      const records = withRules(clinic(), everywhere(always('warning')));
      const options = { ...by, onWarnings: (warnings: readonly unknown[]) => heard.push(warnings) };
      const field = { ...never, expression: 'Goal.description.text', severity: 'warning' } as const;
      const located = withRules(clinic(), { Goal: () => [field] });
      for (const _ of [1, 2]) {
        await records.immunizations.create(statement(), { ...options, idempotencyKey: 'dose' });
        const entry = await located.chart.record(goal(), { ...options, idempotencyKey: 'goal' });
        expect(entry.warnings).toEqual([{ ...never, system, expression: 'Command.description' }]);
      }
      const ofGoal = [{ ...never, system, expression: 'Command.description' }];
      expect(heard).toEqual([[{ ...never, system }], ofGoal, [{ ...never, system }], ofGoal]);
    });

    test('tell those of a transaction once it is written, and not those of one that is not', async () => {
      const heard: string[] = [];
      const records = withRules(clinic(), everywhere(always('warning')));
      const work = (ends: () => void) =>
        records.transaction(async (tx) => {
          const create = (name: string) =>
            tx.immunizations.create(statement(), { ...by, onWarnings: () => heard.push(name) });
          await create('first');
          await create('second');
          heard.push('written');
          ends();
        });
      const betterNot = new Error('better not');
      await expect(
        work(() => {
          throw betterNot;
        }),
      ).rejects.toBe(betterNot);
      expect(heard).toEqual(['written']);
      await work(() => {});
      expect(heard).toEqual(['written', 'written', 'first', 'second']);
    });

    test('are a hundred at most, as errors are', async () => {
      const many = (severity: 'error' | 'warning') => () =>
        Array.from({ length: 101 }, () => ({ ...never, severity }));
      const onWarnings = vi.fn();
      await ended((on) => (refusable.create as Write)(on, { onWarnings }), { Immunization: many('warning') });
      expect(onWarnings.mock.calls).toEqual([[Array(100).fill({ ...never, system })]]);
      const { outcome } = await ended(refusable.create as Write, { Immunization: many('error') });
      expect(outcome).toMatchObject({ left: { issues: Array(100).fill({ ...never, system }) } });
    });

    test('are counted in the report of an import', async () => {
      const { outcome } = await ended(({ importer }) => importer.load([imported('shot')]), {
        Immunization: always('warning'),
      });
      expect(outcome).toMatchObject({
        right: {
          imported: { Immunization: 1 },
          issuesByRule: {},
          warningsByRule: { 'acme-never': 1 },
          warnings: [{ id: 'shot', outcome: 'imported', severity: 'warning', ...never }],
        },
      });
    });

    test('are told once, however many writers have the same chart decided again', async () => {
      const heard: unknown[] = [];
      const records = withRules(clinic(), {
        Immunization: async ({ chart }) => {
          await chart.all('Immunization');
          return always('warning')();
        },
      });
      const onWarnings = (warnings: readonly unknown[]) => heard.push(warnings);
      await Promise.all(
        ['a', 'b', 'c', 'd', 'e'].map((idempotencyKey) =>
          records.immunizations.create(statement(), { ...by, idempotencyKey, onWarnings }),
        ),
      );
      expect(heard).toEqual(Array(5).fill([{ ...never, system }]));
    });
  });

  test('A rule is asked once about each resource that a decision changes', async () => {
    await fill(clinic().records);
    const asked: unknown[] = [];
    const records = withRules(
      clinic(),
      everywhere(({ before, after, by: author, at, cause, patientId }) => {
        const { id } = after as { readonly id: string };
        asked.push([id, before === null, author, at instanceof Date, cause, patientId]);
        return [];
      }),
    );
    await records.immunizations.create(statement(), { ...by, idempotencyKey: 'k' });
    await records.careTeams.update('amy', team(bob), by);
    await records.chart.enterInError('Goal/walk/0', by);
    expect(asked).toEqual([
      [expect.any(String), true, 'Practitioner/ada', true, 'request', 'amy'],
      ['amy', false, 'Practitioner/ada', true, 'request', 'amy'],
      ['amy.inactive', true, 'Practitioner/ada', true, 'request', 'amy'],
      ['walk', false, 'Practitioner/ada', true, 'retraction', 'amy'],
    ]);
  });

  test('see the chart with what the same transaction or import has written', async () => {
    const oneDose: Rules = {
      Immunization: async ({ after, chart }) => {
        const doses = await chart.all('Immunization');
        return doses.some(({ id }) => id !== after.id) ? [never] : [];
      },
    };
    const twice = await ended(
      (records) =>
        records.transaction(async (tx) => {
          await tx.immunizations.create(statement(), by);
          await tx.immunizations.create(statement(), by);
        }),
      oneDose,
    );
    expect(twice).toEqual({ outcome: refused(), versions: 0 });
    const { outcome } = await ended(
      ({ importer }) => importer.load([imported('first'), imported('second')]),
      oneDose,
    );
    expect(outcome).toMatchObject({
      right: {
        imported: { Immunization: 1 },
        issuesByRule: { 'acme-never': 1 },
        issues: [{ id: 'second', outcome: 'rejected', severity: 'error', ...never }],
      },
    });
    expect(await ended(refusable.create as Write, oneDose)).toEqual({ outcome: refused(), versions: 0 });
  });

  test('list a chart once for all that a merge changes, and cannot change the list', async () => {
    const { records, store } = clinic();
    await fill(records);
    for (const id of ['two', 'three']) await records.chart.record(immunize({ id }), by);
    const search = vi.fn(store.search);
    const lists: unknown[] = [];
    const on = withRules({ ...clinic(), store: { ...store, search } } as Clinic, {
      Immunization: async ({ chart }) => {
        const doses = await chart.all('Immunization');
        lists.push(doses);
        expect(() => Reflect.get(doses, 'pop').call(doses)).toThrow(TypeError);
        return [];
      },
    });
    await on.corrections.mergePatients({ patientId: 'amy', toPatientId: 'eve', ...why });
    expect(lists).toHaveLength(3);
    expect(search.mock.calls.filter(([{ type }]) => type === 'Immunization')).toHaveLength(1);
  });

  test('read a resource of the chart by its id, and none of another chart', async () => {
    await fill(clinic().records);
    await clinic().record(goal({ id: 'bens', patientId: 'ben' }));
    const read: unknown[] = [];
    await withRules(clinic(), {
      Immunization: async ({ chart }) => {
        read.push((await chart.read('Goal', 'walk'))?.lifecycleStatus, await chart.read('Goal', 'bens'));
        read.push((await chart.read('CareTeam', 'amy'))?.participant?.length, await chart.read('Goal', 'x'));
        return [];
      },
    }).immunizations.create(statement(), by);
    expect(read).toEqual(['active', null, 1, null]);
  });

  test('are asked again if what they have read by its id changes before the commit', async () => {
    await fill(clinic().records);
    const { chart } = clinic().records;
    const seen: unknown[] = [];
    const onlyForActiveGoal: Rules = {
      Immunization: async ({ chart: read }) => {
        const walk = await read.read('Goal', 'walk');
        seen.push(walk?.lifecycleStatus);
        // It is closed by another request, once the rule has read it.
        if (seen.length === 1)
          await inAnotherRequest(() => chart.record({ kind: 'closeGoal', goalId: 'walk' }, by));
        return walk?.lifecycleStatus === 'active' ? [] : [never];
      },
    };
    const { outcome } = await ended(refusable.create as Write, onlyForActiveGoal);
    expect([outcome, seen]).toEqual([refused(), ['active', 'completed']]);
  });

  test('are asked about a resource as the decision has read it', async () => {
    await fill(clinic().records);
    const { store, records: others, clock } = clinic();
    let reads = 0;
    /** Between the decision and its judgement, another request changes the goal. */
    const read: typeof store.read = async (ref) => {
      if (ref.type === 'Goal') reads += 1;
      if (reads === 2) {
        reads += 1;
        await others.chart.record({ kind: 'updateGoal', goalId: 'walk', progress: 'A mile' }, by);
      }
      return store.read(ref);
    };
    const asked: unknown[] = [];
    const records = withRules({ store: { ...store, read }, clock } as Clinic, {
      Goal: ({ before, after }) => {
        asked.push([before?.note?.length, after.note?.length]);
        return [];
      },
    });
    await records.chart.record({ kind: 'updateGoal', goalId: 'walk', progress: 'Two miles' }, by);
    expect(asked).toEqual([[1, 2]]);
  });

  const five = (records: ClinicalRecords): readonly Promise<unknown>[] => [
    records.immunizations.create(statement(), by),
    records.immunizations.create(statement(), { ...by, idempotencyKey: 'k' }),
    records.chart.record(immunize({ id: 'recorded' }), by),
    records.transaction((tx) => tx.immunizations.create(statement(), by)),
    records.importer.load([imported('imported')]),
  ];

  test('of five writers at the same moment, let one through a rule that allows one in a chart', async () => {
    const records = withRules(clinic(), {
      Immunization: async ({ after, chart }) =>
        (await chart.all('Immunization')).some(({ id }) => id !== after.id) ? [never] : [],
    });
    const outcomes = await Promise.all(five(records).map(outcomeOf));
    expect((await records.immunizations.search({ patient: 'amy' })).total).toBe(1);
    const refusals = outcomes.filter(({ _tag }) => _tag === 'Left');
    const imported = outcomes[4] as { readonly right: { readonly issuesByRule: object } };
    const isImported = Object.keys(imported.right.issuesByRule).length === 0;
    expect(refusals).toEqual(Array.from({ length: isImported ? 4 : 3 }, () => refused()));
  });

  test('of five writers at the same moment, let all through a rule that allows five in a chart', async () => {
    const records = withRules(clinic(), {
      Immunization: async ({ after, chart }) =>
        (await chart.all('Immunization')).filter(({ id }) => id !== after.id).length > 4 ? [never] : [],
    });
    const outcomes = await Promise.all(five(records).map(outcomeOf));
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(Array(5).fill('Right'));
    expect((await records.immunizations.search({ patient: 'amy' })).total).toBe(5);
  });

  describe('that fail', () => {
    const thrown = new Error('acme is down');
    const failures: Readonly<Record<string, [rule: () => never, cause: object]>> = {
      'because they throw': [
        () => {
          throw thrown;
        },
        thrown,
      ],
      'because they reject': [() => Promise.reject(thrown) as never, thrown],
      'because they return nothing': [
        () => undefined as never,
        { message: 'A rule must return an array of issues, each with a rule and a message: [] for none.' },
      ],
      'because they return an issue without a message': [
        () => [{ rule: 'acme' }] as never,
        { message: 'A rule must return an array of issues, each with a rule and a message: [] for none.' },
      ],
    };
    const failed = {
      left: {
        _tag: 'StoreFailure',
        isOfRule: true,
        issues: [
          { rule: 'rule-failed', message: 'A rule of the host could not be checked. Nothing was changed.' },
        ],
      },
    };

    test.each(Object.entries(failures))(
      'If a rule fails, nothing is written: %s',
      async (_, [rule, cause]) => {
        const { outcome, versions } = await ended(refusable.create as Write, { Immunization: rule });
        expect([outcome, versions]).toMatchObject([failed, 0]);
        expect(outcome).toMatchObject({ left: { cause } });
        // Nothing else is stopped.
        const ofGoal = await ended(({ chart }) => chart.record(goal(), by), { Immunization: rule });
        expect(ofGoal.outcome._tag).toBe('Right');
      },
    );

    test.each(Object.entries({ ...ends, ...unrefusable }))(
      'never stop what no rule refuses: %s',
      async (_, write) => {
        await fill(clinic().records);
        const heard: unknown[] = [];
        const onWarnings = (warnings: readonly unknown[]) => heard.push(...warnings);
        const { outcome } = await ended(
          (on) => write(on, { onWarnings }),
          everywhere(() => {
            throw thrown;
          }),
        );
        const { right } = outcome as { readonly right: { readonly warnings?: readonly unknown[] } };
        expect([...heard, ...(right.warnings ?? [])]).toContainEqual(
          expect.objectContaining({ rule: 'unchecked-rule' }),
        );
      },
    );

    test('do not stop a rule that only warns when it fails', async () => {
      const check = failures['because they throw']?.[0] as () => never;
      const { outcome } = await ended(refusable.create as Write, {
        Immunization: { check, whenItFails: 'warn' },
      });
      expect(outcome._tag).toBe('Right');
    });

    const reported = { resourceType: 'Immunization', resourceId: 'shot', patientId: 'amy', cause: thrown };
    const failing = () => {
      throw thrown;
    };
    const commit: Write = ({ chart }) => chart.record(immunize({ id: 'shot' }), by);
    test.each<[string, Write, NonNullable<Rules['Immunization']>]>([
      ['that refuses', commit, failing],
      ['that only warns', commit, { check: failing, whenItFails: 'warn' }],
      ['in an import', ({ importer }) => importer.load([imported('shot')]), failing],
    ])('report the cause to onRuleFailure, once for each: a rule %s', async (_, write, rule) => {
      const onRuleFailure = vi.fn(() => {
        throw new Error('The log of the host has failed, too.');
      });
      await outcomeOf(write(withRules(clinic(), { Immunization: rule }, { onRuleFailure })));
      expect(onRuleFailure.mock.calls).toEqual([[reported]]);
    });

    test('let an import go on with the next resource', async () => {
      const { outcome } = await ended(({ importer }) => importer.load([imported('bad'), imported('good')]), {
        Immunization: ({ after }) => {
          if (after.id === 'bad') throw thrown;
          return [];
        },
      });
      expect(outcome).toMatchObject({
        right: { imported: { Immunization: 1 }, issuesByRule: { 'rule-failed': 1 }, issues: [{ id: 'bad' }] },
      });
    });
  });

  test('cannot write on the records', async () => {
    let sentence: unknown;
    const records: ClinicalRecords = withRules(clinic(), {
      Immunization: async () => {
        const { left: error } = (await outcomeOf(records.chart.record(goal(), by))) as never;
        sentence = (error as { readonly cause: Error }).cause.message;
        await records.goals.search({ patient: 'amy' });
        return [];
      },
    });
    await records.immunizations.create(statement(), by);
    expect(sentence).toContain('A rule only reads');
    expect((await records.goals.search({ patient: 'amy' })).total).toBe(0);
    // Afterwards, the same call is possible.
    expect(await records.chart.record(goal(), by)).toMatchObject({ status: 'committed' });
  });

  type Doors = Pick<ClinicalRecords, 'chart' | 'goals' | 'immunizations'>;

  test.each(['transaction', 'dryRun'] as const)('cannot write on the tx of records.%s', async (name) => {
    let written: unknown;
    let on: Doors | undefined;
    const records = withRules(clinic(), {
      Immunization: async () => {
        written = await outcomeOf((on as Doors).chart.record(goal(), by));
        return [];
      },
    });
    const read = await records[name](async (tx) => {
      on = tx;
      await tx.immunizations.create(statement(), by);
      // The callback itself may.
      await tx.chart.record(goal({ id: 'run' }), by);
      return tx.goals.search({ patient: 'amy' });
    });
    const message = expect.stringContaining('A rule only reads');
    expect(written).toMatchObject({ left: { _tag: 'Misuse', cause: { message } } });
    expect(read.entry?.map(({ resource }) => resource.id)).toEqual(['run']);
  });

  test('of one type may be several, and all that they find is reported', async () => {
    const other = { rule: 'acme-other', message: 'Nor that.', expression: 'Immunization.status' };
    const { outcome } = await ended(refusable.create as Write, {
      Immunization: [always(), { check: always('warning') }, () => [other]],
    });
    expect(outcome).toEqual(
      left({
        _tag: 'RuleViolation',
        issues: [
          { ...never, system },
          { ...other, system },
        ],
      }),
    );
  });
});

describe('rules of a host that are configured wrongly', () => {
  const sentence =
    'rules must be an object with functions, or objects with check, whenItFails and mayBlockEnd';
  const wrong: Readonly<Record<string, readonly [rules: unknown, message: string]>> = {
    'no object': [() => [], sentence],
    'no function': [{ Goal: 'never' }, sentence],
    'a misspelt setting': [{ Goal: { check: always(), mayBlockEnds: true } }, sentence],
    'an unknown type': [{ Goals: always() }, 'rules has no type Goals. Its types are ServiceRequest, Goal, '],
  };
  test.each(Object.entries(wrong))('are refused: %s', (_, [rules, message]) => {
    expect(() => createRecords(createMemoryStore(), { rules: rules as Rules })).toThrow(message);
  });
  test('none of a type may be named', () => {
    expect(
      createRecords(createMemoryStore(), { rules: { Goal: undefined, CareTeam: [] } as never }),
    ).toBeDefined();
  });
});

describe('a rule that takes too long', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  test('stops the change after ten seconds, and not before', async () => {
    let answer: (issues: readonly HostIssue[]) => void = () => {};
    const { store, clock } = await openClinic(createMemoryStore());
    const records = withRules({ store, clock } as Clinic, {
      Immunization: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const late = outcomeOf(records.immunizations.create(statement(), by));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await late).toMatchObject({
      left: {
        issues: [{ rule: 'rule-failed' }],
        cause: { message: 'rules.Immunization() returned nothing within 10000 ms.' },
      },
    });
    const inTime = outcomeOf(records.immunizations.create(statement(), by));
    await vi.advanceTimersByTimeAsync(9_999);
    answer([]);
    expect((await inTime)._tag).toBe('Right');
  });
});

describe('Decisions: Rules of the host', () => {
  const open = async (rules: Rules, onError?: (cause: unknown) => void) => {
    const clinic = await openClinic(createMemoryStore());
    return createSender(
      createHandler(withRules(clinic, rules), { chartCommands: true, onError: onError as never }),
    );
  };

  test('are reported in their own system, at the element that was sent', async () => {
    const send = await open({
      Immunization: () => [{ ...never, expression: 'Immunization.occurrenceDateTime' }],
      Goal: () => [
        { ...never, expression: 'Goal.description.text' },
        { ...never, expression: 'Goal.subject' },
        { ...never, expression: 'Goal.lifecycleStatus' },
      ],
    });
    const issue = {
      severity: 'error',
      code: 'business-rule',
      details: { coding: [{ system, code: never.rule }], text: 'Unprocessable entity' },
      diagnostics: never.message,
    };
    const posted = await send('POST', '/Immunization', { body: statement() });
    expect([posted.status, posted.json]).toEqual([
      422,
      {
        resourceType: 'OperationOutcome',
        issue: [{ ...issue, expression: ['Immunization.occurrenceDateTime'] }],
      },
    ]);
    const command = { ...withoutId(goal()), commit: true };
    const sent = await send('POST', '/commands', { body: command });
    expect([sent.status, sent.json.issue]).toEqual([
      422,
      ['Command.description', 'Command.patientId', 'Goal.lifecycleStatus'].map((expression) => ({
        ...issue,
        expression: [expression],
      })),
    ]);
  });

  test('The body of a write stays `null`: a header says how many warnings there are', async () => {
    const send = await open({
      Immunization: () => [{ ...never, expression: 'Immunization.status', severity: 'warning' }],
      Goal: () => [{ ...never, expression: 'Goal.subject', severity: 'warning' }],
    });
    const posted = await send('POST', '/Immunization', { body: statement() });
    expect([posted.status, posted.text, posted.headers['x-warning-count']]).toEqual([201, 'null', '1']);
    const asked = await send('POST', '/Immunization', {
      body: statement(),
      headers: { prefer: 'return=OperationOutcome', 'idempotency-key': 'k' },
    });
    expect([asked.status, asked.headers['x-warning-count'], asked.json.issue]).toEqual([
      201,
      '1',
      [
        expect.objectContaining({ severity: 'information' }),
        {
          severity: 'warning',
          code: 'business-rule',
          details: { coding: [{ system, code: never.rule }], text: 'Created' },
          diagnostics: never.message,
          expression: ['Immunization.status'],
        },
      ],
    ]);
    const again = await send('POST', '/Immunization', {
      body: statement(),
      headers: { prefer: 'return=OperationOutcome', 'idempotency-key': 'k' },
    });
    expect([again.json, again.headers['x-warning-count']]).toEqual([asked.json, '1']);
    const command = await send('POST', '/commands', {
      body: { ...withoutId(goal()), commit: true },
      headers: { prefer: 'return=representation' },
    });
    expect([command.status, command.json.warnings, command.headers['x-warning-count']]).toEqual([
      201,
      [{ ...never, system, expression: 'Command.patientId' }],
      '1',
    ]);
    const read = await send('GET', `/commands/${command.json.id}`);
    expect([read.json.warnings, read.headers['x-warning-count']]).toEqual([undefined, undefined]);
  });

  test('do not change a response if they find nothing', async () => {
    const [without, quiet] = [await open({}), await open(everywhere(() => []))];
    for (const prefer of ['return=minimal', 'return=OperationOutcome']) {
      const answers = [without, quiet].map((send) =>
        send('PUT', '/CareTeam/amy', { body: team(ada), headers: { prefer } }),
      );
      const [expected, answer] = await Promise.all(answers);
      expect(answer).toEqual(expected);
    }
  });

  test('are a 503 if one fails, and its cause is reported', async () => {
    const cause = new Error('acme is down');
    const causes: unknown[] = [];
    const send = await open(
      {
        Immunization: () => {
          throw cause;
        },
      },
      (reported) => causes.push(reported),
    );
    const { status, json } = await send('POST', '/Immunization', { body: statement() });
    expect([status, json.issue[0].details.coding[0].code, causes]).toEqual([503, 'rule-failed', [cause]]);
    expect((await send('POST', '/commands', { body: { ...withoutId(goal()), commit: true } })).status).toBe(
      201,
    );
  });
});
