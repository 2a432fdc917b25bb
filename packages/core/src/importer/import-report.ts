import { createIssueFactory, type Issue } from '../errors.ts';
import { isSameSystem } from '../fhir/coding.ts';
import { toFullPrecision } from '../fhir/date-time.ts';
import { Decimal, isObject, type JsonObject, ownProperty } from '../fhir/schema.ts';
import { elementsAt } from '../search/index-entries.ts';
import type { SourcePlace } from './unpacker.ts';

export const importIssues = {
  'invalid-json': 'Not valid JSON.',
  'other-version': 'This looks like a resource of another version of FHIR than R4.',
  bytes: 'Bytes were passed. Wrap the stream in ndjson().',
  'not-a-resource': 'Not a FHIR resource with a resourceType and an id.',
  'history-bundle': 'History Bundles cannot be imported. Send the current resources.',
  deleted: 'The source system has deleted the resource. An import deletes nothing.',
  'different-server':
    'The entry comes from a different server than earlier ones, so its ids may belong to other patients.',
  'entered-in-error-at-source':
    'The source system has marked the resource as entered in error. The import did not change it.',
  'changed-here':
    'The source system has changed the resource, and it was changed here, too. The import did not change it.',
  'undated-change':
    'The source system has changed the resource, and meta.lastUpdated does not say when. The import did not change it.',
  'entered-in-error-here':
    'The source system has changed the resource, which is entered in error here. The import did not change it.',
  'not-updated': 'The source system has changed the resource. This load does not update what exists.',
  'resource-of-another-patient': 'A resource of another patient already has this id.',
  'ambiguous-patient': 'More than one patient has the identifier by which the resource names its patient.',
  'identifier-of-another-patient': 'A resource of another patient already has this identifier.',
  'known-identifier':
    'The patient already has a resource with this identifier, so it was not imported again.',
  'shared-identifier':
    'The patient has another resource with this identifier, which is about another event. Both are imported.',
  'identifier-at-another-date':
    'The patient has the same vaccination with this identifier at another date. It may be a correction, or a second dose, so it was not imported.',
  'retracted-identifier':
    'The source system has marked the resource as entered in error. The patient has another one with this identifier, which is not.',
  'implausible-date': 'The date contradicts another date or the clock. It was imported anyway.',
  'no-importable-participant': 'No participant of the care team can be imported.',
  'invalid-utf-8': 'The text is not valid UTF-8.',
  'too-long': 'The text is too long.',
  'json-of-several-lines':
    'This is JSON over several lines, and not NDJSON, so nothing of the file was read. Name it .json, or write each resource on one line.',
  damaged: 'The compressed file is damaged here. The rest of it could not be read.',
} as const;

export type ImportRule = keyof typeof importIssues;

export const importIssue = createIssueFactory(importIssues);

/** The item of a load that a resource was in, counted from 1, and the place of the item in its source. */
export type ItemLocation = SourcePlace & { readonly item: number };

/** A resource of a load. An item that is not a resource has an empty type and id. */
type ImportedResource = { readonly type: string; readonly id: string; readonly location: ItemLocation };

/** An issue of a resource of a load, or of a part of it. */
export type ImportIssue<Rule extends string = string> = Issue<Rule> &
  ItemLocation & {
    /** The type of the resource; empty for an item that is not a resource. */
    readonly type: string;
    /** The id of the resource; empty for an item that is not a resource. */
    readonly id: string;
    /**
     * Whether the resource was imported, but for the part that is wrong; or was `unchanged`, because it existed before; or was
     * `rejected`, so that nothing of it was imported.
     */
    readonly outcome: 'imported' | 'unchanged' | 'rejected';
    /**
     * `error`: what the source says was not taken. `warning`: the resource was, but for a part, or with something to know, such as
     * that a patient has died.
     */
    readonly severity: 'error' | 'warning';
  };

/** How many resources of each type, or issues of each rule. */
export type ImportCounts = Readonly<Record<string, number>>;

