import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, createIssueFactory, type Issue, preconditionFailed } from '../errors.ts';
import { date, listOf, number, type OptionForms } from '../forms.ts';
import type { ResourceVersion } from './page.ts';

export const preconditionIssues = {
  'if-match': 'The resource has another version than If-Match expects.',
  'if-unmodified-since': 'The resource was modified after the date in If-Unmodified-Since.',
} as const;

const preconditionIssue = createIssueFactory(preconditionIssues);

/** The conditions of a write on the version that it replaces. */
export type Precondition = {
  /** The expected versions: the current version must be one of them. */
  readonly ifMatch?: readonly number[] | undefined;
  /** The resource must not have been modified after this, in whole seconds. An invalid Date always fails. */
  readonly ifUnmodifiedSince?: Date | undefined;
};

export const preconditionForms: OptionForms<Precondition> = {
  ifMatch: listOf(number),
  ifUnmodifiedSince: date,
};

const inSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

/** Checks a resource against a precondition. Source: docs/http-interface.md#headers; RFC 9110, 13.1. */
export const createPreconditionCheck = ({ ifMatch, ifUnmodifiedSince }: Precondition) => {
  const versions = ifMatch === undefined ? undefined : [...ifMatch];
  // For an invalid Date this is NaN, and no number is less than NaN.
  const latest =
    ifUnmodifiedSince === undefined ? Number.POSITIVE_INFINITY : inSeconds(ifUnmodifiedSince.getTime());
  return ({
    version,
    lastModified,
  }: Pick<ResourceVersion, 'version' | 'lastModified'>): E.Either<ClinicalError, void> => {
    const issues: readonly Issue[] = [
      ...(versions?.includes(version) === false ? [preconditionIssue('if-match')] : []),
      ...(inSeconds(lastModified) <= latest ? [] : [preconditionIssue('if-unmodified-since')]),
    ];
    return issues.length === 0 ? E.right(undefined) : E.left(preconditionFailed(issues));
  };
};
