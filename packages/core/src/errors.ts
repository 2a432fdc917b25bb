import type { Either } from 'fp-ts/lib/Either.js';
import type { StoreError } from './store/store-error.ts';

/** One thing that is wrong. Neither `message` nor `expression` ever contains a value from a chart or a request. */
export type Issue<Rule extends string = string> = {
  /** The stable name of the broken rule, for programs. No two rules have the same name. Source: docs/errors.md. */
  readonly rule: Rule;
  /** The broken rule in a sentence, for people. */
  readonly message: string;
  /**
   * Where the issue is. It is the element in FHIRPath, such as `CareTeam.participant[1].role`, or `Command.patientId`
   * of a chart command. For a search parameter or an argument, it is its name, such as `patient` or `by`. Over HTTP,
   * that of a parameter is `http.patient`.
   */
  readonly expression?: string;
  /** The code system of the rule, if it is one of the host. */
  readonly system?: string;
};

/** The errors of `ClinicalError` with one tag. */
export type ClinicalErrorOf<Tag extends string, Rule extends string = string> = {
  /** The kind of error, for programs. Source: docs/errors.md. */
  readonly _tag: Tag;
  /** Everything that is wrong: one issue or more, at most a hundred. */
  readonly issues: readonly Issue<Rule>[];
};

/** Everything that can go wrong. An error has all issues that were found, and does not depend on HTTP. */
export type ClinicalError<Rule extends string = string> =
  | ClinicalErrorOf<'InvalidRequest', Rule>
  | ClinicalErrorOf<'Unauthenticated', Rule>
  | ClinicalErrorOf<'Forbidden', Rule>
  | (ClinicalErrorOf<'NotFound', Rule> & {
      readonly resourceType: string;
      readonly id: string;
    })
  | (ClinicalErrorOf<'NotSupported', Rule> & {
      /** Whether the operation could succeed with another body. */
      readonly dependsOnBody: boolean;
    })
  | ClinicalErrorOf<'PreconditionFailed', Rule>
  | ClinicalErrorOf<'RuleViolation', Rule>
  | ClinicalErrorOf<'TooCostly', Rule>
  | (ClinicalErrorOf<'StoreFailure', Rule> & {
      /** The error of the store or of the host, for a log. */
      readonly cause: Error;
      /** Set if it is not known whether a change was written. Otherwise nothing was. */
      readonly isOutcomeUnknown?: true;
      /** Set if a rule of the host failed. Changes that it does not judge are possible. */
      readonly isOfRule?: true;
    })
  | (ClinicalErrorOf<'Misuse', Rule> & {
      /** An error with the message of the issue, for a log. */
      readonly cause: Error;
    });

type Failure<Rule extends string = string> = Extract<ClinicalError<Rule>, { readonly cause: Error }>;
export type StoreFailure = Extract<ClinicalError, { readonly _tag: 'StoreFailure' }>;

/** Whether an error is the fault of neither the request nor the chart: the next request would meet it, too. */
export const isFailure = <Rule extends string>(error: ClinicalError<Rule>): error is Failure<Rule> =>
  'cause' in error;

/** How an operation ends that has begun. Within the library, each returns its error, and none rejects with it. */
export type Outcome<A> = Promise<Either<ClinicalError, A>>;

/** The message of an issue, with the element before it. */
export const formatIssue = ({ message, expression }: Issue): string =>
  expression === undefined ? message : `${expression}: ${message}`;

/** The most characters of the allowed values that a message lists. */
const maxAllowed = 300;

/** The sentence that lists allowed values. Those beyond a certain length are left out. */
const formatAllowed = (values: readonly string[]): string => {
  let length = 0;
  const listed = values.filter((value, index) => {
    length += value.length + 2;
    return index === 0 || length <= maxAllowed;
  });
  if (listed.length === 0) return 'Allowed: none.';
  return `Allowed: ${listed.join(', ')}${listed.length < values.length ? ', …' : '.'}`;
};

