import * as E from 'fp-ts/lib/Either.js';
import type { ResourceType } from '../fhir/resource-type.ts';
import type { Include, IncludeTable } from '../records/include.ts';
import { lookUpInGroups } from '../records/look-up-in-groups.ts';
import type { VersionName } from './provenance-id.ts';
import type { ReadProvenances } from './read-provenances.ts';

/** The includes that every search has. Source: US Core, us-core-server. */
export const revIncludes = ['Provenance:target'] as const;

/** Finds the Provenance of each match: that of the version on the page. A team that is not stored yet has no version. */
const createInclude = (read: ReadProvenances, type: ResourceType): Include => ({
  types: ['Provenance'],
  find: async (matches, reach) => {
    const stored = matches.flatMap(({ id, version }) => (version === null ? [] : [{ type, id, version }]));
    const found = await lookUpInGroups((target: VersionName) =>
      read(target, [reach(type), reach('Provenance')]),
    )(stored);
    if (E.isLeft(found)) return found;
    return E.right(
      found.right.flat().map(({ id, json, patientId }) => ({ type: 'Provenance', id, json, patientId })),
    );
  },
});

/** The includes of the searches for a type. */
export const createIncludes = (read: ReadProvenances, type: ResourceType): IncludeTable => ({
  _revinclude: Object.fromEntries(revIncludes.map((name) => [name, createInclude(read, type)])),
});
