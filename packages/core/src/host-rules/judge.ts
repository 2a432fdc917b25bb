import * as E from 'fp-ts/lib/Either.js';
import {
  type Issue,
  maxIssues,
  type Outcome,
  ruleFailure,
  ruleViolation,
  type StoreFailure,
  toClinicalError,
  uncheckedRule,
} from '../errors.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import type { ChangeCause, Judge, Verdict } from '../records/transact.ts';
import type { ClinicalStore, RecordChange } from '../store/port.ts';
import { recordKey } from '../store/record-key.ts';
import { isExpectedVersion } from '../store/versions.ts';
import { waitAtMost } from '../store/wait-at-most.ts';
import { type ChartReader, createChartReader, type TextOf } from './chart-reader.ts';
import {
  type CompleteRule,
  completeRules,
  type HostIssue,
  type HostRules,
  type RuleFailure,
} from './host-rule.ts';

/** The facts about a type on which its judgement depends. */
export type JudgedType = {
  readonly textOf: TextOf;
  readonly isInError: (resource: object) => boolean;
  /** Whether a change ends or withdraws something, and does no more. */
  readonly isEnd: (before: object | null, after: object) => boolean;
};

type JudgeSettings = {
  readonly rules: HostRules;
  readonly types: Readonly<Record<string, JudgedType>>;
  /** The code system of the names of the rules. */
  readonly system: string;
  /** Is called with each rule that fails. */
  readonly onFailure: (failure: RuleFailure) => void;
  /** Does work, in which the records refuse to write. */
  readonly withoutWrites: <A>(work: () => PromiseLike<A>) => Promise<A>;
};

/** A change, with the texts of its resource as they are read. */
type ReadChange = { readonly change: RecordChange; readonly before: string | null; readonly after: string };

const isIssue = (issue: Partial<HostIssue> | null): boolean =>
  typeof issue?.rule === 'string' &&
  issue.rule.trim() !== '' &&
  typeof issue.message === 'string' &&
  issue.message.trim() !== '' &&
  ['string', 'undefined'].includes(typeof issue.expression) &&
  ['error', 'warning', undefined].includes(issue.severity);

const requireIssues = (found: readonly HostIssue[]): readonly HostIssue[] => {
  if (Array.isArray(found) && found.every(isIssue)) return found;
  throw new TypeError('A rule must return an array of issues, each with a rule and a message: [] for none.');
};

/** Whether errors refuse a change: care must be able to stop, and what is wrong to be put right. */
const isRefusable = (
  { isInError, isEnd }: JudgedType,
  { before, after }: ReadChange,
  { cause, mayBlockEnd }: Pick<CompleteRule, 'mayBlockEnd'> & { readonly cause: ChangeCause },
): boolean => {
  if ((cause !== 'request' && cause !== 'import') || isInError(JSON.parse(after))) return false;
  return mayBlockEnd || !isEnd(before === null ? null : JSON.parse(before), JSON.parse(after));
};

/** The input of the judgement of one decision. */
type JudgeContext = {
  readonly cause: ChangeCause;
  readonly reader: ChartReader;
  readonly settings: JudgeSettings;
};

/** Asks a rule about a change. It gets objects of its own, so that it cannot change what the next one is asked about. */
const askRule = async (
  rule: CompleteRule,
  { change, before, after }: ReadChange,
  { cause, reader, settings }: JudgeContext,
): Promise<E.Either<StoreFailure, readonly HostIssue[]>> => {
  const { type, at } = change;
  const patientId = change.patientId as string;
  try {
    const found = await settings.withoutWrites(async () =>
      waitAtMost(
        `rules.${type}`,
        rule.check({
          before: before === null ? null : JSON.parse(before),
          after: JSON.parse(after),
          patientId,
          by: change.by as AuthorReference | null,
          at: new Date(at),
          cause,
          chart: reader.chartOf(patientId),
        }),
      ),
    );
    return E.right(requireIssues(found));
  } catch (thrown) {
    return E.left(ruleFailure(thrown));
  }
};

