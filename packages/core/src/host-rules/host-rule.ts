import type { AuthorReference } from '../fhir/reference.ts';
import type { ChangeCause } from '../records/transact.ts';

/** An issue that a rule of the host finds. */
export type HostIssue = {
  /** The host's own name of the rule, such as `acme-interval`. */
  readonly rule: string;
  /** The broken rule in a sentence, for people. It may be stored, so it should not say anything about the patient. */
  readonly message: string;
  /** The element of the resource in FHIRPath, such as `Immunization.occurrenceDateTime`. */
  readonly expression?: string;
  /** With an `error`, nothing is written. With a `warning`, it is written, and the caller is told. Default: `error`. */
  readonly severity?: 'error' | 'warning';
};

/** Reads the chart of a patient, with what the same import or transaction has written. */
export type RuleChart<Resources = Readonly<Record<string, object>>> = {
  /** The resource with an id; null if the chart does not have it. */
  readonly read: <Type extends keyof Resources>(type: Type, id: string) => Promise<Resources[Type] | null>;
  /** All resources of a type, oldest first. They are frozen. A rule that calls it orders the writers of the chart. */
  readonly all: <Type extends keyof Resources>(type: Type) => Promise<readonly Resources[Type][]>;
};

/** A change that a rule is asked about. */
export type JudgedChange<Resource = object, Chart = RuleChart> = {
  /** The resource as it is read before the change; null if there is none to read. */
  readonly before: Resource | null;
  /** The resource as it will be read. It has no `meta.versionId` yet. */
  readonly after: Resource;
  /** The patient to whose chart it belongs after the change. */
  readonly patientId: string;
  /** The author of the change; null if nobody was named. */
  readonly by: AuthorReference | null;
  /** The time of the change. */
  readonly at: Date;
  /** Why it changes. */
  readonly cause: ChangeCause;
  /** Reads the chart before the change. If what it has shown changes before the commit, the rule is asked again. */
  readonly chart: Chart;
};

/** Finds the issues of a change; none if it keeps the rule. */
export type RuleCheck<Resource = object, Chart = RuleChart> = (
  change: JudgedChange<Resource, Chart>,
) => readonly HostIssue[] | PromiseLike<readonly HostIssue[]>;

/** A rule of the host: a function, or a function and what it may do. */
export type HostRule<Resource = object, Chart = RuleChart> =
  | RuleCheck<Resource, Chart>
  | {
      /** Finds the issues of a change. */
      readonly check: RuleCheck<Resource, Chart>;
      /**
       * `refuse`: nothing is written if the function throws, or takes longer than 10 seconds. `warn`: it is written, with a warning.
       * Default: `refuse`.
       */
      readonly whenItFails?: 'refuse' | 'warn';
      /** Whether its errors also refuse what ends care, such as a goal that is closed. Default: false, so that they are warnings. */
      readonly mayBlockEnd?: boolean;
    };

/** A rule that threw, took too long, or returned something else than issues. */
export type RuleFailure = {
  /** The type of the resource that it was asked about. */
  readonly resourceType: string;
  /** The id of the resource. */
  readonly resourceId: string;
  /** The patient to whose chart the resource belongs. */
  readonly patientId: string;
  /** The error that it threw, or one that says what is wrong with it. */
  readonly cause: Error;
};

/** A rule with all of its settings. */
export type CompleteRule = Required<Exclude<HostRule, RuleCheck>>;

/** The rules of the host by the types of resources that they judge, as they are passed. */
export type HostRules = Readonly<Record<string, HostRule | readonly HostRule[] | undefined>>;

const completeRule = (rule: HostRule): CompleteRule => ({
  whenItFails: 'refuse',
  mayBlockEnd: false,
  ...(typeof rule === 'function' ? { check: rule } : rule),
});

/** The rules of each type that has any. */
export const completeRules = (rules: HostRules): Readonly<Record<string, readonly CompleteRule[]>> =>
  Object.fromEntries(
    Object.entries(rules).map(([type, rule]) => [type, [rule ?? []].flat().map(completeRule)]),
  );

const isRule = (rule: unknown): boolean => {
  if (typeof rule === 'function') return true;
  if (typeof rule !== 'object' || rule === null) return false;
  const { check, whenItFails = 'warn', mayBlockEnd = false, ...rest } = rule as Partial<CompleteRule>;
  return (
    typeof check === 'function' &&
    ['refuse', 'warn'].includes(whenItFails) &&
    typeof mayBlockEnd === 'boolean' &&
    Object.keys(rest).length === 0
  );
};

/** Whether a value has rules by the names of types. */
export const areRules = (rules: unknown): boolean =>
  typeof rules === 'object' &&
  rules !== null &&
  Object.values(rules).every((rule) => rule === undefined || [rule].flat().every(isRule));