/**
 * Returns a function that creates issues from a catalogue of rules and their messages. If it is given what is `allowed`,
 * the message lists it.
 */
export const createIssueFactory =
  <Rule extends string>(catalogue: Readonly<Record<Rule, string>>) =>
  (rule: Rule, expression?: string, allowed?: readonly string[]): Issue<Rule> => ({
    rule,
    message: allowed === undefined ? catalogue[rule] : `${catalogue[rule]} ${formatAllowed(allowed)}`,
    ...(expression !== undefined && { expression }),
  });

type IssuesOnlyTag = Exclude<ClinicalError['_tag'], 'NotFound' | 'NotSupported' | Failure['_tag']>;

/** The most issues that one error has. A request with more issues is not what its sender intended. */
export const maxIssues = 100;

const createErrorFactory =
  <Tag extends IssuesOnlyTag>(_tag: Tag) =>
  <Rule extends string>(issues: Issue<Rule> | readonly Issue<Rule>[]): ClinicalErrorOf<Tag, Rule> => ({
    _tag,
    issues: [issues].flat().slice(0, maxIssues),
  });

export const invalidRequest = createErrorFactory('InvalidRequest');
export const forbidden = createErrorFactory('Forbidden');
export const preconditionFailed = createErrorFactory('PreconditionFailed');
export const ruleViolation = createErrorFactory('RuleViolation');
export const tooCostly = createErrorFactory('TooCostly');

/** Moves an issue to another element, if it has one. */
export const relocateIssue =
  (elementOf: (expression: string) => string) =>
  (issue: Issue): Issue =>
    issue.expression === undefined ? issue : { ...issue, expression: elementOf(issue.expression) };

/**
 * Moves the issues of an error to the elements that the caller sent, from those that were derived from them. The rules of the host name
 * elements of resources.
 */
export const relocateIssues =
  (
    elementOf: (expression: string) => string,
    hostElementOf: (expression: string) => string = (element) => element,
  ) =>
  (error: ClinicalError): ClinicalError => ({
    ...error,
    issues: error.issues.map((issue) =>
      relocateIssue(issue.system === undefined ? elementOf : hostElementOf)(issue),
    ),
  });

export const generalIssues = {
  'not-found': 'There is no such record.',
  'argument-id': 'The id must be a string, such as "7".',
  'other-chart': 'The caller may not reach the chart of this patient.',
  'out-of-reach': 'The caller may not write such a resource.',
  erased: 'The record was erased, and its id cannot be used again.',
  'unknown-position':
    'No commit has this position. It is of another store, or was lost when a backup was restored.',
  'store-unavailable': 'The records cannot be reached at the moment. Nothing was changed.',
  'store-closed': 'The store, or its database, was closed before. Nothing was changed.',
  'store-not-writable': 'The records can be read, but not changed at the moment. Nothing was changed.',
  'store-locked': 'Other work keeps the records locked. Nothing was changed. Try again later.',
  misuse: 'The records are used in a way that cannot work. Nothing was changed.',
  'outcome-unknown':
    'It is not known whether the change was written: read the record, or retry with the same idempotency key.',
  'unrecorded-access': 'The access could not be recorded, so nothing is shown. Try again later.',
  'unrecorded-write':
    'The access could not be recorded. The change may be written: read the record, or retry with the same idempotency key.',
  'authorize-timeout':
    'Whether the caller may do this was not decided in time. Nothing was shown or changed. Try again later.',
  'resolve-failed': 'A referenced record could not be looked up. Nothing was changed.',
  'rule-failed': 'A rule of the host could not be checked. Nothing was changed.',
  'unchecked-rule': 'A rule of the host could not be checked. The change was written all the same.',
  'source-failed': 'The source of the resources failed. Everything imported before is kept.',
  'on-progress-failed': '`onProgress` threw an error. Everything imported before is kept.',
  'on-issue-failed': '`onIssue` threw an error. Everything imported before is kept.',
  'too-many-searches': 'Too many broad searches are running. Try again in a moment.',
  'outdated-index':
    'The search index has to be updated before this parameter can be used. The host does so with `records.reindex()`.',
  'too-contended': 'Other writes kept changing the record. Nothing was changed.',
  'damaged-store': 'The store is damaged: a record cannot be found under its id. Nothing was changed.',
} as const;

