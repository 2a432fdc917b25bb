import type { ClinicalRecords } from '@clinical-records/core';
import * as E from 'fp-ts/lib/Either.js';
import { asyncRequired, type HttpError, invalidExportParameter } from '../errors.ts';
import { chartTypesOf } from '../host/host-charts.ts';
import { type HttpRequest, headerOf, parsePreference } from '../http.ts';
import { noBody, parseBody } from '../request/body.ts';
import type { ExportPath } from '../request/export-path.ts';
import type { AuthenticatedRequest, InterfaceSettings } from '../respond/respond.ts';
import { type ExportJob, type ExportJobs, ownerOf } from './export-jobs.ts';
import { allowedPatients, requestedPatients } from './granted-patients.ts';
import { fileTypesOf, grantTypes } from './granted-types.ts';
import type { BulkExportOptions } from './options.ts';
import { type ExportRequest, type FileType, pairsOfParameters, parseExport } from './parse-export.ts';

const parametersBody = { type: 'Parameters', bodyFormat: 'json' } as const;

/** The request in the query, and in the body of a POST. */
const parseKickOff = async (
  request: HttpRequest,
  { query, allowsPatients }: { readonly query: string; readonly allowsPatients: boolean },
  { bodyLimit, fileTypes }: { readonly bodyLimit: number; readonly fileTypes: readonly FileType[] },
): Promise<E.Either<HttpError, ExportRequest>> => {
  const prefer = headerOf(request, 'prefer');
  if (!/(^|[,;\s])respond-async($|[,;\s])/i.test(prefer ?? '')) return E.left(asyncRequired);
  const body = request.method === 'POST' ? await parseBody(request, parametersBody, bodyLimit) : noBody;
  if (E.isLeft(body)) return body;
  const sent = request.method === 'POST' ? pairsOfParameters(body.right.json) : [];
  if (sent === null) return E.left(invalidExportParameter('parameter'));
  const pairs = [...new URLSearchParams(query), ...sent].filter(([name]) => name !== '_format');
  return parseExport(pairs, { handling: parsePreference(prefer).handling, allowsPatients, fileTypes });
};

/** Creates the function that begins an export of what the scopes and the host allow. */
export const createKickOff = (
  { groupMembers = () => null }: BulkExportOptions,
  { resources }: Pick<ClinicalRecords, 'resources'>,
  jobs: ExportJobs,
  { basePath, baseUrl, bodyLimit, authorize, matchingIssues, hostResources }: InterfaceSettings,
) => {
  const exportTypes = {
    resourceTypes: resources.map(({ type }) => type),
    hostTypes: chartTypesOf(hostResources),
  };
  const fileTypes = fileTypesOf(exportTypes);

  return async (
    authenticated: AuthenticatedRequest,
    { template, groupId }: ExportPath,
  ): Promise<E.Either<HttpError, ExportJob>> => {
    const { request, context, principal, reportCause } = authenticated;
    const { path, query } = context.target;
    const allowsPatients = template !== '/$export' && request.method === 'POST';
    const parsed = await parseKickOff(request, { query, allowsPatients }, { bodyLimit, fileTypes });
    if (E.isLeft(parsed)) return parsed;
    const granted = grantTypes(parsed.right.types, principal, exportTypes, matchingIssues);
    if (E.isLeft(granted)) return granted;
    const { patientIds } = parsed.right;
    const requested = await requestedPatients({ groupId, patientIds }, groupMembers, authenticated);
    if (E.isLeft(requested)) return requested;
    const allowed = await allowedPatients(requested.right, authorize, authenticated);
    if (E.isLeft(allowed)) return allowed;
    await jobs.purge(reportCause);
    const url = `${baseUrl ?? basePath}${path.slice(basePath.length)}${query === '' ? '' : `?${query}`}`;
    const exported = { ...parsed.right, ...granted.right, patientIds: allowed.right };
    const job = jobs.start({ owner: ownerOf(principal), url, request: exported }, reportCause);
    if (E.isRight(job) && requested.right !== undefined) {
      context.returned?.push({ resources: [], searchedPatientIds: allowed.right ?? [] });
    }
    return job;
  };
};
