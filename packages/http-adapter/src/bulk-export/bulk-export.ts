import type { ClinicalRecords } from '@clinical-records/core';
import { type Exporter, returnedResourcesIn } from '@clinical-records/core/adapter';
import * as E from 'fp-ts/lib/Either.js';
import { agentWrite, exportFailed, type HttpError, methodNotAllowed, pathNotFound } from '../errors.ts';
import { withHostCharts } from '../host/host-charts.ts';
import type { HttpResponse } from '../http.ts';
import type { ExportPath } from '../request/export-path.ts';
import type {
  AuthenticatedRequest,
  InterfaceSettings,
  Responder,
  ResponseResult,
} from '../respond/respond.ts';
import { formatHttpDate, uncachedHeaders } from '../respond/response.ts';
import { createExportJobs, type ExportJob, ownerOf } from './export-jobs.ts';
import { lostPatients } from './granted-patients.ts';
import { lostTypes } from './granted-types.ts';
import { createKickOff } from './kick-off.ts';
import type { BulkExportOptions, ExportFiles } from './options.ts';
import { patientsFile } from './write-files.ts';

/** In seconds. */
const retryAfter = '5';

const respond = (status: number, more: Readonly<Record<string, string>>, body = ''): HttpResponse => ({
  status,
  headers: { ...uncachedHeaders, ...more },
  body,
});

/** The error of a method that is none of these; null for one of them. */
const refuseMethod = (method: string, ...allowed: readonly string[]): HttpError | null =>
  allowed.includes(method) ? null : { ...methodNotAllowed, headers: { allow: allowed.join(', ') } };

/** How far an export is, or where its files are. Source: Bulk Data Access 2.0.0, "Bulk Data Status Request". */
const statusOf = (job: ExportJob, url: string): ResponseResult => {
  const { ended, exported } = job;
  if (ended === null) {
    return E.right(respond(202, { 'x-progress': `${exported} resources so far`, 'retry-after': retryAfter }));
  }
  if ('cause' in ended) return E.left(exportFailed);
  const manifest = {
    transactionTime: new Date(ended.at).toISOString(),
    request: job.request,
    requiresAccessToken: true,
    output: ended.files.map(({ type, name, count }) => ({ type, url: `${url}/${name}`, count })),
    error: [],
  };
  const headers = { 'content-type': 'application/json', expires: formatHttpDate(ended.expires) };
  return E.right(respond(200, headers, JSON.stringify(manifest)));
};

const linesIn = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

/** A file of an export that is complete. */
const readFile = async (
  { id, ended }: ExportJob,
  name: string,
  files: ExportFiles,
  { returned }: Pick<AuthenticatedRequest['context'], 'returned'>,
): Promise<ResponseResult> => {
  const written = ended !== null && 'files' in ended ? ended.files : [];
  if (!written.some((file) => file.name === name)) return E.left(pathNotFound);
  const text = await files.read(id, name);
  if (text === null) return E.left(pathNotFound);
  returned?.push({
    resources: linesIn(text).flatMap(returnedResourcesIn),
    searchedPatientIds: linesIn((await files.read(id, patientsFile(name))) ?? ''),
  });
  return E.right(respond(200, { 'content-type': 'application/fhir+ndjson' }, text));
};

/** Serves `$export`. Source: FHIR Bulk Data Access 2.0.0. */
export const createRespondToExport = (
  options: BulkExportOptions,
  records: ClinicalRecords,
  settings: InterfaceSettings,
): Responder => {
  const { basePath, baseUrl, authorize, matchingIssues, hostResources } = settings;
  const exporter = withHostCharts(records.exporter as Exporter<string>, hostResources);
  const jobs = createExportJobs(exporter, options);
  const kickOff = createKickOff(options, records, jobs, settings);
  const urlOf = ({ id }: ExportJob): string => `${baseUrl ?? basePath}/$export/${id}`;

  const begin = async (authenticated: AuthenticatedRequest, path: ExportPath): Promise<ResponseResult> => {
    const refused = refuseMethod(authenticated.request.method, 'GET', 'POST');
    if (refused !== null) return E.left(refused);
    const job = await kickOff(authenticated, path);
    return E.isLeft(job) ? job : E.right(respond(202, { 'content-location': urlOf(job.right) }));
  };

  /** Responds to a request for an export that was begun. To end it, its client needs only the types. */
  const follow = async (
    authenticated: AuthenticatedRequest,
    { id, name }: ExportPath,
  ): Promise<ResponseResult> => {
    const { request, principal, context, reportCause } = authenticated;
    await jobs.purge(reportCause);
    const found = jobs.find(id, ownerOf(principal));
    if (E.isLeft(found)) return found;
    const job = found.right;
    const isEnd = name === '' && request.method === 'DELETE';
    const lost =
      lostTypes(principal, job, matchingIssues) ??
      (isEnd ? null : await lostPatients(job.patientIds, authorize, authenticated)) ??
      refuseMethod(request.method, 'GET', 'HEAD', ...(name === '' ? ['DELETE'] : []));
    if (lost !== null) return E.left(lost);
    if (name !== '') return readFile(job, name, options.files, context);
    if (!isEnd) return statusOf(job, urlOf(job));
    await jobs.remove(job);
    return E.right(respond(202, {}));
  };

  return (authenticated) => {
    const { exportPath } = authenticated.context.target;
    if (exportPath === null) return null;
    authenticated.context.errorMediaType = 'application/fhir+json';
    if (authenticated.principal.agent !== undefined) return Promise.resolve(E.left(agentWrite));
    return exportPath.id === '' ? begin(authenticated, exportPath) : follow(authenticated, exportPath);
  };
};
