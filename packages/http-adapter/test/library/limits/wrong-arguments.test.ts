import { type ClinicalRecords, ClinicalRecordsError, createAuditLog } from '@clinical-records/core';
import { toEithers } from '@clinical-records/core/fp-ts';
import type { ClinicalStore } from '@clinical-records/core/store';
import { createMemoryAuditStore, createMemoryStore } from '@clinical-records/store-memory';
import { beforeAll, describe, expect, test } from 'vitest';
import { goal, labOrder, statement, team } from '../../builders.ts';
import { cardiologist, createRecords, openClinic } from '../../clinic.ts';

/** The values that plain JavaScript may pass, by the names that a test shows. */
const wrongValues: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  7: 7,
  NaN: Number.NaN,
  '10n': 10n,
  true: true,
  symbol: Symbol('x'),
  function: () => 1,
  text: 'text',
  '{}': {},
  '[]': [],
  '{ x: 1 }': { x: 1 },
  '[1]': [1],
  Date: new Date(0),
  promise: Promise.resolve({}),
  'an object of a class': new (class Session {
    readonly within = 'amy';
  })(),
};

/** An argument that a function takes, and the other values that it takes, too. */
type Argument = { readonly value: unknown; readonly takes: readonly string[]; readonly isOptions?: true };

const argument =
  (...takes: readonly string[]) =>
  (value: unknown): Argument => ({ value, takes });

const id = argument('text');
const number = argument('7', 'NaN');
const body = argument();
const optionalBody = argument('undefined', '{}', 'an object of a class', 'Date');
/** An object of a class can have parameters, which are then looked at. */
const parameters = argument('{}', '[]');
const optionalParameters = argument('undefined', '{}', '[]');
const pairs = argument('undefined', '[]');
const options = (value: object = {}): Argument => ({ value, takes: ['undefined', '{}'], isOptions: true });

const by = 'Practitioner/ada';
const limit = { within: 'amy', authorize: async () => ({}) };
const access = { by, onReturn: () => {}, onDeny: () => {}, ...limit };
const read = { ...access, base: '', baseUrl: 'https://clinic.example', links: 'relative', reach: () => ({}) };
const reading = { ...read, readReferenced: async () => ({ _tag: 'Right', right: null }), handling: 'strict' };
const { base: _base, baseUrl: _baseUrl, links: _links, ...iterating } = reading;
const write = { ...access, handling: 'lenient' };
const condition = { ifMatch: [1], ifUnmodifiedSince: new Date() };
const step = { ...access, idempotencyKey: 'k', ...condition };

const reads = (name: string) => ({
  read: [id(name), options(access)],
  search: [parameters({ patient: 'amy' }), options(reading)],
  all: [optionalParameters({ patient: 'amy' }), options(iterating)],
  history: [id(name), options({ ...access, count: 1, before: 9 })],
  readVersion: [id(name), number(1), options(access)],
});

const typed = (name: string, writes: object = {}, jsonWrites: object = {}) => ({
  ...reads(name),
  ...writes,
  asJson: {
    ...reads(name),
    historyBundle: [id(name), optionalParameters([]), options(reading)],
    ...jsonWrites,
  },
});

const entered = { resourceType: 'Immunization', id: 'given', status: 'entered-in-error' };
const immunizationWrites = {
  create: [body(statement()), options({ ...write, idempotencyKey: 'k', ifNoneExist: undefined })],
  update: [id('given'), body(entered), options({ ...write, ...condition })],
};
const updateTeam = [id('amy'), body(team()), options({ ...write, ...condition })];
const member = { member: 'Organization/home', status: 'proposed' };
const { handling: _, ...writeOfStatus } = write;
const correction = { resourceType: 'Goal', resourceId: 'none', by, reason: 'why' };
const commands = { resourceType: 'Goal', resourceId: 'walk' };
const ofMerge = { patientId: 'nobody', toPatientId: 'ben' };
const ofMove = { resourceType: 'Goal', resourceId: 'none', ...ofMerge };
const sentMerge = { ...ofMerge, patientVersion: 1, toPatientVersion: 1, reason: 'why' };
const sentMove = { ...sentMerge, ...ofMove, version: 1 };
const anyName = argument('{}', '{ x: 1 }', 'an object of a class');

