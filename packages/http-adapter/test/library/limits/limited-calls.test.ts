import type { AuthorizeCharts, ChartLimit, ClinicalRecords } from '@clinical-records/core';
import { expect, test, vi } from 'vitest';
import {
  enteredInError,
  goal,
  labOrder,
  oneCommandOfEach,
  participant,
  statement,
  team,
} from '../../builders.ts';
import { type Clinic, nurse } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { onEveryStore } from '../../stores.ts';

/**
 * How a call about Amy's chart ends for a caller who is limited to Ben's: an error, a search that finds nothing, or null.
 */
type Refusal = 'Forbidden' | 'NotFound' | 'NotSupported' | 'empty' | 'missing';

/** A call about Amy's chart, whose records have the id `amy`, and how it is refused. */
type Row = readonly [refusal: Refusal, call: (records: ClinicalRecords, limit: ChartLimit) => unknown];

type TakesLimit<Sent extends readonly unknown[]> = true extends {
  [At in keyof Sent]: 'within' extends keyof NonNullable<Sent[At]> ? true : false;
}[number]
  ? true
  : false;

type IsLimited<Part> = Part extends (...sent: infer Sent) => unknown
  ? TakesLimit<Sent>
  : Part extends readonly unknown[]
    ? false
    : keyof Rows<Part> extends never
      ? false
      : true;

const ofMerge = { patientId: 'amy', toPatientId: 'ben' };
const ofMove = { resourceType: 'Goal', resourceId: 'amy', ...ofMerge };
const seen = { patientVersion: 1, toPatientVersion: 1, reason: 'Registered twice.' };
const sentMerge = { ...ofMerge, ...seen };
const sentMove = { ...ofMove, ...seen, version: 1 };

/** A row for each function that takes a limit: one that is forgotten does not compile. */
type Rows<Service> = {
  readonly [Name in keyof Service as IsLimited<Service[Name]> extends true
    ? Name
    : never]: Service[Name] extends (...sent: never) => unknown ? Row : Rows<Service[Name]>;
};

type Resources = 'serviceRequests' | 'goals' | 'immunizations' | 'careTeams';

/** The reads that each type of resource has. The id of a team names its patient, in a search, too. */
const readRows = (name: Resources) => {
  const [refusal, refusedSearch] =
    name === 'careTeams' ? (['Forbidden', 'Forbidden'] as const) : (['NotFound', 'empty'] as const);
  const search = [['_id', 'amy']] as const;
  return {
    read: [refusal, (records, limit) => records[name].read('amy', limit)],
    search: [refusedSearch, (records, limit) => records[name].search(search, limit)],
    all: [refusedSearch, (records, limit) => records[name].all(search, limit)],
    history: [refusal, (records, limit) => records[name].history('amy', limit)],
    readVersion: [refusal, (records, limit) => records[name].readVersion('amy', 1, limit)],
    asJson: {
      read: [refusal, (records, limit) => records[name].asJson.read('amy', limit)],
      search: [refusedSearch, (records, limit) => records[name].asJson.search(search, limit)],
      all: [refusedSearch, (records, limit) => records[name].asJson.all(search, limit)],
      history: [refusal, (records, limit) => records[name].asJson.history('amy', limit)],
      readVersion: [refusal, (records, limit) => records[name].asJson.readVersion('amy', 1, limit)],
      historyBundle: [refusal, (records, limit) => records[name].asJson.historyBundle('amy', [], limit)],
    },
  } as const satisfies Rows<ClinicalRecords['goals']>;
};

const ada = { by: 'Practitioner/ada' } as const;
const walking = { ...goal(), id: undefined };
const target = [['target', 'Goal/amy']] as const;
const nursing = team(participant('Practitioner/ada', nurse));
const home = { member: 'Organization/home', status: 'active' } as const;

const orders = readRows('serviceRequests');
const immunizations = readRows('immunizations');
const careTeams = readRows('careTeams');

