/**
 * The records for hosts that compose with fp-ts: the same functions, which return their errors and reject with none.
 * You need it if you prefer errors as values.
 *
 * @module @clinical-records/core/fp-ts
 */

import { left, right } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { AccessOptions } from './access/access.ts';
import type { ChartLimit, ReadOptions } from './access/chart-limit.ts';
import type { AnyClinicalRecords } from './clinical-records/clinical-records.ts';
import type { ClinicalError, Outcome } from './clinical-records/public-errors.ts';
import type { Directory } from './directory/directory.ts';
import type { DirectoryEntry, DirectoryInput, DirectoryType } from './directory/model.ts';
import type { DirectoryResource, DirectoryResourceType } from './directory/resources.ts';
import type { DirectoryJsonSearch, DirectorySearch, DirectorySearchType } from './directory/search.ts';
import type { Bundle } from './fhir/bundle.ts';
import { ClinicalRecordsError, eitherOf, mapRecords, type ServiceFunction } from './outcome.ts';
import type { SearchPairs, SearchSort } from './search/search-input.ts';

export type { Outcome } from './clinical-records/public-errors.ts';

/** The directory, whose functions return an `Outcome`. They are written out, because an inferred one loses its `Type`. */
type DirectoryEithers = {
  readonly put: <Type extends DirectoryType>(
    type: Type,
    input: DirectoryInput[Type],
  ) => Outcome<DirectoryEntry[Type]>;
  readonly read: <Type extends DirectoryType>(
    type: Type,
    id: string,
    options?: ChartLimit,
  ) => Outcome<DirectoryEntry[Type] | null>;
  readonly readResource: <Type extends DirectoryResourceType>(
    type: Type,
    id: string,
    options?: ChartLimit & AccessOptions,
  ) => Outcome<DirectoryResource[Type]>;
  readonly search: <Type extends DirectorySearchType>(
    type: Type,
    parameters: (DirectorySearch[Type] & SearchSort) | SearchPairs,
    options?: ReadOptions,
  ) => Outcome<Bundle<DirectoryResource[Type]>>;
  readonly asJson: {
    readonly search: <Type extends DirectorySearchType>(
      type: Type,
      parameters: DirectoryJsonSearch<Type> | SearchPairs,
      options?: ReadOptions,
    ) => Outcome<string>;
  };
};

/** The directory, whose functions return a task. */
type DirectoryTaskEithers = {
  readonly put: <Type extends DirectoryType>(
    type: Type,
    input: DirectoryInput[Type],
  ) => TaskEither<ClinicalError, DirectoryEntry[Type]>;
  readonly read: <Type extends DirectoryType>(
    type: Type,
    id: string,
    options?: ChartLimit,
  ) => TaskEither<ClinicalError, DirectoryEntry[Type] | null>;
  readonly readResource: <Type extends DirectoryResourceType>(
    type: Type,
    id: string,
    options?: ChartLimit & AccessOptions,
  ) => TaskEither<ClinicalError, DirectoryResource[Type]>;
  readonly search: <Type extends DirectorySearchType>(
    type: Type,
    parameters: (DirectorySearch[Type] & SearchSort) | SearchPairs,
    options?: ReadOptions,
  ) => TaskEither<ClinicalError, Bundle<DirectoryResource[Type]>>;
  readonly asJson: {
    readonly search: <Type extends DirectorySearchType>(
      type: Type,
      parameters: DirectoryJsonSearch<Type> | SearchPairs,
      options?: ReadOptions,
    ) => TaskEither<ClinicalError, string>;
  };
};

/** Services whose functions begin when they are called, and return an `Outcome`: a promise of an `Either`. */
export type Eithers<Services> = {
  readonly [Name in keyof Services]: Services[Name] extends Directory
    ? DirectoryEithers
    : Services[Name] extends (...sent: infer Sent) => Promise<infer A>
      ? (...sent: Sent) => Outcome<A>
      : Services[Name] extends ServiceFunction
        ? Services[Name]
        : Eithers<Services[Name]>;
};

/** Services whose functions return a `TaskEither`, which begins when it is run, and each time. */
export type TaskEithers<Services> = {
  readonly [Name in keyof Services]: Services[Name] extends Directory
    ? DirectoryTaskEithers
    : Services[Name] extends (...sent: infer Sent) => Promise<infer A>
      ? (...sent: Sent) => TaskEither<ClinicalError, A>
      : Services[Name] extends ServiceFunction
        ? Services[Name]
        : TaskEithers<Services[Name]>;
};

/** The functions that return records are left out: these are to be changed in their turn. */
const withoutRecords = ['in', 'transaction', 'dryRun', 'access'] as const;

type WithoutRecords<Services> = Omit<Services, (typeof withoutRecords)[number]>;

const toEither = (call: ServiceFunction): ServiceFunction => {
  const run = eitherOf(call);
  if (run !== undefined) return run ?? call;
  // A host may have put a function of its own in the place of one of ours.
  const toLeft = (thrown: unknown) => {
    if (thrown instanceof ClinicalRecordsError) return left(thrown.error);
    throw thrown;
  };
  return (...sent) => {
    const returned = call(...sent);
    return returned instanceof Promise ? returned.then(right, toLeft) : returned;
  };
};

/**
 * The same records or services, whose functions return promises of an `Either`. Iterations are as they were, and throw.
 *
 * @example
 * const team = await toEithers(records).careTeams.read('7');
 * if (E.isLeft(team)) console.error(team.left._tag);
 */
export const toEithers = <Services extends object>(services: Services): Eithers<WithoutRecords<Services>> =>
  mapRecords(services, withoutRecords, toEither) as Eithers<WithoutRecords<Services>>;

/**
 * The same records, whose functions return tasks. Iterations are as they were, and throw. For a transaction, change its
 * records: `toTaskEithers(records.in(tx))`.
 *
 * @example
 * const tasks = toTaskEithers(records);
 * const name = pipe(tasks.careTeams.read('7'), TE.map((team) => team.name)); // begins with name()
 */
export const toTaskEithers = <Records extends AnyClinicalRecords>(
  records: Records,
): TaskEithers<WithoutRecords<Records>> =>
  mapRecords(records, withoutRecords, (call, name) => {
    if (eitherOf(call) === null || name === 'describe') return call;
    const run = toEither(call);
    return (...sent: readonly never[]) =>
      () =>
        run(...sent);
  }) as TaskEithers<WithoutRecords<Records>>;