/** How the resources of a load were imported. */
export type ImportReport<Rule extends string = string> = {
  /** New resources, and entries of the directory and care teams that have changed. */
  readonly imported: ImportCounts;
  /** Resources that existed before, and that the source has changed since. Each has a new version. */
  readonly updated: ImportCounts;
  /** Resources that existed before, and were not changed. */
  readonly unchanged: ImportCounts;
  /** Resources of types that cannot be imported. */
  readonly unsupported: ImportCounts;
  /**
   * How often an element of an imported or unchanged resource is not stored, or is read with another value. The names are paths
   * without indexes, such as `Goal.category`: a thousand at most.
   */
  readonly lostElements: ImportCounts;
  /** How often an element of an updated resource was there before, and is not any more. The names are as in `lostElements`. */
  readonly removedElements: ImportCounts;
  /** How many issues there were of each rule, without warnings. */
  readonly issuesByRule: ImportCounts;
  /** The first issues that are errors, a thousand at most. `onIssue` is called with each of them. */
  readonly issues: readonly ImportIssue<Rule>[];
  /** How many warnings there were of each rule. */
  readonly warningsByRule: ImportCounts;
  /** The first warnings, a thousand at most. `onIssue` is called with each of them, too. */
  readonly warnings: readonly ImportIssue<Rule>[];
};

/** The progress of a load, in numbers of resources. */
export type ImportProgress = {
  /** The resources read so far. */
  readonly read: number;
  /** Those that were imported or updated. */
  readonly imported: number;
  /** Those that wait for others to which they refer. They are imported once everything is read. */
  readonly waiting: number;
};

/** The rules of resources that exist, and that are not as their source says. */
const unchangedErrors: ReadonlySet<string> = new Set<ImportRule>([
  'entered-in-error-at-source',
  'entered-in-error-here',
  'changed-here',
  'undated-change',
]);

/** Whether an issue is about something that was not taken. */
const severityOf = (outcome: ImportIssue['outcome'], { rule }: Issue): ImportIssue['severity'] =>
  outcome === 'rejected' || unchangedErrors.has(rule) ? 'error' : 'warning';

/** How many issues, and how many warnings, a report holds: people read them, and they fit into memory. */
const maxReportedIssues = 1_000;

/** How many names of lost elements a report holds: a source can make up as many as it likes. */
const maxLostElements = 1_000;

const increase = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

const sortedCounts = (counts: ReadonlyMap<string, number>): ImportCounts =>
  Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));

/** Counts the resources of a load, and gathers their issues. */
export type ReportBuilder = {
  readonly count: (column: 'imported' | 'updated' | 'unchanged' | 'unsupported', type: string) => void;
  readonly addIssues: (
    resource: ImportedResource,
    outcome: ImportIssue['outcome'],
    issues: readonly Issue[],
    /** By default, that of the rule. */
    severity?: ImportIssue['severity'],
  ) => void;
  readonly countElements: (column: 'lostElements' | 'removedElements', elements: readonly string[]) => void;
  /** Counts a resource that was read, and returns how many were read so far. */
  readonly countRead: () => number;
  /** The progress so far, if some resources wait. */
  readonly progress: (waiting: number) => ImportProgress;
  readonly report: () => ImportReport;
};

export const createReportBuilder = (onIssue: (importIssue: ImportIssue) => void): ReportBuilder => {
  const columns = {
    imported: new Map<string, number>(),
    updated: new Map<string, number>(),
    unchanged: new Map<string, number>(),
    unsupported: new Map<string, number>(),
  };
  const found = {
    error: { byRule: new Map<string, number>(), first: [] as ImportIssue[] },
    warning: { byRule: new Map<string, number>(), first: [] as ImportIssue[] },
  };
  const elementColumns = {
    lostElements: new Map<string, number>(),
    removedElements: new Map<string, number>(),
  };
  let read = 0;
  return {
    count: (column, type) => increase(columns[column], type),
    addIssues: ({ type, id, location }, outcome, issues, given) => {
      for (const issue of issues) {
        const severity = given ?? severityOf(outcome, issue);
        const importIssue = { type, id, ...location, outcome, severity, ...issue };
        const { byRule, first } = found[severity];
        increase(byRule, issue.rule);
        if (first.length < maxReportedIssues) first.push(importIssue);
        onIssue(importIssue);
      }
    },
    countElements: (column, elements) => {
      const counts = elementColumns[column];
      for (const element of elements)
        if (counts.has(element) || counts.size < maxLostElements) increase(counts, element);
    },
    countRead: () => {
      read += 1;
      return read;
    },
    progress: (waiting) => ({
      read,
      imported: [...columns.imported.values(), ...columns.updated.values()].reduce(
        (sum, number) => sum + number,
        0,
      ),
      waiting,
    }),
    report: () => ({
      imported: Object.fromEntries(columns.imported),
      updated: Object.fromEntries(columns.updated),
      unchanged: Object.fromEntries(columns.unchanged),
      unsupported: Object.fromEntries(columns.unsupported),
      lostElements: sortedCounts(elementColumns.lostElements),
      removedElements: sortedCounts(elementColumns.removedElements),
      issuesByRule: Object.fromEntries(found.error.byRule),
      issues: found.error.first,
      warningsByRule: Object.fromEntries(found.warning.byRule),
      warnings: found.warning.first,
    }),
  };
};