const rows: Rows<Omit<ClinicalRecords, 'in' | 'transaction' | 'dryRun' | 'access' | 'bodies'>> = {
  serviceRequests: orders,
  goals: readRows('goals'),
  immunizations: {
    ...immunizations,
    create: ['Forbidden', (records, limit) => records.immunizations.create(statement(), limit)],
    update: [
      'NotSupported',
      (records, limit) => records.immunizations.update('amy', enteredInError('amy'), limit),
    ],
    asJson: {
      ...immunizations.asJson,
      create: ['Forbidden', (records, limit) => records.immunizations.asJson.create(statement(), limit)],
      update: [
        'NotSupported',
        (records, limit) => records.immunizations.asJson.update('amy', enteredInError('amy'), limit),
      ],
    },
  },
  careTeams: {
    ...careTeams,
    update: ['Forbidden', (records, limit) => records.careTeams.update('amy', nursing, limit)],
    setParticipantStatus: [
      'Forbidden',
      ({ careTeams: { setParticipantStatus } }, limit) =>
        setParticipantStatus('amy', 'Practitioner/ada', 'active', { ...limit, role: nurse }),
    ],
    removeAllParticipants: [
      'Forbidden',
      (records, limit) => records.careTeams.removeAllParticipants('amy', limit),
    ],
    asJson: {
      ...careTeams.asJson,
      update: ['Forbidden', (records, limit) => records.careTeams.asJson.update('amy', nursing, limit)],
      setParticipantStatus: [
        'Forbidden',
        (records, limit) => records.careTeams.asJson.setParticipantStatus('amy', home, limit),
      ],
    },
  },
  provenance: {
    read: ['NotFound', (records, limit) => records.provenance.read('G-amy-1', limit)],
    search: ['empty', (records, limit) => records.provenance.search(target, limit)],
    asJson: {
      read: ['NotFound', (records, limit) => records.provenance.asJson.read('G-amy-1', limit)],
      search: ['empty', (records, limit) => records.provenance.asJson.search(target, limit)],
    },
  },
  chart: {
    stage: ['Forbidden', (records, limit) => records.chart.stage(walking, limit)],
    record: ['Forbidden', (records, limit) => records.chart.record(walking, { ...limit, ...ada })],
    commit: ['NotFound', (records, limit) => records.chart.commit('Goal/staged/0', { ...limit, ...ada })],
    completeOrder: [
      'NotFound',
      (records, limit) => records.chart.completeOrder('ServiceRequest/amy/0', { ...limit, ...ada }),
    ],
    reopenOrder: [
      'NotFound',
      (records, limit) => records.chart.reopenOrder('ServiceRequest/done/0', { ...limit, ...ada }),
    ],
    discard: ['NotFound', (records, limit) => records.chart.discard('Goal/staged/0', { ...limit, ...ada })],
    enterInError: [
      'NotFound',
      (records, limit) => records.chart.enterInError('Goal/amy/0', { ...limit, ...ada }),
    ],
    read: ['NotFound', (records, limit) => records.chart.read('Goal/amy/0', limit)],
    commandsOf: [
      'NotFound',
      (records, limit) => records.chart.commandsOf({ resourceType: 'Goal', resourceId: 'amy' }, limit),
    ],
    search: ['empty', (records, limit) => records.chart.search({}, limit)],
    asJson: {
      create: ['Forbidden', (records, limit) => records.chart.asJson.create(walking, limit)],
      step: [
        'NotFound',
        (records, limit) =>
          records.chart.asJson.step('Goal/staged/0', 'commit', undefined, { ...limit, ...ada }),
      ],
      read: ['NotFound', (records, limit) => records.chart.asJson.read('Goal/amy/0', limit)],
      commandsOf: [
        'NotFound',
        (records, limit) =>
          records.chart.asJson.commandsOf({ resourceType: 'Goal', resourceId: 'amy' }, limit),
      ],
      search: ['empty', (records, limit) => records.chart.asJson.search([], limit)],
    },
  },
  directory: {
    read: ['missing', (records, limit) => records.directory.read('Encounter', 'visit-amy', limit)],
    readResource: ['Forbidden', (records, limit) => records.directory.readResource('Patient', 'amy', limit)],
    search: ['empty', (records, limit) => records.directory.search('Patient', { name: 'amy' }, limit)],
    asJson: {
      search: [
        'empty',
        (records, limit) => records.directory.asJson.search('Patient', { name: 'amy' }, limit),
      ],
    },
  },
  corrections: {
    asJson: {
      move: [
        'Forbidden',
        (records, limit) => records.corrections.asJson.move(sentMove, { ...limit, ...ada }),
      ],
      merge: [
        'Forbidden',
        (records, limit) => records.corrections.asJson.merge(sentMerge, { ...limit, ...ada }),
      ],
      previewMove: [
        'Forbidden',
        (records, limit) => records.corrections.asJson.previewMove(Object.entries(ofMove), limit),
      ],
      previewMerge: [
        'Forbidden',
        (records, limit) => records.corrections.asJson.previewMerge(Object.entries(ofMerge), limit),
      ],
      of: [
        'Forbidden',
        (records, limit) =>
          records.corrections.asJson.of({ resourceType: 'Patient', resourceId: 'amy' }, limit),
      ],
    },
  },
  exporter: {
    everything: ['Forbidden', (records, limit) => records.exporter.everything('amy', [], limit)],
  },
};

const flatten = (part: object, path: string): readonly (readonly [name: string, ...Row])[] =>
  Object.entries(part).flatMap(([name, row]) =>
    Array.isArray(row)
      ? [[`${path}${name}`, ...(row as unknown as Row)] as const]
      : flatten(row, `${path}${name}.`),
  );

const gather = async (all: AsyncIterable<unknown>): Promise<readonly unknown[]> => {
  const seen: unknown[] = [];
  for await (const one of all) seen.push(one);
  return seen;
};

const isIterable = (called: unknown): called is AsyncIterable<unknown> =>
  typeof called === 'object' && called !== null && Symbol.asyncIterator in called;