export type GeneralRule = keyof typeof generalIssues;

/** An error that any function can end with. */
export type GeneralError = ClinicalError<GeneralRule>;

const generalIssue = createIssueFactory(generalIssues);

const createNotSupportedFactory =
  (dependsOnBody: boolean) =>
  (issue: Issue): ClinicalError => ({ _tag: 'NotSupported', issues: [issue], dependsOnBody });

/** The error of an operation that is not supported, whatever its body is. */
export const notSupported = createNotSupportedFactory(false);

export const bodyNotSupported = createNotSupportedFactory(true);

/** The error of an id that plain JavaScript left out, or that is a number. */
export const idError: GeneralError = invalidRequest(generalIssue('argument-id', 'id'));

/**
 * The error for a resource that does not exist, or that the caller may not see. An id that plain JavaScript left out, or that is
 * a number, is an `InvalidRequest`.
 */
export const notFound = (resourceType: string, id: string): GeneralError =>
  typeof id === 'string'
    ? { _tag: 'NotFound', issues: [generalIssue('not-found')], resourceType, id }
    : idError;

/** The error for a resource in another chart than that of the caller. */
export const otherChartError: GeneralError = forbidden(generalIssue('other-chart'));

/** The error for a resource that its sender may not create, because it is out of reach. */
export const outOfReachError: GeneralError = forbidden(generalIssue('out-of-reach'));

/** The error of a write that would bring an erased record back. */
export const erasedError: GeneralError = ruleViolation(generalIssue('erased'));

export const unknownPosition: GeneralError = invalidRequest(generalIssue('unknown-position', 'since'));

export const storeFailure = (
  rule: Exclude<
    GeneralRule,
    'not-found' | 'argument-id' | 'other-chart' | 'out-of-reach' | 'erased' | 'unknown-position' | 'misuse'
  >,
  cause: unknown,
): GeneralError => ({
  _tag: 'StoreFailure',
  issues: [generalIssue(rule)],
  // The log of a host gets an Error with a message, whatever was thrown.
  cause: cause instanceof Error ? cause : new Error(generalIssues[rule], { cause }),
  ...(rule === 'outcome-unknown' && { isOutcomeUnknown: true }),
});

/** The warning of a change that was written though one of its rules could not be checked. */
export const uncheckedRule: Issue = generalIssue('unchecked-rule');

/** The error of a change whose rules could not be checked, because one threw or took too long. */
export const ruleFailure = (cause: unknown): StoreFailure => ({
  ...(storeFailure('rule-failed', cause) as StoreFailure),
  isOfRule: true,
});

/** The error of a host that has to change its program. The sentence says how. */
export const misuse = (sentence: string): GeneralError => {
  const message = `${generalIssues.misuse} ${sentence}`;
  return { _tag: 'Misuse', issues: [{ rule: 'misuse', message }], cause: new Error(message) };
};

const failureRules: Partial<
  Record<
    StoreError['_tag'],
    'store-closed' | 'store-not-writable' | 'store-locked' | 'outcome-unknown' | 'outdated-index'
  >
> = {
  Closed: 'store-closed',
  OutdatedIndex: 'outdated-index',
  NotWritable: 'store-not-writable',
  Locked: 'store-locked',
  OutcomeUnknown: 'outcome-unknown',
};

/** Turns the error of a store into a `StoreFailure` or a `Misuse`. A conflict must be handled before. */
export const toClinicalError = (error: StoreError): GeneralError =>
  error._tag === 'Misuse'
    ? misuse(error.message)
    : storeFailure(
        failureRules[error._tag] ?? 'store-unavailable',
        'message' in error ? new Error(error.message, { cause: error.cause }) : error,
      );
