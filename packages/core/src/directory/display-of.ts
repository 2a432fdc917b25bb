import type { DirectoryEntry } from './model.ts';

/** The name under which a practitioner or an organization is shown in a resource. */
export const displayOf = (entry: DirectoryEntry['Practitioner' | 'Organization']): string =>
  'name' in entry ? entry.name : [entry.firstName, entry.lastName].filter((name) => name !== '').join(' ');
