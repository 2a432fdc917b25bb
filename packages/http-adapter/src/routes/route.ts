import type {
  ChartLimit,
  ClinicalError,
  ClinicalRecords,
  ConditionalOptions,
  Precondition,
  ReadOptions,
  ResourceVersion,
  TransactionRecords,
} from '@clinical-records/core';
import type {
  AccessOptions,
  Agent,
  ParameterDescription,
  PreferredHandling,
} from '@clinical-records/core/adapter';
import type { Eithers, Outcome } from '@clinical-records/core/fp-ts';
import {
  type CommandPathStep,
  type CorrectionKind,
  commandType,
  correctionType,
  type Interaction,
} from '../access/scopes.ts';

/** The records, whose functions return their errors; `dryRun` gets records whose functions reject with them. */
export type ServedRecords = Eithers<Omit<ClinicalRecords, 'in' | 'transaction' | 'dryRun' | 'access'>> &
  Pick<ClinicalRecords, 'dryRun'>;

/** The records on which a write is made, those of a dry run or others. */
export type WrittenRecords = Omit<Eithers<TransactionRecords>, 'write'>;

/** A request to the records, without HTTP. The options are apart, because a function refuses those that it does not have. */
export type RouteRequest = {
  /** The id in the path; empty if there is none. */
  readonly id: string;
  /** The version in the path; 0 if there is none. */
  readonly version: number;
  readonly parameters: Iterable<readonly [string, string]>;
  readonly body: unknown;
  readonly handling: PreferredHandling | undefined;
  readonly idempotencyKey: string | undefined;
  /** The options of a read of one resource. */
  readonly access: ChartLimit & AccessOptions;
  /** The options of a read of several resources, without the way from the path to the base URL. */
  readonly bundle: ReadOptions;
  /** The options of a write, with the condition that its route obeys. */
  readonly write: ChartLimit & AccessOptions & Precondition & ConditionalOptions;
  /** The software that sends it for its sender; undefined if there is none. */
  readonly agent: Agent | undefined;
};

/** The result of a route: a version of a resource; or a bundle, or a resource without versions, as JSON text. */
export type RouteResult = ResourceVersion | string;

/**
 * The level of a route's path within its type; `chart` is the type in the chart of a patient, such as `Patient/7/Goal`. Commands have
 * levels of their own: all, those of a resource, one, its steps, and a participant. So have corrections: their kinds, and those of a
 * resource or a patient.
 */
export type PathLevel =
  | ('type' | 'chart' | 'instance' | 'search' | 'history' | 'version' | 'everything')
  | ('commands' | 'commandsOf' | 'command' | 'participant' | CommandPathStep)
  | ('correctionsOf' | CorrectionKind);

/**
 * One endpoint: the function that serves it, and its input. Everything that serves or describes the interface reads
 * this table.
 */
export type Route = {
  readonly type: string;
  readonly level: PathLevel;
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly interaction: Interaction;
  /** The format of the body, or 'nothing'. */
  readonly bodyFormat: 'nothing' | 'json' | 'form';
  /** Whether the body can be left out. */
  readonly isBodyOptional?: true;
  /** The interactions that a body needs beside that of the route. */
  readonly furtherInteractions?: (body: unknown) => readonly Interaction[];
  /** The condition that a create obeys, if any. All other writes obey `If-Match`. */
  readonly createCondition?: 'If-None-Exist' | 'If-Match';
  /** Whether it only validates what the write at its path would write. Its own path is that path and `/$validate`. */
  readonly isValidation?: true;
  /** The errors that this route adds to those of every request. */
  readonly errorTags: readonly ClinicalError['_tag'][];
  /** The search parameters, if `records.describe()` does not describe them. */
  readonly parameters?: readonly ParameterDescription[];
  readonly run: (request: RouteRequest) => Outcome<RouteResult>;
  readonly readWritten?: (id: string, limit: ChartLimit) => Outcome<ResourceVersion>;
};

/** An endpoint of a type of FHIR. */
export type ResourceRoute = Route & {
  readonly interaction: Exclude<Interaction, CommandPathStep | CorrectionKind>;
};

/** Whether an endpoint is of a type of FHIR, and not of commands or corrections. */
export const isResourceRoute = (route: Route): route is ResourceRoute =>
  route.type !== commandType && route.type !== correctionType && route.level !== 'participant';

/** Whether a route creates a resource only if there is none yet, if its client asks for that. */
export const isConditionalCreate = ({ createCondition }: Pick<Route, 'createCondition'>): boolean =>
  createCondition === 'If-None-Exist';
