import type { PractitionerReference } from '@clinical-records/core';
import {
  type AnyClinicalRecords,
  type ChartCommandInput,
  type ClinicalRecords,
  type ClinicalRecordsOptions,
  type ClinicalStore,
  createClinicalRecords,
} from '@clinical-records/core';
import { type FeedEntry, orThrow, type Position } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import {
  createHttpHandler,
  type HttpHandler,
  type HttpHandlerOptions,
  type Principal,
} from '../src/index.ts';

export const extensionBase = 'https://clinic.example/fhir/extensions';

export const cardiologist = { system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' };
export const nurse = { system: 'http://snomed.info/sct', code: '224535009', display: 'Registered nurse' };
export const dietitian = { system: 'http://snomed.info/sct', code: '159033005', display: 'Dietitian' };

/** Tokens of the tests, each with what it grants. */
const principals: ReadonlyMap<string, Principal> = new Map([
  ['full', { subject: 'Practitioner/ada', scopes: ['user/*.*'] }],
  ['reader', { subject: 'Person/reader', scopes: ['user/*.read'] }],
  ['goals', { subject: 'Device/goals', scopes: ['system/Goal.rs'] }],
  ['amy', { subject: 'Patient/amy', scopes: ['patient/*.cruds'], patient: 'amy' }],
  ['none', { subject: 'Person/none', scopes: [] }],
]);

export const authenticate = (token: string): Principal | null => principals.get(token) ?? null;

/** Records of the clinic on a store, with what a host may say besides. */
export const createRecords = (
  store: ClinicalStore = createMemoryStore(),
  options: Partial<ClinicalRecordsOptions> = {},
): ClinicalRecords =>
  createClinicalRecords({
    ...{ store, extensionBase, careTeamRoles: [cardiologist, nurse, dietitian] },
    ...options,
  });

/** The interface as the clinic serves it, with what a host may say besides. */
export const createHandler = (
  records: AnyClinicalRecords,
  options: Partial<HttpHandlerOptions> = {},
): HttpHandler => createHttpHandler(records, { basePath: '/fhir', authenticate, ...options });

/** Every version in a store after a position, in the order of their commits. */
export const readFeed = async (store: ClinicalStore, position?: Position): Promise<readonly FeedEntry[]> =>
  orThrow(store.changesSince({ position, limit: 10_000 }));

/** A clock that the tests move: every look at it is a second later than the one before. */
export const createClock = (start = '2026-03-01T08:00:00.250Z') => {
  let now = Date.parse(start);
  return {
    now: () => {
      now += 1_000;
      return new Date(now);
    },
    at: (time: string) => {
      now = Date.parse(time);
    },
  };
};

type Clock = ReturnType<typeof createClock>;

export type RequestOptions = {
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** An answer with its body read: JSON is what every body of the interface is. */
export type ParsedResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
  readonly json: any;
};

export const createSender =
  (handler: HttpHandler) =>
  async (
    method: string,
    path: string,
    { token = 'full', headers = {}, body }: RequestOptions = {},
  ): Promise<ParsedResponse> => {
    const response = await handler({
      method,
      url: `/fhir${path}`,
      headers: {
        'x-request-id': 'test',
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body:
        body === undefined || typeof body === 'string' || body instanceof Uint8Array
          ? body
          : JSON.stringify(body),
    });
    return {
      status: response.status,
      headers: response.headers,
      text: response.body,
      json: response.body === '' ? undefined : JSON.parse(response.body),
    };
  };

export type ClinicOptions = Pick<Partial<ClinicalRecordsOptions>, 'timeZone' | 'organization' | 'usCore'>;

/** Writes in the charts, by Ada if no other author is named. */
const createChartActions = ({ chart }: ClinicalRecords) => ({
  stage: async (command: ChartCommandInput) => chart.stage(command),
  record: async (command: ChartCommandInput, by: PractitionerReference = 'Practitioner/ada') =>
    chart.record(command, { by }),
  commit: async (commandId: string, by: PractitionerReference = 'Practitioner/ada') =>
    chart.commit(commandId, { by }),
  completeOrder: async (commandId: string, by: PractitionerReference = 'Practitioner/ada') =>
    chart.completeOrder(commandId, { by }),
  reopenOrder: async (commandId: string, by: PractitionerReference = 'Practitioner/ada') =>
    chart.reopenOrder(commandId, { by }),
  discard: async (commandId: string, by: PractitionerReference = 'Practitioner/ada') =>
    chart.discard(commandId, { by }),
  enterInError: async (commandId: string, by: PractitionerReference = 'Practitioner/ada') =>
    chart.enterInError(commandId, { by }),
});

export type Clinic = ReturnType<typeof createChartActions> & {
  readonly store: ClinicalStore;
  readonly records: ClinicalRecords;
  readonly handler: HttpHandler;
  readonly feed: () => Promise<readonly FeedEntry[]>;
  readonly send: ReturnType<typeof createSender>;
  readonly get: (path: string, sent?: RequestOptions) => Promise<ParsedResponse>;
  readonly put: (path: string, body?: unknown, sent?: RequestOptions) => Promise<ParsedResponse>;
  readonly post: (path: string, body?: unknown, sent?: RequestOptions) => Promise<ParsedResponse>;
  readonly clock: Clock;
};

/** Sends as whoever it is. */
export const createSenderAs = ({ records }: Clinic, principal: Partial<Principal>) =>
  createSender(
    createHandler(records, { authenticate: () => ({ subject: 'Person/x', scopes: [], ...principal }) }),
  );

/** The clinic of a store that already has its records, with a clock that goes on from the last look at it. */
export const useClinic = (
  store: ClinicalStore,
  { clock = createClock(), ...options }: ClinicOptions & { readonly clock?: Clock } = {},
): Clinic => {
  const records = createRecords(store, { clock: clock.now, ...options });
  const handler = createHandler(records);
  const send = createSender(handler);
  return {
    ...{ store, records, handler, clock, send },
    feed: () => readFeed(store),
    get: (path, sent) => send('GET', path, sent),
    put: (path, body, sent) => send('PUT', path, { body, ...sent }),
    post: (path, body, sent) => send('POST', path, { body, ...sent }),
    ...createChartActions(records),
  };
};

/** A clinic with two patients, four practitioners, two organizations, and for each patient an encounter with a note. */
export const openClinic = async (store: ClinicalStore, options: ClinicOptions = {}): Promise<Clinic> => {
  const clinic = useClinic(store, options);
  const { directory } = clinic.records;
  await directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
  await directory.put('Patient', { id: 'ben', lastName: 'Okoro', firstName: 'Ben' });
  // All at once, so that a store on disk syncs once for all of them.
  await Promise.all([
    directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' }),
    directory.put('Practitioner', { id: 'bob', lastName: 'Gray', firstName: 'Bob' }),
    directory.put('Practitioner', { id: 'cyd', lastName: 'Lane', firstName: 'Cyd' }),
    directory.put('Practitioner', { id: 'dan', lastName: 'Moss', firstName: 'Dan' }),
    directory.put('Organization', { id: 'lab', name: 'Lab Ltd' }),
    directory.put('Organization', { id: 'home', name: 'Home Care' }),
    directory.put('Encounter', { id: 'visit-amy', patientId: 'amy' }),
    directory.put('Encounter', { id: 'visit-ben', patientId: 'ben' }),
  ]);
  await Promise.all([
    directory.put('Note', { id: 'note-amy', patientId: 'amy', encounterId: 'visit-amy' }),
    directory.put('Note', { id: 'note-ben', patientId: 'ben', encounterId: 'visit-ben' }),
  ]);
  return clinic;
};
