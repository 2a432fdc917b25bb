import {
  type ClinicalRecords,
  type DirectoryResourceType,
  type DirectorySearchType,
  directoryResourceTypes,
  directorySearchTypes,
} from '@clinical-records/core';
import type { HostResources, HostSearch } from '@clinical-records/http-adapter';
import { demoResources } from '../demo/demo-resources.ts';
import { usCoreTypes, withAbsentElements } from './us-core.ts';

const isDirectoryType = (type: string): type is DirectoryResourceType =>
  directoryResourceTypes.some((known) => known === type);

/** The resources to which charts refer: those of the demo clinic, and for imported charts what the directory knows. */
export const createHostResources = (
  { directory, describe }: ClinicalRecords,
  { hasDemo, usCore }: { readonly hasDemo: boolean; readonly usCore: boolean },
): HostResources => {
  const read: HostResources['read'] = async (type, id, limit) => {
    const known = hasDemo ? demoResources.get(`${type}/${id}`) : undefined;
    if (known !== undefined || !isDirectoryType(type)) return known;
    const resource = await directory.readResource(type, id, limit);
    return usCore ? withAbsentElements(type, resource) : resource;
  };

  const described = describe().directory;

  /** The directory finds the people, who are shown as they are read. */
  const createSearch = (type: DirectorySearchType): HostSearch => ({
    parameters: described[type].parameters.flatMap(({ name, searchType, description }) =>
      searchType === null ? [] : [{ name, type: searchType, documentation: description }],
    ),
    find: async (conditions, { count, offset, within }) => {
      const page = [...conditions, ['_count', `${count}`], ['_offset', `${offset}`]] as const;
      const { total, entry = [] } = await directory.search(type, page, within && { within });
      const resources = await Promise.all(entry.map(async ({ resource: { id } }) => read(type, id, {})));
      return { total, resources: resources.filter((resource) => resource != null) };
    },
  });

  return {
    types: usCoreTypes,
    read,
    searches: Object.fromEntries(directorySearchTypes.map((type) => [type, createSearch(type)])),
  };
};
