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

/** The content of a page of a search: its matches, what it includes, and the patients to whom it was limited. */
export const returnedPage = (
  type: ResourceType,
  {
    conditions,
    matches,
    included = [],
  }: {
    readonly conditions: readonly SearchCondition[];
    readonly matches: readonly FoundMatch[];
    readonly included?: readonly IncludedResource[];
  },
): Returned => {
  const searchedPatientIds = conditions.flatMap((condition) =>
    condition.on === 'patient' ? condition.anyOf : [],
  );
  const found = matches.flatMap(({ id, version, resource }) =>
    returnedResourcesIn(resource).map(({ patientId }) => ({ type, id, version, patientId })),
  );
  const added = included.flatMap(({ type: includedType, id, json, patientId }) =>
    patientId === undefined
      ? returnedResourcesIn(json)
      : [{ type: includedType, id, version: null, patientId }],
  );
  return { resources: [...found, ...added], searchedPatientIds };
};
