import * as E from 'fp-ts/lib/Either.js';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type ClinicalTask, forbidden } from '../errors.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { type ChartLimit, parseChartLimit } from '../records/chart-limit.ts';
import type { ReadVersions } from '../records/read-versions.ts';
import type { ResourceVersion } from '../records/resource-version.ts';
import { searchIssue } from '../search/issues.ts';
import { deriveProvenance } from './derive.ts';
import type { VersionName } from './provenance-id.ts';

/** How the versions of each type are read. */
export type VersionReaders = Readonly<Record<ResourceType, ReadVersions>>;

/** The Provenance of a version, and the version. */
export type VersionProvenance = ResourceVersion & { readonly target: VersionName };

/** Reads the Provenances of all versions of a resource that are within every limit, oldest first; empty if there is no such resource. */
export type ReadProvenances = (
  target: Pick<VersionName, 'type' | 'id'>,
  limits: readonly (ChartLimit | null)[],
) => ClinicalTask<readonly VersionProvenance[]>;

/** The error of a caller who may read a Provenance, but not the resource that it is about. */
const targetForbidden: ClinicalError = forbidden(searchIssue('target-forbidden'));

/** Whether a patient's chart is within every limit. */
const parseLimits = (limits: readonly (ChartLimit | null)[]) =>
  E.traverseArray((limit: ChartLimit | null) =>
    limit === null ? E.left(targetForbidden) : parseChartLimit(limit),
  )(limits);

/** Derives the Provenance of each version that could ever be read. Their texts are dropped, because they can be large. */
export const createReadProvenances =
  ({ usCore }: Pick<Environment, 'usCore'>, readVersions: VersionReaders): ReadProvenances =>
  ({ type, id }, limits) =>
  async () => {
    const parsed = parseLimits(limits);
    if (E.isLeft(parsed)) return parsed;
    const [limit] = limits;
    const versions = await readVersions[type](id, limit ?? {})();
    if (E.isLeft(versions)) return versions.left._tag === 'NotFound' ? E.right([]) : versions;
    const readable = versions.right.filter(
      ({ resource, patientId }) => resource !== null && parsed.right.every((isWithin) => isWithin(patientId)),
    );
    return E.right(
      readable.toReversed().map(({ version, at, by, patientId }, index): VersionProvenance => {
        const target = { type, id, version };
        const provenance = deriveProvenance(target, { at, by, isFirst: index === 0 }, usCore);
        const json = JSON.stringify(provenance);
        return { id: provenance.id, patientId, version: 1, lastModified: at, json, target };
      }),
    );
  };
