import type { Either } from 'fp-ts/lib/Either.js';
import type { careTeamIssues } from '../care-team/rules.ts';
import type { chartIssues } from '../chart/command.ts';
import type { copyIssues } from '../copy/copy-to.ts';
import type { correctionIssues } from '../corrections/correction.ts';
import type { directoryIssues } from '../directory/model.ts';
import type * as errors from '../errors.ts';
import type { generalIssues } from '../errors.ts';
import type { bodyIssues, sourceIssues } from '../fhir/issues.ts';
import type { goalIssues } from '../goal/rules.ts';
import type { hostTypeIssues } from '../host-type/rules.ts';
import type { immunizationIssues } from '../immunization/rules.ts';
import type * as report from '../importer/import-report.ts';
import type { importIssues } from '../importer/import-report.ts';
import type * as importer from '../importer/importer.ts';
import { ClinicalRecordsError as RecordsError } from '../outcome.ts';
import type { idempotencyIssues } from '../records/idempotency.ts';
import type { preconditionIssues } from '../records/transact.ts';
import type { searchIssues } from '../search/issues.ts';
import type { serviceRequestIssues } from '../service-request/rules.ts';
import type { StoreError } from '../store/store-error.ts';

// A layer below knows only the rules of its own folder and of those below it. A host knows all of them by name.

/** The stable name of each rule that an issue can be about. Source: docs/errors.md, with what to do about each. */
export type IssueRule =
  | keyof typeof generalIssues
  | keyof typeof bodyIssues
  | keyof typeof sourceIssues
  | keyof typeof searchIssues
  | keyof typeof preconditionIssues
  | keyof typeof idempotencyIssues
  | keyof typeof directoryIssues
  | keyof typeof chartIssues
  | keyof typeof goalIssues
  | keyof typeof serviceRequestIssues
  | keyof typeof immunizationIssues
  | keyof typeof careTeamIssues
  | keyof typeof hostTypeIssues
  | keyof typeof importIssues
  | keyof typeof copyIssues
  | keyof typeof correctionIssues;

/** The same, and the names of the host's own rules, which are told apart by their `system`. */
type AnyRule = IssueRule | (string & {});

/** One thing that is wrong. Neither `message` nor `expression` ever contains a value from a chart or a request. */
export interface Issue<Rule extends string = AnyRule> extends errors.Issue<Rule> {}

/** The errors of `ClinicalError` with one tag. */
export interface ClinicalErrorOf<Tag extends string> extends errors.ClinicalErrorOf<Tag, AnyRule> {}

/**
 * Everything that can go wrong. An error has all issues that were found, and does not depend on HTTP. Its `_tag` says which other
 * properties it has. Source: docs/errors.md.
 */
export type ClinicalError = errors.ClinicalError<AnyRule>;

/** How an operation ends that has begun. */
export type Outcome<A> = Promise<Either<ClinicalError, A>>;

/** The error that every awaited function of the library rejects with. */
export interface ClinicalRecordsError extends RecordsError<AnyRule> {}

/**
 * The error that every awaited function of the library rejects with. Its `message` is fit for a log. It has the tag,
 * the type and id of a resource that was not found, and each issue with its expression and message.
 *
 * @example
 * try {
 *   await records.careTeams.read('7');
 * } catch (thrown) {
 *   if (thrown instanceof ClinicalRecordsError && thrown.tag === 'NotFound') return null;
 *   throw thrown;
 * }
 */
export const ClinicalRecordsError: new (failure: ClinicalError | StoreError) => ClinicalRecordsError =
  RecordsError;

/** An issue of a resource of a load, or of a part of it. */
export interface ImportIssue extends report.ImportIssue<AnyRule> {}

/** How the resources of a load were imported. */
export interface ImportReport extends report.ImportReport<AnyRule> {}

/** The options of `importer.load`. */
export interface ImportOptions extends importer.ImportOptions<AnyRule> {}

/** Imports the resources of another system. */
export interface Importer extends importer.Importer<AnyRule> {}
