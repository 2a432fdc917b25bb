import type { AnyClinicalRecords } from '@clinical-records/core';
import {
  type DirectoryResourceType,
  directoryResourceTypes,
  directorySearchTypes,
} from '@clinical-records/core/adapter';
import type { HostResources } from '@clinical-records/http-adapter';
import { demoResources } from '../demo/demo-resources.ts';
import { usCoreTypes, withAbsentElements } from './us-core.ts';

const isDirectoryType = (type: string): type is DirectoryResourceType =>
  directoryResourceTypes.some((known) => known === type);

/** The resources to which charts refer: those of the demo clinic, and for imported charts what the directory knows. */
export const createHostResources = (
  { directory }: AnyClinicalRecords,
  { hasDemo, usCore }: { readonly hasDemo: boolean; readonly usCore: boolean },
): HostResources => {
  const read: HostResources['read'] = async (type, id, limit) => {
    const known = hasDemo ? demoResources.get(`${type}/${id}`) : undefined;
    if (known !== undefined || !isDirectoryType(type)) return known;
    const resource = await directory.readResource(type, id, limit);
    return usCore ? withAbsentElements(type, resource) : resource;
  };

  return {
    types: usCoreTypes,
    read,
    // The directory finds the people, who are shown as they are read.
    searches: Object.fromEntries(directorySearchTypes.map((type) => [type, 'directory'])),
  };
};
