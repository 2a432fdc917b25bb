import {
  type ChartLimit,
  type ClinicalRecords,
  directoryResourceTypes,
  type ExportedType,
  isId,
  notFound,
  otherChartError,
  returnedResourcesIn,
} from '@clinical-records/core';
import { askAuthorize, longestTimer, requireNumbers } from '@clinical-records/core/store';
import * as E from 'fp-ts/lib/Either.js';
import { createAuthorizeCharts } from '../access/authorize.ts';
import { exportLimitFor, exportScopeFor, isSameLimit, type Principal } from '../access/scopes.ts';
import {
  asyncRequired,
  exportFailed,
  type HttpError,
  httpErrorOf,
  insufficientScope,
  invalidExportParameter,
  methodNotAllowed,
  pathNotFound,
} from '../errors.ts';
import { type HttpRequest, headerOf, parsePreference } from '../http.ts';
import { noBody, parseBody } from '../request/body.ts';
import type { ExportPath } from '../request/export-path.ts';
import type {
  AuthenticatedRequest,
  InterfaceSettings,
  Responder,
  ResponseResult,
} from '../respond/respond.ts';
import { formatHttpDate, uncachedHeaders } from '../respond/response.ts';
import { createExportJobs, type ExportJob } from './export-jobs.ts';
import { type ExportRequest, type FileType, pairsOfParameters, parseExport } from './parse-export.ts';
import { type GrantedRequest, patientsFile } from './write-files.ts';

/** Keeps the files of exports. Each function may be slow, and rejects if it fails. */
export type ExportFiles = {
  /** Writes a file of an export. Both names consist of letters, digits, dots and hyphens. */
  readonly write: (exportId: string, name: string, text: string) => Promise<void>;
  /** The text of a file; null if there is none. */
  readonly read: (exportId: string, name: string) => Promise<string | null>;
  /** Removes all files of an export, if there are any. If it rejects, it is called again with the next request for an export. */
  readonly remove: (exportId: string) => Promise<void>;
};

/** Finds the patients of a group for a client, whose scopes already allow the export. */
export type GroupMembers = (
  groupId: string,
  sender: { readonly principal: Principal; readonly request: HttpRequest },
) => Promise<readonly string[] | null> | readonly string[] | null;

/** The options of `$export`. Source: FHIR Bulk Data Access 2.0. */
export type BulkExportOptions = {
  /** Keeps the files until they expire, or the client deletes the export. They have data of charts. */
  readonly files: ExportFiles;
  /**
   * The ids of the patients who are in a group at this moment; null if there is no such group. With it, `Group/{id}/$export` is
   * served. Ids of patients who are not in the records are ignored.
   */
  readonly groupMembers?: GroupMembers;
  /** How many exports may run at the same time. One more is a 429. Default: 8. */
  readonly maxExports?: number;
  /** How many of them may be of one principal, the same `subject` and `client`. One more is a 429. Default: 4. */
  readonly maxExportsPerPrincipal?: number;
  /** How many ended exports of one principal are kept. With one more, the oldest is removed. Default: 4. */
  readonly maxKept?: number;
  /**
   * The most bytes of the files of these together. Beyond it, the oldest is removed; the latest is kept, whatever its size. Default:
   * 1 GiB.
   */
  readonly maxKeptBytes?: number;
  /** How long the files of a complete export are kept, in milliseconds. Default: an hour. */
  readonly keepFor?: number;
};

/** Throws if plain JavaScript got the option wrong. */
export const checkBulkExport = ({
  files,
  groupMembers = () => null,
  maxExports = 1,
  maxExportsPerPrincipal = 1,
  maxKept = 1,
  maxKeptBytes = 1,
  keepFor = 1,
}: BulkExportOptions): void => {
  if ([files?.write, files?.read, files?.remove].some((operation) => typeof operation !== 'function')) {
    throw new TypeError('bulkExport.files must have the functions write, read and remove.');
  }
  if (typeof groupMembers !== 'function') {
    throw new TypeError('bulkExport.groupMembers must be a function.');
  }
  const counts = { maxExports, maxExportsPerPrincipal, maxKept, maxKeptBytes };
  for (const [name, count] of Object.entries(counts)) {
    if (!Number.isInteger(count) || count < 1)
      throw new RangeError(`bulkExport.${name} must be a whole number of 1 or more.`);
  }
  requireNumbers({ 'bulkExport.keepFor': keepFor }, 1, longestTimer);
};

const parametersBody = { type: 'Parameters', bodyFormat: 'json' } as const;

/** In seconds. */
const retryAfter = '5';

const respond = (status: number, more: Readonly<Record<string, string>>, body = ''): ResponseResult =>
  E.right({ status, headers: { ...uncachedHeaders, ...more }, body });

