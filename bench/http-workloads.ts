import type { Requests } from './load/requests.ts';

/** The servers that are compared. */
export type ServerName =
  | 'ours'
  | 'ours with audit'
  | 'ours on postgres'
  | 'http'
  | 'sqlite'
  | 'sqlite each'
  | 'sqlite duties'
  | 'sqlite rows'
  | 'postgres'
  | 'postgres pool'
  | 'postgres duties'
  | 'medplum'
  | 'medplum of 1,200';

/** The floor of a workload: another server with the same requests, or this library with other requests. */
type Floor = {
  readonly name: string;
  readonly server: ServerName;
  readonly requests?: Requests;
  readonly target: number | null;
};

export type HttpWorkload = {
  readonly work: string;
  /** The server that is compared with the floors. */
  readonly server: ServerName;
  readonly requests: Requests;
  readonly connections: number;
  readonly floors: readonly Floor[];
};

/** The peer scans all records. Its searches use only this many, because it would not respond in a round otherwise. */
export const peerSearchRecords = 1200;

type WorkloadOptions = {
  readonly records: number;
  /** The peer keeps everything in memory, and takes part only in the smaller clinic. */
  readonly withPeer: boolean;
  readonly lastPage: { readonly byNext: string; readonly byOffset: string };
};

const perPatient = 20;
const perPage = 10;

const sqliteFloors: readonly Floor[] = [
  { name: 'sqlite', server: 'sqlite', target: 0.8 },
  { name: 'sqlite, a transaction each', server: 'sqlite each', target: 0.8 },
];

/** The ratio to reach against the same reads by hand, on our tables and with the duties of our responses. */
const dutiesTarget = 0.8;

const sqliteReadFloors: readonly Floor[] = [
  ...sqliteFloors,
  { name: 'sqlite, with our duties', server: 'sqlite duties', target: dutiesTarget },
];

const readWorkloads = ({ records, withPeer }: WorkloadOptions): readonly HttpWorkload[] => {
  const search = { kind: 'search', type: 'Immunization', count: perPatient, records } as const;
  const peers: readonly HttpWorkload[] = [
    {
      work: 'search by patient, 1 connection',
      server: 'ours',
      requests: search,
      connections: 1,
      floors: [
        {
          name: 'medplum of 1,200',
          server: 'medplum of 1,200',
          requests: { ...search, records: peerSearchRecords },
          target: 1000,
        },
      ],
    },
  ];
  return [
    {
      work: 'read by id',
      server: 'ours',
      requests: { kind: 'read', records },
      connections: 32,
      floors: [
        { name: 'http', server: 'http', target: null },
        ...sqliteReadFloors,
        ...(withPeer ? [{ name: 'medplum', server: 'medplum', target: 1.1 } as const] : []),
      ],
    },
    {
      work: 'read by id, with audit',
      server: 'ours with audit',
      requests: { kind: 'read', records },
      connections: 32,
      floors: [{ name: 'read by id', server: 'ours', target: 0.5 }],
    },
    {
      work: 'search by patient',
      server: 'ours',
      requests: search,
      connections: 32,
      floors: sqliteReadFloors,
    },
    ...(withPeer ? peers : []),
  ];
};

const narrowedWorkloads = ({ records }: WorkloadOptions): readonly HttpWorkload[] =>
  (['status', 'authored', 'code'] as const).map((by) => ({
    work: `search by patient and ${by}`,
    server: 'ours',
    requests: { kind: 'narrowed search', by, records },
    connections: 32,
    floors: [
      {
        name: 'search only by patient',
        server: 'ours',
        requests: { kind: 'search', type: 'ServiceRequest', count: perPatient, records },
        target: 0.6,
      },
    ],
  }));

const lastPageWorkloads = ({ records, lastPage }: WorkloadOptions): readonly HttpWorkload[] =>
  (
    [
      ['last page by next', lastPage.byNext],
      ['last page by _offset', lastPage.byOffset],
      ['total of an unfiltered search', 'ServiceRequest?_count=0'],
    ] as const
  ).map(([work, path]) => ({
    work,
    server: 'ours',
    requests: { kind: 'fixed', path },
    connections: 32,
    floors: [
      {
        name: 'first page of a filtered search',
        server: 'ours',
        requests: { kind: 'search', type: 'ServiceRequest', count: perPage, records },
        target: 0.3,
      },
    ],
  }));