/** The arguments that each function takes. */
const samples = {
  goals: typed('walk'),
  serviceRequests: typed('order'),
  careTeams: typed(
    'amy',
    {
      update: updateTeam,
      setParticipantStatus: [
        ...[id('amy'), body('Organization/home'), body('proposed')],
        options({ ...access, role: cardiologist }),
      ],
      removeAllParticipants: [id('amy'), options(access)],
    },
    {
      update: updateTeam,
      setParticipantStatus: [id('amy'), body(member), options({ ...writeOfStatus, ...condition })],
    },
  ),
  immunizations: typed('given', immunizationWrites, immunizationWrites),
  provenance: {
    read: [id('G-walk-1'), options(reading)],
    search: [parameters({ target: 'Goal/walk' }), options(reading)],
    asJson: {
      read: [id('G-walk-1'), options(reading)],
      search: [parameters({ target: 'Goal/walk' }), options(reading)],
    },
  },
  chart: {
    stage: [body(labOrder()), options(step)],
    record: [body(labOrder()), options(step)],
    commit: [body('Goal/walk/0'), options(step)],
    completeOrder: [body('ServiceRequest/order/0'), options(step)],
    discard: [body('Goal/walk/0'), options({ ...step, reason: 'why' })],
    reopenOrder: [body('ServiceRequest/order/0'), options(step)],
    enterInError: [body('Goal/walk/9'), options({ ...step, reason: 'why' })],
    read: [body('Goal/walk/0'), options(access)],
    commandsOf: [body(commands), options(access)],
    search: [parameters({ patient: 'amy' }), options(reading)],
    asJson: {
      create: [body(labOrder()), options(step)],
      step: [id('Goal/walk/0'), body('commit'), optionalBody({}), options(step)],
      read: [id('Goal/walk/0'), options(access)],
      commandsOf: [anyName(commands), options(access)],
      search: [parameters([['patient', 'amy']]), options(reading)],
    },
  },
  directory: {
    put: [body('Organization'), body({ id: 'new', name: 'New' })],
    read: [body('Patient'), id('amy'), options(limit)],
    readResource: [body('Patient'), id('amy'), options(access)],
    search: [body('Patient'), parameters({}), options(reading)],
    asJson: { search: [body('Patient'), parameters({}), options(reading)] },
  },
  corrections: {
    moveToPatient: [body({ ...correction, toPatientId: 'ben' })],
    mergePatients: [body({ patientId: 'nobody', toPatientId: 'ben', by, reason: 'why' })],
    erase: [body(correction)],
    of: [body(commands)],
    asJson: {
      move: [body(sentMove), options({ ...access, idempotencyKey: 'k' })],
      merge: [body(sentMerge), options({ ...access, idempotencyKey: 'k' })],
      previewMove: [pairs(Object.entries(ofMove)), options(access)],
      previewMerge: [pairs(Object.entries(ofMerge)), options(access)],
      of: [anyName(commands), options(access)],
    },
  },
  importer: {
    load: [
      argument('text', '[]', '[1]')([]),
      options({ createNotes: false, onProgress: () => {}, onIssue: () => {} }),
    ],
  },
  exporter: {
    begin: [
      options({
        ...{ types: ['Goal'], provenanceOf: ['Goal'], patientIds: ['amy'], membersOf: ['Goal'] },
        ...{ matching: {}, since: new Date(0), onProgress: () => {} },
      }),
    ],
    everything: [id('amy'), pairs([]), options(reading)],
  },
  changes: [options({ since: undefined })],
  feedEnd: [],
  describe: [],
  undefinedTypes: [],
  verify: [options({ head: undefined })],
  copyTo: [body(createMemoryStore()), options({ onProgress: () => {}, follow: AbortSignal.abort() })],
  reindex: [options({ onProgress: () => {} })],
  transaction: [argument('function')(async () => {})],
  dryRun: [argument('function')(async () => {})],
  in: [body({ join: (store: ClinicalStore) => store, connection: null, watch: () => {} })],
};

const accessEvent = {
  ...{
    at: 0,
    by,
    client: null,
    address: null,
    interaction: 'read',
    resourceType: 'Goal',
    id: 'walk',
    query: '',
  },
  ...{ resources: [], patientIds: [], outcome: 'success', rules: [], status: null, requestId: null },
};

const auditSamples = {
  onAccess: [body(accessEvent)],
  search: [body({ count: 1, patientIds: ['amy'], users: [by], from: 0, until: 1, before: 9 })],
  searchBundle: [parameters({ patient: 'amy' }), options(reading)],
  parameters: [],
  export: [],
  expire: [body({ until: 1, by: 'Device/retention' })],
  verify: [options({ head: 'x' })],
};

/** The values of options that are taken, or that the function refuses in another way than as `InvalidRequest` or `Misuse`. */
const takenOptions: Readonly<Record<string, readonly string[]>> = {
  within: Object.keys(wrongValues),
  by: ['text'],
  baseUrl: ['text'],
  base: ['text'],
  head: ['text'],
  idempotencyKey: ['text'],
  reason: ['text'],
  count: ['7'],
  before: ['7'],
  ifMatch: ['[]', '[1]'],
  ifUnmodifiedSince: ['Date'],
  since: ['Date'],
  createNotes: ['true'],
  matching: ['{}', '[]'],
  role: ['{}', '{ x: 1 }', 'an object of a class'],
  ...Object.fromEntries(
    ['onReturn', 'onDeny', 'authorize', 'reach', 'readReferenced', 'onProgress', 'onIssue'].map((name) => [
      name,
      ['function'],
    ]),
  ),
  ...Object.fromEntries(['types', 'provenanceOf', 'patientIds', 'membersOf'].map((name) => [name, ['[]']])),
};

type Functions = { readonly [name: string]: ((...sent: readonly unknown[]) => unknown) | Functions };
type Samples = { readonly [name: string]: readonly Argument[] | Samples };