type Findings = { readonly errors: readonly Issue[]; readonly warnings: readonly Issue[] };

const noVerdict: Verdict = { warnings: [], changes: [], versionChecks: [] };

/** Asks all rules of a type about a change. */
const askRules = async (
  rules: readonly CompleteRule[],
  read: ReadChange,
  context: JudgeContext,
): Outcome<Findings> => {
  const { cause, reader, settings } = context;
  const errors: Issue[] = [];
  const warnings: Issue[] = [];
  for (const rule of rules) {
    const found = await askRule(rule, read, context);
    const failure = reader.failure();
    if (failure !== null) return E.left(failure);
    if (E.isRight(found) && found.right.length === 0) continue;
    const { mayBlockEnd, whenItFails } = rule;
    const judgedType = settings.types[read.change.type] as JudgedType;
    const canRefuse = isRefusable(judgedType, read, { cause, mayBlockEnd });
    if (E.isLeft(found)) {
      const { type: resourceType, id: resourceId, patientId } = read.change;
      const { cause: thrown } = found.left;
      settings.onFailure({ resourceType, resourceId, patientId: patientId as string, cause: thrown });
      if (canRefuse && whenItFails === 'refuse') return found;
      warnings.push(uncheckedRule);
      continue;
    }
    for (const { severity = 'error', rule: name, message, expression } of found.right) {
      const ofSeverity = severity === 'error' && canRefuse ? errors : warnings;
      const place = expression === undefined ? {} : { expression };
      ofSeverity.push({ rule: name, message, system: settings.system, ...place });
    }
  }
  return E.right({ errors, warnings });
};

/** Reads what a change changes. Null if nobody reads a difference, and `stale` if its record has changed since the decision. */
const readChange = async (
  store: ClinicalStore,
  change: RecordChange,
  { textOf }: JudgedType,
): Outcome<ReadChange | 'stale' | null> => {
  const { patientId, expects } = change;
  // The commit finds out whether a record is there that the decision did not find.
  const stored = expects._tag === 'Absent' ? E.right(null) : await store.read(change);
  if (E.isLeft(stored)) return E.left(toClinicalError(stored.left));
  if (!isExpectedVersion(expects, stored.right?.version ?? null)) return E.right('stale');
  const before = stored.right && textOf(stored.right);
  const after = textOf(change);
  return E.right(after === null || after === before || patientId === null ? null : { change, before, after });
};

/** Creates the judge of the host's rules. */
export const createJudge = (settings: JudgeSettings): Judge => {
  const { types } = settings;
  const rules = completeRules(settings.rules);
  const texts = Object.fromEntries(Object.entries(types).map(([type, { textOf }]) => [type, textOf]));

  return async (store, changes, cause): Outcome<Verdict | null> => {
    const judged = changes.filter(({ type }) => Object.hasOwn(rules, type));
    const [first] = judged;
    if (first === undefined) return E.right(noVerdict);
    const reader = createChartReader(store, texts);
    const errors: Issue[] = [];
    const warnings: Issue[] = [];
    for (const change of judged) {
      const { type } = change;
      const read = await readChange(store, change, types[type] as JudgedType);
      if (E.isLeft(read)) return read;
      if (read.right === 'stale') return E.right(null);
      if (read.right === null) continue;
      const found = await askRules(rules[type] ?? [], read.right, { cause, reader, settings });
      if (E.isLeft(found)) return found;
      errors.push(...found.right.errors);
      warnings.push(...found.right.warnings);
    }
    if (errors.length > 0) return E.left(ruleViolation(errors));
    const written = new Set(changes.map(recordKey));
    return E.right({
      warnings: warnings.slice(0, maxIssues),
      changes: reader.changes({ at: first.at, by: first.by as AuthorReference | null }),
      versionChecks: reader.versionChecks().filter((check) => !written.has(recordKey(check))),
    });
  };
};
