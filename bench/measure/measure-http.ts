import { type Child, startChild } from '../child/start-child.ts';
import type { ClinicFiles } from '../clinic-files.ts';
import { patientId, recordId } from '../data/clinic.ts';
import { type HttpWorkload, httpWorkloads, peerSearchRecords, type ServerName } from '../http-workloads.ts';
import type { Load, LoadResult } from '../load/load.ts';
import type { Requests } from '../load/requests.ts';
import { createWarmUp } from '../load/warm-up.ts';
import type { PostgresClinic } from '../postgres-clinic.ts';
import { findLastPageByNext, findLastPageByOffset, requireSameResponses } from '../probe-servers.ts';
import { compareRates, type Result } from '../results.ts';
import type { ServerStatus } from '../servers/serve-listener.ts';
import type { Settings } from '../settings.ts';
import { type Candidate, interleavedMedians } from './interleaved.ts';

type Server = Child<object, ServerStatus>;
type Servers = Readonly<Partial<Record<ServerName, Server>>>;

const startServers = async (
  clinic: ClinicFiles,
  postgres: PostgresClinic,
  records: number,
  withPeer: boolean,
): Promise<Servers> => ({
  ours: await startChild('servers/ours.ts', clinic.ours),
  'ours with audit': await startChild('servers/ours-audited.ts', clinic.ours),
  'ours on postgres': await startChild('servers/ours-postgres.ts', postgres.ours, postgres.server.folder),
  http: await startChild('servers/floors/http.ts'),
  sqlite: await startChild('servers/floors/sqlite.ts', clinic.floor, 'shared'),
  'sqlite each': await startChild('servers/floors/sqlite.ts', clinic.floor, 'each'),
  'sqlite duties': await startChild('servers/duties/sqlite-duties.ts', clinic.ours),
  'sqlite rows': await startChild('servers/duties/sqlite-rows.ts', clinic.ours),
  postgres: await startChild('servers/floors/postgres.ts', postgres.floor, postgres.server.folder),
  'postgres pool': await startChild(
    'servers/floors/postgres-pool.ts',
    postgres.floor,
    postgres.server.folder,
  ),
  'postgres duties': await startChild(
    'servers/duties/postgres-duties.ts',
    postgres.ours,
    postgres.server.folder,
  ),
  ...(withPeer && {
    medplum: await startChild('servers/floors/medplum.ts', String(records)),
    'medplum of 1,200': await startChild('servers/floors/medplum.ts', String(peerSearchRecords)),
  }),
});

const statusOf = (servers: Servers, name: ServerName): Promise<ServerStatus> => {
  const server = servers[name];
  if (server === undefined) throw new Error(`${name} is not among those that were started.`);
  return server.ask({});
};

const mebibytes = (bytes: number | null) => (bytes === null ? null : Math.round(bytes / 2 ** 20));

/** Measures everything over HTTP, with one clinic. */
export const measureHttp = async (
  clinic: ClinicFiles,
  postgres: PostgresClinic,
  {
    records,
    withPeer,
    rounds,
    seconds,
    warmUpSeconds,
    works,
  }: Settings & { readonly records: number; readonly withPeer: boolean },
  report: (result: Result) => void,
): Promise<void> => {
  const servers = await startServers(clinic, postgres, records, withPeer);
  const load = await startChild<Load, LoadResult>('load/load.ts');
  const warmUp = createWarmUp(load, warmUpSeconds);

  const createCandidate =
    (server: ServerName, requests: Requests, connections: number): Candidate =>
    async (round) => {
      const before = await statusOf(servers, server);
      const { origin } = before;
      const { served, perSecond, refused } =
        round === 0
          ? await warmUp(server, { origin, requests })
          : await load.ask({ origin, connections, seconds, requests, seed: round });
      if (refused > 0) throw new Error(`${server} refused ${refused} requests: ${JSON.stringify(requests)}`);
      const { processorMicroseconds } = await statusOf(servers, server);
      return { perSecond, microsecondsEach: (processorMicroseconds - before.processorMicroseconds) / served };
    };

  const compare = async ({ work, server, requests, connections, floors }: HttpWorkload): Promise<void> => {
    const [ours, ...others] = await interleavedMedians(
      [
        createCandidate(server, requests, connections),
        ...floors.map((floor) => createCandidate(floor.server, floor.requests ?? requests, connections)),
      ],
      rounds,
    );
    const { anonymousBytes } = await statusOf(servers, server);
    for (const [at, { name, target }] of floors.entries()) {
      report({
        work,
        records,
        floor: name,
        target,
        ...compareRates(ours, others[at]),
        anonymousMiB: mebibytes(anonymousBytes),
      });
    }
  };

  const { origin } = await statusOf(servers, 'ours');
  await requireSameResponses(
    await Promise.all(
      [
        ...(['ours', 'sqlite', 'sqlite duties'] as const),
        ...(['ours on postgres', 'postgres', 'postgres pool', 'postgres duties'] as const),
      ].map(async (name) => (await statusOf(servers, name)).origin),
    ),
    [`Immunization/${recordId(24)}`, `Immunization?patient=Patient/${patientId(2)}&_count=20`],
  );
  const lastPage = {
    byNext: await findLastPageByNext(origin, 'ServiceRequest', 10),
    byOffset: await findLastPageByOffset(origin, 'ServiceRequest', 10),
  };
  for (const workload of httpWorkloads({ records, withPeer, lastPage })) {
    if (works.test(workload.work)) await compare(workload);
  }
  for (const child of [load, ...Object.values(servers)]) await child.stop();
};