const isArguments = (part: readonly Argument[] | Samples): part is readonly Argument[] => Array.isArray(part);

const listSamples = (part: Samples, path = ''): readonly (readonly [string, readonly Argument[]])[] =>
  Object.entries(part).flatMap(([name, value]) =>
    isArguments(value) ? [[path + name, value] as const] : listSamples(value, `${path}${name}.`),
  );

const listFunctions = (part: object, path = ''): readonly string[] =>
  Object.entries(part).flatMap(([name, value]) => {
    if (typeof value === 'function') return [path + name];
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? listFunctions(value, `${path}${name}.`)
      : [];
  });

const functionAt = (services: object, path: string) =>
  path.split('.').reduce<unknown>((part, name) => (part as Functions)[name], services) as (
    ...sent: readonly unknown[]
  ) => unknown;

let calls = 0;
let records: ClinicalRecords;
const audit = createAuditLog({ store: createMemoryAuditStore() });

/** A store that counts its calls. */
const counting = (store: ClinicalStore): ClinicalStore =>
  Object.fromEntries(
    Object.entries(store).map(([name, run]) => [
      name,
      typeof run !== 'function' || name === 'begin'
        ? run
        : (...sent: readonly never[]) => {
            calls += 1;
            return (run as (...sent: readonly never[]) => unknown)(...sent);
          },
    ]),
  ) as unknown as ClinicalStore;

beforeAll(async () => {
  const clinic = await openClinic(createMemoryStore());
  await clinic.record(goal());
  await clinic.record(labOrder({ id: 'order' }));
  records = createRecords(counting(clinic.store));
});

const tagOf = (cause: unknown): string => {
  if (!(cause instanceof ClinicalRecordsError)) throw cause;
  return cause.tag;
};

/** How a call ends: its error, or null. */
const endOf = async (services: object, path: string, sent: readonly unknown[]): Promise<string | null> => {
  try {
    const result = functionAt(services, path)(...sent);
    if (typeof result === 'object' && result !== null && Symbol.asyncIterator in result) {
      for await (const _ of result as AsyncIterable<unknown>) break;
    } else await result;
    return null;
  } catch (cause) {
    return tagOf(cause);
  }
};

const refused = ['InvalidRequest', 'Misuse'];

const all = [
  ...listSamples(samples as unknown as Samples).map((sample) => ['records', ...sample] as const),
  ...listSamples(auditSamples).map((sample) => ['audit', ...sample] as const),
];

const servicesOf = (of: 'records' | 'audit'): object => (of === 'records' ? records : audit);

test('every function of the records and of an audit log is tried', () => {
  const { bodies: _, access: __, ...functions } = records;
  expect(
    listSamples(samples as unknown as Samples)
      .map(([path]) => path)
      .toSorted(),
  ).toEqual(listFunctions(functions).toSorted());
  expect(
    listSamples(auditSamples)
      .map(([path]) => path)
      .toSorted(),
  ).toEqual(listFunctions(audit).toSorted());
});

describe.each(all)('%s: %s', (of, path, sample) => {
  const valid = sample.map(({ value }) => value);

  test('takes what it is made for', async () => {
    expect(await endOf(servicesOf(of), path, valid)).not.toBe('Misuse');
  });

  test('refuses every other value of an argument', async () => {
    for (const [index, { takes }] of sample.entries()) {
      for (const [name, value] of Object.entries(wrongValues)) {
        if (takes.includes(name)) continue;
        const sent = valid.with(index, value);
        expect(refused, `${name} as argument ${index}`).toContain(await endOf(servicesOf(of), path, sent));
      }
    }
    expect(sample.length).toBeLessThan(5);
  });

  test('refuses an argument too many', async () => {
    const given = [...valid, 'more'];
    expect(await endOf(servicesOf(of), path, given)).toBe('Misuse');
  });

  const index = sample.findIndex(({ isOptions }) => isOptions);
  test.runIf(index !== -1)('refuses an option that it does not have, and reads nothing', async () => {
    const known = valid[index] as object;
    for (const reasn of ['x', undefined]) {
      const before = calls;
      const sent = valid.with(index, { ...known, reasn });
      expect(await endOf(servicesOf(of), path, sent)).toBe('Misuse');
      if (of === 'records' && path !== 'describe' && path !== 'in') {
        const ended = functionAt(toEithers(records), path)(...sent);
        if (ended instanceof Promise)
          expect(await ended).toMatchObject({
            left: {
              _tag: 'Misuse',
              issues: [{ message: expect.stringContaining(`${path} has no option reasn. Its options are`) }],
            },
          });
      }
      expect(calls).toBe(before);
    }
  });

  test.runIf(index !== -1)('refuses every other value of an option', async () => {
    const known = valid[index] as object;
    for (const option of Object.keys(known)) {
      for (const [name, value] of Object.entries(wrongValues)) {
        if (value === undefined || takenOptions[option]?.includes(name)) continue;
        const end = await endOf(servicesOf(of), path, valid.with(index, { ...known, [option]: value }));
        expect(refused, `${option}: ${name}`).toContain(end);
      }
    }
    expect(index).toBe(valid.length - 1);
  });
});