/** Whether a page or a list shows nothing. */
const isEmpty = (result: unknown): boolean => {
  const shown = typeof result === 'string' ? JSON.parse(result) : result;
  return Array.isArray(shown) ? shown.length === 0 : 'total' in shown && shown.total === 0;
};

/** How a call ends: shown, or as a `Refusal` says. */
const endOf = async (called: unknown): Promise<'shown' | string> => {
  const ended = await outcomeOf(isIterable(called) ? gather(called) : Promise.resolve(called));
  if ('left' in ended) return ended.left._tag;
  if (ended.right === null) return 'missing';
  return isEmpty(ended.right) ? 'empty' : 'shown';
};

/** Amy's chart, with records of each type, a staged goal, a completed order and a member of her team. */
const fill = async ({ records, record, stage, completeOrder }: Clinic): Promise<void> => {
  for (const command of oneCommandOfEach({ id: 'amy' })) await record(command);
  await stage(goal({ id: 'staged' }));
  await completeOrder((await record(labOrder({ id: 'done' }))).id);
  await records.careTeams.setParticipantStatus('amy', 'Organization/lab', 'active');
};

/** The limits that a caller has wrong, each of which would reach every chart if it were ignored. */
const wrongAnswers: readonly unknown[] = [
  ...[undefined, null, true, 'amy', 'allow', 7, ['amy'], [], new Map([['within', 'ben']])],
  ...[{ Within: [] }, { witin: 'amy' }, { limitTo: 'amy' }, { within: 'amy', Within: [] }],
  ...[{ within: undefined }, { within: 'Patient/amy' }, { within: [7] }, { within: new Set(['amy']) }],
  ...[{ matching: [] }, { within: 'amy', matching: [] }, { authorize: async () => ({}) }],
];

const calls = flatten(rows, '');

onEveryStore('A limit of a call', (clinic) => {
  const begin = (call: Row[1], limit: ChartLimit) => call(clinic().records, limit);

  /** Tries each call on Amy's chart, in which none of them may write. */
  const tryEach = async (refuse: (name: string, refusal: Refusal, call: Row[1]) => Promise<void>) => {
    await fill(clinic());
    const before = await clinic().feed();
    for (const row of calls) await refuse(...row);
    expect(await clinic().feed()).toEqual(before);
  };

  test.each(calls)('of %s lets its charts through, whatever becomes of it later', async (_, __, call) => {
    await fill(clinic());
    // A correction is about two charts.
    const limit: { within: string | string[]; authorize?: AuthorizeCharts } = { within: ['ben', 'amy'] };
    const allowed = begin(call, limit);
    (limit.within as string[])[1] = 'cat';
    Object.assign(limit, { within: 'ben', authorize: async () => ({ within: [] }) });
    expect(await endOf(allowed)).toBe('shown');
  });

  test('lets no other chart through', () =>
    tryEach(async (name, refusal, call) => {
      for (const within of ['ben', ['ben', 'cat'], []]) {
        expect([name, await endOf(begin(call, { within }))]).toEqual([name, refusal]);
        const asked = await endOf(begin(call, { authorize: async () => ({ within }) }));
        expect([name, asked]).not.toEqual([name, 'shown']);
      }
    }));

  test('refuses everything if it names no valid patient, such as by a session that has lost its patient', () =>
    tryEach(async (name, _, call) => {
      for (const within of [undefined, '', 'Patient/amy', ['amy', '']]) {
        const ended = await endOf(begin(call, { within } as ChartLimit));
        expect([name, within, ended]).toEqual([name, within, 'Forbidden']);
      }
    }));

  test('refuses as it is at the call, whatever becomes of it later', () =>
    tryEach(async (name, refusal, call) => {
      const limit: { within: string[]; authorize: AuthorizeCharts } = {
        within: ['ben'],
        authorize: async () => ({}),
      };
      const refused = begin(call, limit);
      limit.within[0] = 'amy';
      limit.within = ['amy'];
      expect([name, await endOf(refused)]).toEqual([name, refusal]);
    }));

  test('is refused as a Misuse if `authorize` returns anything else: nothing is shown or written', () =>
    tryEach(async (name, _, call) => {
      for (const answer of wrongAnswers) {
        const ended = await endOf(begin(call, { authorize: async () => answer as ChartLimit }));
        expect([name, answer, ended]).toEqual([name, answer, 'Misuse']);
      }
    }));

  test('is refused as a StoreFailure if `authorize` takes too long: nothing is shown or written', () =>
    tryEach(async (name, _, call) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const asked = Promise.withResolvers<void>();
      const authorize = () => {
        asked.resolve();
        return new Promise<never>(() => {});
      };
      const ended = endOf(begin(call, { authorize }));
      await asked.promise;
      await vi.advanceTimersByTimeAsync(10_000);
      vi.useRealTimers();
      expect([name, await ended]).toEqual([name, 'StoreFailure']);
    }));
});
