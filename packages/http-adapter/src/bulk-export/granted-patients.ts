import { isId, notFound, otherChartError } from '@clinical-records/core/adapter';
import { askAuthorize } from '@clinical-records/core/store';
import * as E from 'fp-ts/lib/Either.js';
import { type Authorize, createAuthorizeCharts, type Sender } from '../access/authorize.ts';
import { type HttpError, httpErrorOf } from '../errors.ts';
import type { GroupMembers } from './options.ts';

/** The patients whose charts are exported; undefined for all. */
export type ExportedPatients = readonly string[] | undefined;

const intersect = (ids: readonly string[], others: readonly string[]): readonly string[] => {
  const wanted = new Set(others);
  return ids.filter((id) => wanted.has(id));
};

/** The patients of a group; null if there is no such group. */
const membersOf = async (
  groupId: string,
  groupMembers: GroupMembers,
  { principal, request }: Sender,
): Promise<readonly string[] | null> => {
  const members = (await groupMembers(groupId, { principal, request })) ?? null;
  if (members !== null && !(Array.isArray(members) && members.every(isId))) {
    throw new TypeError('bulkExport.groupMembers() must return ids of patients, or null.');
  }
  return members;
};

/** The patients of a group and of a list, as far as there are these. */
export const requestedPatients = async (
  { groupId, patientIds }: { readonly groupId: string; readonly patientIds: ExportedPatients },
  groupMembers: GroupMembers,
  sender: Sender,
): Promise<E.Either<HttpError, ExportedPatients>> => {
  if (groupId === '') return E.right(patientIds);
  const members = await membersOf(groupId, groupMembers, sender);
  if (members === null) return E.left(httpErrorOf(notFound('Group', groupId)));
  return E.right(patientIds === undefined ? members : intersect(members, patientIds));
};

/** The patients whom the host allows. If it allows none, an error. */
export const allowedPatients = async (
  patientIds: ExportedPatients,
  authorize: Authorize | undefined,
  { principal, request }: Sender,
): Promise<E.Either<HttpError, ExportedPatients>> => {
  if (authorize === undefined) return E.right(patientIds);
  const authorizeCharts = createAuthorizeCharts({ principal, request }, authorize, {
    resourceType: 'Patient',
    interaction: 'operation',
  });
  const asked = { id: null, patientIds: patientIds ?? [], labels: {} };
  const { within } = await askAuthorize(authorizeCharts, asked);
  if (within === undefined) return E.right(patientIds);
  const allowed = [within].flat();
  const both = patientIds === undefined ? allowed : intersect(patientIds, allowed);
  return both.length === 0 ? E.left(httpErrorOf(otherChartError)) : E.right(both);
};

/** The error of a client whom the host does not allow all of the patients any more; null if it does. */
export const lostPatients = async (
  patientIds: ExportedPatients,
  authorize: Authorize | undefined,
  sender: Sender,
): Promise<HttpError | null> => {
  const allowed = await allowedPatients(patientIds, authorize, sender);
  if (E.isLeft(allowed)) return allowed.left;
  return allowed.right?.length === patientIds?.length ? null : httpErrorOf(otherChartError);
};