const refuseMethod = (...methods: readonly string[]): ResponseResult =>
  E.left({ ...methodNotAllowed, headers: { allow: methods.join(', ') } });

const ownerOf = ({ subject, client = '' }: Principal): string => JSON.stringify([subject, client]);

const intersect = (ids: readonly string[], others: readonly string[]): readonly string[] => {
  const wanted = new Set(others);
  return ids.filter((id) => wanted.has(id));
};

const linesIn = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '');

/** The limits under which types are exported. */
type ExportLimits = GrantedRequest['limits'];

/** The limits of the types whose export the scopes allow. */
const grantedLimits = (principal: Principal, types: readonly FileType[]): ExportLimits =>
  new Map(
    types.flatMap((type) => {
      const limit = exportLimitFor(principal, type);
      return limit === null ? [] : [[type, limit] as const];
    }),
  );

/** The error of types whose export the scopes do not allow. */
const notGranted = (types: readonly FileType[], needs?: 'all'): E.Either<HttpError, never> =>
  E.left(insufficientScope(types.map(exportScopeFor), needs));

/** The types that are exported: those that were asked for, and otherwise those that the scopes allow. */
const requireTypes = (
  {
    types,
    fileTypes,
  }: { readonly types: readonly FileType[] | null; readonly fileTypes: readonly FileType[] },
  limits: ExportLimits,
): E.Either<HttpError, readonly FileType[]> => {
  if (types === null) return limits.size === 0 ? notGranted(fileTypes) : E.right([...limits.keys()]);
  const missing = types.filter((type) => !limits.has(type));
  return missing.length === 0 ? E.right(types) : notGranted(missing, 'all');
};

/** Whether a limit of now lets everything through that the limit of an export did. */
const coversLimit = (now: ChartLimit | null, then: ChartLimit = {}): boolean =>
  now !== null && (!('matching' in now) || isSameLimit(now, then));

