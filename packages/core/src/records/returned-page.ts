import type { Returned, ReturnedResource } from '../access/access-event.ts';
import { returnedResourcesIn } from '../access/returned-resources.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import type { SearchCondition } from '../store/query.ts';
import type { FoundMatch } from './find.ts';
import type { IncludedResource } from './include.ts';
import type { ResourceVersion } from './resource-version.ts';

/** A version of a type, as an answer shows it. */
export const returnedVersion =
  (type: string) =>
  ({
    id,
    version,
    patientId,
  }: Pick<ResourceVersion, 'id' | 'version' | 'patientId'>): readonly ReturnedResource[] => [
    { type, id, version, patientId },
  ];

/**
 * The patients whom a search names, as far as the caller reaches them. If it names none, this is the patient to whose chart it is
 * limited. A limit to several charts does not count: the caller does not look into each of them.
 */
const searchedPatientIdsOf = (
  named: readonly SearchCondition[],
  reached: readonly SearchCondition[],
): readonly string[] => {
  const lists = reached.flatMap((condition) => (condition.on === 'patient' ? [condition.anyOf] : []));
  const [first = [], ...others] = lists;
  const patientIds = first.filter((id) => others.every((list) => list.includes(id)));
  return patientIds.length === 1 || named.some(({ on }) => on === 'patient') ? patientIds : [];
};

/** The content of a page of a search: its matches, what it includes, and the patients to whom it was limited. */
export const returnedPage = (
  type: ResourceType,
  {
    named,
    reached,
    matches,
    included = [],
  }: {
    /** The conditions of the caller. */
    readonly named: readonly SearchCondition[];
    /** The conditions within the reach of the caller. */
    readonly reached: readonly SearchCondition[];
    readonly matches: readonly FoundMatch[];
    readonly included?: readonly IncludedResource[];
  },
): Returned => {
  const found = matches.flatMap(({ id, version, resource }) =>
    returnedResourcesIn(resource).map(({ patientId }) => ({ type, id, version, patientId })),
  );
  const added = included.flatMap(({ type: includedType, id, json, patientId }) =>
    patientId === undefined
      ? returnedResourcesIn(json)
      : [{ type: includedType, id, version: null, patientId }],
  );
  return { resources: [...found, ...added], searchedPatientIds: searchedPatientIdsOf(named, reached) };
};