const createWorkloads = ({ records }: WorkloadOptions): readonly HttpWorkload[] => {
  const inEncounter = { kind: 'create in encounter', records } as const;
  const inNewNote = { kind: 'create in new note', records } as const;
  return [
    {
      work: 'create, in the note of its encounter',
      server: 'ours',
      requests: inEncounter,
      connections: 32,
      floors: [
        { name: 'sqlite', server: 'sqlite', target: 0.6 },
        { name: 'sqlite, our rows by hand', server: 'sqlite rows', target: 0.7 },
      ],
    },
    {
      work: 'create, in a new note',
      server: 'ours',
      requests: inNewNote,
      connections: 32,
      floors: [{ name: 'sqlite', server: 'sqlite', target: 0.6 }],
    },
    {
      work: 'create, in the note of its encounter, 1 connection',
      server: 'ours',
      requests: inEncounter,
      connections: 1,
      floors: [
        { name: 'sqlite, a transaction each', server: 'sqlite each', target: 0.8 },
        { name: 'sqlite, our rows by hand', server: 'sqlite rows', target: 0.8 },
      ],
    },
    {
      work: 'create, in a new note, 1 connection',
      server: 'ours',
      requests: inNewNote,
      connections: 1,
      floors: [{ name: 'sqlite, a transaction each', server: 'sqlite each', target: 0.8 }],
    },
  ];
};

/** The ratios to reach on PostgreSQL, with 32 connections and with one, and to our store on SQLite. */
type PostgresTargets = {
  readonly many: number;
  readonly one: number;
  readonly sqlite: number;
  /** Against the same by hand with our duties; left out if that was not written. */
  readonly duties?: number;
};

/** Our store on PostgreSQL against what can be written by hand there, with many connections and with one. */
const postgresWorkloads = (
  work: string,
  requests: Requests,
  { many, one, sqlite, duties }: PostgresTargets,
): readonly HttpWorkload[] =>
  [32, 1].map((connections): HttpWorkload => {
    const target = connections === 1 ? one : many;
    return {
      work: `PostgreSQL: ${work}${connections === 1 ? ', 1 connection' : ''}`,
      server: 'ours on postgres',
      requests,
      connections,
      floors: [
        { name: 'postgres', server: 'postgres', target },
        { name: 'postgres, a pool of 8', server: 'postgres pool', target },
        ...(duties === undefined
          ? []
          : [{ name: 'postgres, with our duties', server: 'postgres duties', target: duties } as const]),
        { name: 'ours on sqlite', server: 'ours', target: connections === 1 ? null : sqlite },
      ],
    };
  });

const postgresReadWorkloads = ({ records }: WorkloadOptions): readonly HttpWorkload[] => [
  ...postgresWorkloads(
    'read by id',
    { kind: 'read', records },
    { many: 0.8, one: 0.8, sqlite: 0.75, duties: dutiesTarget },
  ),
  ...postgresWorkloads(
    'search by patient',
    { kind: 'search', type: 'Immunization', count: perPatient, records },
    { many: records > 100_000 ? 0.75 : 0.8, one: 0.8, sqlite: 0.65, duties: dutiesTarget },
  ),
];

const postgresCreateWorkloads = ({ records }: WorkloadOptions): readonly HttpWorkload[] =>
  postgresWorkloads(
    'create, in the note of its encounter',
    { kind: 'create in encounter', records },
    { many: 0.5, one: 0.6, sqlite: 0.9 },
  );

/** The workloads over HTTP, in their order. Writes are last, because they change the results of searches. */
export const httpWorkloads = (options: WorkloadOptions): readonly HttpWorkload[] =>
  [
    readWorkloads,
    postgresReadWorkloads,
    narrowedWorkloads,
    lastPageWorkloads,
    createWorkloads,
    postgresCreateWorkloads,
  ].flatMap((group) => group(options));