/** Serves `$export`. Source: FHIR Bulk Data Access 2.0.0. */
export const createRespondToExport = (
  options: BulkExportOptions,
  { exporter, resources }: ClinicalRecords,
  { basePath, baseUrl, bodyLimit, authorize }: InterfaceSettings,
): Responder => {
  const resourceTypes = resources.map(({ type }) => type);
  const exportedTypes: readonly ExportedType[] = [...directoryResourceTypes, ...resourceTypes];
  const fileTypes: readonly FileType[] = [...exportedTypes, 'Provenance'];
  const jobs = createExportJobs(exporter, options);
  const urlOf = ({ id }: ExportJob): string => `${baseUrl ?? basePath}/$export/${id}`;

  /** The patients of a group and of a list, as far as there are these; null if there is no such group. */
  const requestedPatients = async (
    { request, principal }: AuthenticatedRequest,
    groupId: string,
    { patientIds }: ExportRequest,
  ): Promise<readonly string[] | undefined | null> => {
    if (groupId === '') return patientIds;
    const members = (await options.groupMembers?.(groupId, { principal, request })) ?? null;
    if (members === null) return null;
    if (!Array.isArray(members) || !members.every(isId)) {
      throw new TypeError('bulkExport.groupMembers() must return ids of patients, or null.');
    }
    return patientIds === undefined ? members : intersect(members, patientIds);
  };

  /** The requested patients whom the host allows; null if it allows none. */
  const allowedPatients = async (
    { request, principal }: AuthenticatedRequest,
    patientIds: readonly string[] | undefined,
  ): Promise<readonly string[] | undefined | null> => {
    if (authorize === undefined) return patientIds;
    const authorizeCharts = createAuthorizeCharts({ principal, request }, authorize, {
      resourceType: 'Patient',
      interaction: 'operation',
    });
    const asked = { id: null, patientIds: patientIds ?? [], labels: {} };
    const { within } = await askAuthorize(authorizeCharts, asked);
    if (within === undefined) return patientIds;
    const allowed = [within].flat();
    const both = patientIds === undefined ? allowed : intersect(patientIds, allowed);
    return both.length === 0 ? null : both;
  };

  /** Whether the host allows all patients of an export now. */
  const isAllowed = async (
    authenticated: AuthenticatedRequest,
    { patientIds }: ExportJob,
  ): Promise<boolean> => {
    const allowed = await allowedPatients(authenticated, patientIds);
    return allowed === patientIds || (allowed !== null && allowed?.length === patientIds?.length);
  };

  const kickOff = async (
    authenticated: AuthenticatedRequest,
    { template, groupId }: ExportPath,
  ): Promise<ResponseResult> => {
    const { request, context, principal, reportCause } = authenticated;
    const { path, query } = context.target;
    if (request.method !== 'GET' && request.method !== 'POST') return refuseMethod('GET', 'POST');
    const prefer = headerOf(request, 'prefer');
    if (!/(^|[,;\s])respond-async($|[,;\s])/i.test(prefer ?? '')) return E.left(asyncRequired);
    const body = request.method === 'POST' ? await parseBody(request, parametersBody, bodyLimit) : noBody;
    if (E.isLeft(body)) return body;
    const sent = request.method === 'POST' ? pairsOfParameters(body.right.json) : [];
    if (sent === null) return E.left(invalidExportParameter('parameter'));
    const parsed = parseExport(
      [...new URLSearchParams(query), ...sent].filter(([name]) => name !== '_format'),
      {
        handling: parsePreference(prefer).handling,
        allowsPatients: template !== '/$export' && request.method === 'POST',
        fileTypes,
      },
    );
    if (E.isLeft(parsed)) return parsed;
    const limits = grantedLimits(principal, fileTypes);
    const required = requireTypes({ types: parsed.right.types, fileTypes }, limits);
    if (E.isLeft(required)) return required;
    const types = required.right;
    const requested = await requestedPatients(authenticated, groupId, parsed.right);
    if (requested === null) return E.left(httpErrorOf(notFound('Group', groupId)));
    const patientIds = await allowedPatients(authenticated, requested);
    if (patientIds === null) return E.left(httpErrorOf(otherChartError));
    const isGranted = (type: FileType) => limits.has(type);
    const provenanceOf = types.includes('Provenance') ? resourceTypes.filter(isGranted) : [];
    // The names in a chart say something about its patient.
    const membersOf = exportedTypes.filter(isGranted);
    await jobs.purge(reportCause);
    const url = `${baseUrl ?? basePath}${path.slice(basePath.length)}${query === '' ? '' : `?${query}`}`;
    const job = jobs.start(
      {
        owner: ownerOf(principal),
        url,
        request: { ...parsed.right, types, provenanceOf, membersOf, patientIds, limits },
      },
      reportCause,
    );
    if (E.isLeft(job)) return job;
    if (requested !== undefined) {
      context.returned?.push({ resources: [], searchedPatientIds: patientIds ?? [] });
    }
    return respond(202, { 'content-location': urlOf(job.right) });
  };

  const status = async (request: HttpRequest, job: ExportJob): Promise<ResponseResult> => {
    if (request.method === 'DELETE') {
      await jobs.remove(job);
      return respond(202, {});
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod('GET', 'HEAD', 'DELETE');
    const { ended, exported } = job;
    if (ended === null) {
      return respond(202, { 'x-progress': `${exported} resources so far`, 'retry-after': retryAfter });
    }
    if ('cause' in ended) return E.left(exportFailed);
    const manifest = {
      transactionTime: new Date(ended.at).toISOString(),
      request: job.request,
      requiresAccessToken: true,
      output: ended.files.map(({ type, name, count }) => ({ type, url: `${urlOf(job)}/${name}`, count })),
      error: [],
    };
    return respond(
      200,
      { 'content-type': 'application/json', expires: formatHttpDate(ended.expires) },
      JSON.stringify(manifest),
    );
  };

  const file = async (
    { request, context }: AuthenticatedRequest,
    { job, name }: { readonly job: ExportJob; readonly name: string },
  ): Promise<ResponseResult> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return refuseMethod('GET', 'HEAD');
    const written = job.ended !== null && 'files' in job.ended ? job.ended.files : [];
    if (!written.some((exportFile) => exportFile.name === name)) return E.left(pathNotFound);
    const text = await options.files.read(job.id, name);
    if (text === null) return E.left(pathNotFound);
    context.returned?.push({
      resources: linesIn(text).flatMap(returnedResourcesIn),
      searchedPatientIds: linesIn((await options.files.read(job.id, patientsFile(name))) ?? ''),
    });
    return respond(200, { 'content-type': 'application/fhir+ndjson' }, text);
  };

  return (authenticated) => {
    const { request, principal, context, reportCause } = authenticated;
    if (context.target.exportPath === null) return null;
    const { id, name } = context.target.exportPath;
    context.errorMediaType = 'application/fhir+json';
    if (id === '') return kickOff(authenticated, context.target.exportPath);
    return (async () => {
      await jobs.purge(reportCause);
      const found = jobs.find(id, ownerOf(principal));
      if (E.isLeft(found)) return found;
      const job = found.right;
      const missing = job.types.filter(
        (type) => !coversLimit(exportLimitFor(principal, type), job.limits.get(type)),
      );
      if (missing.length > 0) return notGranted(missing, 'all');
      const isEnd = name === '' && request.method === 'DELETE';
      if (!isEnd && !(await isAllowed(authenticated, job))) return E.left(httpErrorOf(otherChartError));
      return name === '' ? status(request, job) : file(authenticated, { job, name });
    })();
  };
};