/** Up to this length of an array, a value is also found at another index: others were left out, or are in another order. */
const maxSearched = 100;

const isValueStored = (value: unknown, values: readonly unknown[], index: number): boolean =>
  isStored(value, values[index]) ||
  (values.length <= maxSearched && values.some((stored) => isStored(value, stored)));

/** Whether a number is stored with its digits, or is a whole number, which is stored as such. */
const isNumberStored = (sent: Decimal, stored: unknown): boolean =>
  stored === Number(sent) || (stored as Partial<Decimal> | null)?.decimal === sent.decimal;

/** Whether a text is stored: as it is, a time with full precision, and a code system under its URL of R4. */
const isTextStored = (sent: string, stored: unknown): boolean =>
  typeof stored === 'string' && (toFullPrecision(sent) === stored || isSameSystem(sent, stored));

/** Whether a stored value has everything that was sent. */
export const isStored = (sent: unknown, stored: unknown): boolean => {
  if (sent === stored || sent === undefined) return true;
  // No recursion without a stored value: a sender may nest as deep as it likes.
  if (stored === undefined) return Array.isArray(sent) && sent.length === 0;
  if (Array.isArray(sent)) {
    const values: readonly unknown[] = Array.isArray(stored) ? stored : [];
    return sent.every((value, index) => isValueStored(value, values, index));
  }
  if (sent instanceof Decimal) return isNumberStored(sent, stored);
  if (!isObject(sent)) return typeof sent === 'string' && isTextStored(sent, stored);
  if (!isObject(stored)) return false;
  for (const name of Object.keys(sent)) if (!isStored(sent[name], ownProperty(stored, name))) return false;
  return true;
};

/** How many texts, numbers and flags of a sent value a stored one has in the same places. */
const countStored = (sent: unknown, stored: unknown): number => {
  if (typeof sent !== 'object' || sent === null) return isStored(sent, stored) ? 1 : 0;
  if (typeof stored !== 'object' || stored === null) return 0;
  return Object.entries(sent).reduce(
    (sum, [name, part]) => sum + countStored(part, ownProperty(stored as JsonObject, name)),
    0,
  );
};

/** The stored value that has most of a sent one; undefined if none has anything of it. */
const findClosest = (value: unknown, values: readonly unknown[], index: number): unknown => {
  let closest: unknown;
  let most = 0;
  for (const candidate of values.length <= maxSearched ? [values[index], ...values] : [values[index]]) {
    const count = countStored(value, candidate);
    if (count > most) [closest, most] = [candidate, count];
  }
  return closest;
};

const isElementName = (name: string): boolean => /^_?[A-Za-z]\w{0,63}$/.test(name);

const addLostElements = (sent: unknown, stored: unknown, element: string, lost: string[]): void => {
  if (Array.isArray(sent)) {
    const values: readonly unknown[] = Array.isArray(stored) ? stored : [];
    sent.forEach((value, index) => {
      if (isValueStored(value, values, index)) return;
      const closest = findClosest(value, values, index);
      if (closest === undefined) lost.push(element);
      else addLostElements(value, closest, element, lost);
    });
  } else if (isObject(sent) && isObject(stored)) {
    for (const name of Object.keys(sent)) {
      const part = ownProperty(stored, name);
      if (isStored(sent[name], part)) continue;
      const inner = isElementName(name) ? `${element}.${name}` : element;
      addLostElements(sent[name], part, inner, lost);
    }
  } else lost.push(element);
};

/**
 * The elements of a sent resource that a stored one lacks, or has with another value. Each is named by its path without indexes,
 * as often as it is lost.
 */
export const findLostElements = (sent: unknown, stored: unknown, type: string): readonly string[] => {
  const lost: string[] = [];
  addLostElements(sent, stored, type, lost);
  return lost;
};

/** The elements that one stored resource has, and a later one has not, named as lost ones are. */
export const findRemovedElements = (before: object, after: object, type: string): readonly string[] =>
  [...new Set(findLostElements(before, after, type))].filter(
    (path) => elementsAt(after, [path.split('.').slice(1)]).length === 0,
  );
