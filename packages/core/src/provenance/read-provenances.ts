import * as E from 'fp-ts/lib/Either.js';
import type { Environment } from '../environment.ts';
import { type ClinicalError, forbidden, type Outcome } from '../errors.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { type ChartLimit, parseChartLimit } from '../records/chart-limit.ts';
import { keepAuthorized, type PastVersion, type ReadVersions } from '../records/read-versions.ts';
import type { ResourceVersion } from '../records/resource-version.ts';
import { searchIssue } from '../search/issues.ts';
import { createDeriveProvenance } from './derive.ts';
import type { ProvenanceIds, VersionName } from './provenance-id.ts';

/** How the versions of each type are read. */
export type VersionReaders = Readonly<Record<ResourceType, ReadVersions>>;

/** The Provenance of a version, and the version. */
export type VersionProvenance = ResourceVersion & { readonly target: VersionName };

/**
 * Reads the Provenances of a version of a resource, or of all versions, oldest first; empty if there is no such resource. The
 * versions are read under the first limit, and are within the others, too. The others are asked about the Provenance.
 */
export type ReadProvenances = (
  target: Pick<VersionName, 'type' | 'id'> & Partial<VersionName>,
  limits: readonly (ChartLimit | null)[],
) => Outcome<readonly VersionProvenance[]>;

/** The error of a caller who may read a Provenance, but not the resource that it is about. */
const targetForbidden: ClinicalError = forbidden(searchIssue('target-forbidden'));

/** Whether a patient's chart is within every limit. */
const parseLimits = (limits: readonly (ChartLimit | null)[]) =>
  E.traverseArray((limit: ChartLimit | null) =>
    limit === null ? E.left(targetForbidden) : parseChartLimit(limit),
  )(limits);

/** Derives the Provenance of each version that could ever be read. Their texts are dropped, because they can be large. */
export const createReadProvenances = (
  { usCore }: Pick<Environment, 'usCore'>,
  { ids, readVersions }: { readonly ids: ProvenanceIds; readonly readVersions: VersionReaders },
): ReadProvenances => {
  const deriveProvenance = createDeriveProvenance(ids);
  return async ({ type, id, version: requested }, limits) => {
    const parsed = parseLimits(limits);
    if (E.isLeft(parsed)) return parsed;
    const [limit, ...otherLimits] = limits;
    const versions = await readVersions[type](id, limit ?? {});
    if (E.isLeft(versions)) return versions.left._tag === 'NotFound' ? E.right([]) : versions;
    let reached: readonly PastVersion[] = versions.right.filter(({ patientId }) =>
      parsed.right.every((isWithin) => isWithin(patientId)),
    );
    for (const other of otherLimits) {
      const { authorize } = other ?? {};
      if (authorize === undefined) continue;
      const named = requested === undefined ? null : ids.format({ type, id, version: requested });
      reached = await keepAuthorized(reached, { id: named, authorize });
    }
    // A record that is now in a chart out of reach does not exist, and neither do its versions from before.
    if (reached[0] !== versions.right[0]) return E.right([]);
    const readable = reached.filter(({ resource }) => resource !== null);
    const first = readable.at(-1);
    return E.right(
      readable.toReversed().flatMap((read): readonly VersionProvenance[] => {
        const { version, at, by, patientId } = read;
        if (requested !== undefined && version !== requested) return [];
        const target = { type, id: read.id, version };
        const provenance = deriveProvenance(target, { at, by, isFirst: read === first }, usCore);
        const json = JSON.stringify(provenance);
        return [{ id: provenance.id, patientId, version: 1, lastModified: at, json, target }];
      }),
    );
  };
};
