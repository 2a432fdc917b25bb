import { parsePatientId } from '@clinical-records/core';
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

/** Whether a parameter of a search for a type names patients. */
const namesPatients = (type: string, name: string): boolean =>
  (type === 'Patient' ? ['_id'] : ['patient', 'subject']).includes(name);

/**
 * The patients whom a search of the host names, as far as it may find them. If it names none, this is the patient to whom it is
 * limited. Source: docs/decisions.md#audit.
 */
export const searchedPatientIds = (
  type: string,
  conditions: readonly (readonly [name: string, value: string])[],
  within: readonly string[] | undefined,
): readonly string[] => {
  const named = conditions
    .filter(([name]) => namesPatients(type, name))
    .flatMap(([, value]) => value.split(','))
    .flatMap((one) => parsePatientId(one) ?? []);
  if (named.length > 0) return named.filter((id) => within?.includes(id) ?? true);
  return within?.length === 1 ? within : [];
};
