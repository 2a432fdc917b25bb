import type { ClinicalRecords, DirectoryResourceType } from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';
import type { HostResources } from '@clinical-records/http-adapter';
import { demoResources } from './demo/demo-resources.ts';
import { createPeopleIndex } from './people/people-index.ts';
import { createPeopleSearches } from './people/search-people.ts';
import { usCoreTypes, withAbsentElements } from './us-core.ts';

const isDirectoryType = (type: string): type is DirectoryResourceType =>
  ['Patient', 'Practitioner', 'Organization', 'Encounter'].includes(type);

/** The resources to which charts refer: those of the demo clinic, and for imported charts what the directory knows. */
export const createHostResources = (
  { directory }: ClinicalRecords,
  store: Pick<ClinicalStore, 'changesSince'>,
  { hasDemo, usCore }: { readonly hasDemo: boolean; readonly usCore: boolean },
): HostResources => {
  const read: HostResources['read'] = async (type, id, limit) => {
    const known = hasDemo ? demoResources.get(`${type}/${id}`) : undefined;
    if (known !== undefined || !isDirectoryType(type)) return known;
    const resource = await directory.readResource(type, id, limit);
    return usCore ? withAbsentElements(type, resource) : resource;
  };
  return { types: usCoreTypes, read, searches: createPeopleSearches(createPeopleIndex(store), read) };
};
