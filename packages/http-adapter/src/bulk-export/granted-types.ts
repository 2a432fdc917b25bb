import type { ChartLimit } from '@clinical-records/core';
import { directoryResourceTypes } from '@clinical-records/core/adapter';
import * as E from 'fp-ts/lib/Either.js';
import {
  exportLimitFor,
  exportScopeFor,
  isSameLimit,
  type MatchingIssues,
  type Principal,
} from '../access/scopes.ts';
import { type HttpError, insufficientScope } from '../errors.ts';
import type { FileType } from './parse-export.ts';
import type { GrantedRequest } from './write-files.ts';

/** The types of resources that are exported. */
export type ExportTypes = {
  /** Those of the records, which have Provenances. */
  readonly resourceTypes: readonly string[];
  /** Those of the host that are parts of charts. */
  readonly hostTypes: readonly string[];
};

/** The types of files that an export of these types of resources can have. */
export const fileTypesOf = ({ resourceTypes, hostTypes }: ExportTypes): readonly FileType[] => [
  ...directoryResourceTypes,
  ...resourceTypes,
  'Provenance',
  ...hostTypes,
];

/** The error of types whose export the scopes do not allow. */
const notGranted = (types: readonly FileType[], needs?: 'all'): HttpError =>
  insufficientScope(types.map(exportScopeFor), needs);

/** The limits of the types whose export the scopes allow. */
const grantedLimits = (
  principal: Principal,
  types: readonly FileType[],
  issuesOf: MatchingIssues,
): GrantedRequest['limits'] =>
  new Map(
    types.flatMap((type) => {
      const limit = exportLimitFor(principal, type, issuesOf);
      return limit === null ? [] : [[type, limit] as const];
    }),
  );

/** The requested types, all of which the scopes must allow; if none is requested, those that the scopes allow. */
export const grantTypes = (
  requested: readonly FileType[] | null,
  principal: Principal,
  exportTypes: ExportTypes,
  issuesOf: MatchingIssues,
): E.Either<HttpError, Pick<GrantedRequest, 'types' | 'provenanceOf' | 'membersOf' | 'limits'>> => {
  const { resourceTypes } = exportTypes;
  const fileTypes = fileTypesOf(exportTypes);
  const limits = grantedLimits(principal, fileTypes, issuesOf);
  const types = requested ?? [...limits.keys()];
  if (types.length === 0) return E.left(notGranted(fileTypes));
  const isGranted = (type: FileType): boolean => limits.has(type);
  const missing = types.filter((type) => !isGranted(type));
  if (missing.length > 0) return E.left(notGranted(missing, 'all'));
  return E.right({
    types,
    provenanceOf: types.includes('Provenance') ? resourceTypes.filter(isGranted) : [],
    // The names in a chart say something about its patient.
    membersOf: [...directoryResourceTypes, ...resourceTypes].filter(isGranted),
    limits,
  });
};

/** Whether a limit of now lets everything through that the limit of an export did. */
const coversLimit = (now: ChartLimit | null, then: ChartLimit = {}): boolean =>
  now !== null && (!('matching' in now) || isSameLimit(now, then));

/** The error of a client whose scopes do not allow any more what was exported; null if they do. */
export const lostTypes = (
  principal: Principal,
  { types, limits }: Pick<GrantedRequest, 'types' | 'limits'>,
  issuesOf: MatchingIssues,
): HttpError | null => {
  const missing = types.filter(
    (type) => !coversLimit(exportLimitFor(principal, type, issuesOf), limits.get(type)),
  );
  return missing.length === 0 ? null : notGranted(missing, 'all');
};
