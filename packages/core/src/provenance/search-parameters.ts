import type { ResourceType } from '../fhir/resource-type.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import type { SearchInput } from '../search/search-input.ts';
import type { IndexEntry } from '../store/index-entry.ts';
import type { VersionName } from './provenance-id.ts';

/** Source: docs/http-interface.md#provenance. */
export const createProvenanceParameters = <Type extends string>(types: readonly Type[]) =>
  ({
    /** The id of the resource. */
    _id: { kind: 'id' },
    /** The resource that it is about, `Goal/1`, or one version of it, `Goal/1/_history/3`. */
    target: { kind: 'reference', types, hasVersions: true },
  }) as const satisfies SearchParameterTable;

/** The search parameters of Provenance. Source: docs/http-interface.md#provenance. */
export interface ProvenanceSearch
  extends SearchInput<ReturnType<typeof createProvenanceParameters<ResourceType>>> {}

type SearchedProvenance = { readonly id: string; readonly target: VersionName };

/** A Provenance as a search looks at it: it is found by its resource, and by the version. */
export const toSearchable = ({ id: provenanceId, target: { type, id, version } }: SearchedProvenance) => {
  const target = { kind: 'reference', parameter: 'target', type } as const;
  const index: readonly IndexEntry[] = [
    { ...target, id },
    { ...target, id: `${id}/_history/${version}` },
  ];
  return { type: 'Provenance', id: provenanceId, patientId: null, index };
};
