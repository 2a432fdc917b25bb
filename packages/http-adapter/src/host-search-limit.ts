import { isSharedType } from './host-resources.ts';
import type { RouteRequest } from './routes.ts';

type Limit = Pick<RouteRequest, 'within'>;

/** The patients of a limit; undefined if there is none. An undefined `within` reaches nobody. */
const patientIdsIn = (limit: Limit): readonly string[] | undefined =>
  'within' in limit ? [limit.within ?? []].flat() : undefined;

/**
 * The patients whose resources a search of the host may find: those to whom the scopes are limited, as far as `authorize` allows
 * them; undefined for all. Types such as Practitioner belong to no patient.
 */
export const patientsInReach = async (
  type: string,
  request: RouteRequest,
): Promise<readonly string[] | undefined> => {
  if (isSharedType(type)) return undefined;
  const byScope = patientIdsIn(request);
  if (request.authorize === undefined || byScope?.length === 0) return byScope;
  const authorized = patientIdsIn(await request.authorize({ id: null, patientIds: byScope ?? [] }));
  return authorized === undefined ? byScope : authorized.filter((id) => byScope?.includes(id) ?? true);
};
