import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { MemberType } from '../directory/model.ts';
import { type ClinicalError, type Outcome, storeFailure } from '../errors.ts';
import { callback, type Form, flag, oneOf } from '../forms.ts';
import type { FunctionTable } from '../open-service.ts';
import type { EithersOf } from '../outcome.ts';
import {
  type BatchImporter,
  createBatchBuffer,
  createBatchImporter,
  type ImportResult,
  type Pass,
  sortByImportOrder,
} from './batch-importer.ts';
import type { ImportDefinitions } from './import-definition.ts';
import {
  createReportBuilder,
  type ImportIssue,
  type ImportProgress,
  type ImportReport,
  type ReportBuilder,
} from './import-report.ts';
import { type ImportSource, importSource, isImportSource } from './import-source.ts';
import { findOtherVersion } from './other-formats.ts';
import { createPeopleOfLoad } from './people-of-load.ts';
import { type UpdateMode, updateModes } from './repeated-load.ts';
import type { UnpackedResource } from './unpacker.ts';

/** Imports the resources of another system. */
export type Importer<Rule extends string = string> = {
  /**
   * Imports resources of another system into the directory and the chart. It accepts FHIR resources and Bundles in any order,
   * as objects or as JSON text. A single text is one item, and `ndjson` makes items of bytes. Ids and dates stay the same, and
   * so do codes for which there is an element. A resource that cannot be imported is reported, and the load continues.
   * Loading the same resources again changes nothing, and those that their system has changed are updated.
   * Errors: `Misuse`, if what is passed is not iterable, or `resolve` returns something wrong; `StoreFailure`, if the store
   * fails, the source of the resources fails (`source-failed`), `resolve` cannot answer (`resolve-failed`), `onProgress` throws
   * (`on-progress-failed`) or `onIssue` throws (`on-issue-failed`). Resources that were imported before the failure stay.
   */
  readonly load: (resources: ImportSource, options?: ImportOptions<Rule>) => Promise<ImportReport<Rule>>;
};

/** The options of `importer.load`. */
export type ImportOptions<Rule extends string = string> = ImportCallbackOptions<Rule> & {
  /**
   * Whether a note that an immunization names is created under that id if the directory lacks it, as in an import of an
   * export of this library. Default: false, so that the note is left out and reported.
   */
  readonly createNotes?: boolean;
  /**
   * The goals, orders and immunizations that exist and may be updated. `newer`: those that only imports have written, if the
   * `meta.lastUpdated` that is sent is later than the imported one. `all`: also those without it, because this load is newer than the
   * earlier ones. `none`: nothing. Default: `newer`.
   */
  readonly updates?: UpdateMode;
};

type ImportCallbackOptions<Rule extends string> = {
  /** Called after each batch. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Called with each issue as it occurs; the report holds only the first thousand. */
  readonly onIssue?: (issue: ImportIssue<Rule>) => void;
};

/** The callbacks of one load, which do not throw. */
export type ImportCallbacks = Required<ImportCallbackOptions<string>> & {
  /** Returns the error of the callback that threw, if one has. */
  readonly checkFailure: () => E.Either<ClinicalError, void>;
};

/** Guards the callbacks of a load. If one throws, the load ends, and none is called again. */
const guardCallbacks = ({
  onProgress = () => {},
  onIssue = () => {},
}: ImportCallbackOptions<string>): ImportCallbacks => {
  let failure: ClinicalError | null = null;
  const guard =
    <A>(call: (value: A) => void, rule: 'on-progress-failed' | 'on-issue-failed') =>
    (value: A): void => {
      if (failure !== null) return;
      try {
        call(value);
      } catch (cause) {
        failure = storeFailure(rule, cause);
      }
    };
  return {
    onProgress: guard(onProgress, 'on-progress-failed'),
    onIssue: guard(onIssue, 'on-issue-failed'),
    checkFailure: () => (failure === null ? E.right(undefined) : E.left(failure)),
  };
};

/** Renames a member in all care teams. */
export type RenameMember = (type: MemberType, id: string) => Outcome<unknown>;

/** Carries the names of the members in a batch to the care teams. */
type MemberFollower = (batch: readonly ImportResult[]) => Promise<E.Either<ClinicalError, void>>;

/**
 * Carries the names of members to the care teams after each batch. A changed member is renamed in all teams. An unchanged one
 * is renamed once in a load, for an earlier load may have ended before it had renamed all. A new one is in no team.
 */
const createMemberFollower = (renameMember: RenameMember): MemberFollower => {
  const followed = new Set<string>();
  return async (batch) => {
    for (const [, result] of batch) {
      if (E.isLeft(result) || result.right.member === undefined) continue;
      const { countedAs, member } = result.right;
      const key = `${member.type}/${member.id}`;
      const isKnown = followed.has(key);
      followed.add(key);
      if (member.isNew || (isKnown && countedAs === 'unchanged')) continue;
      const renamed = await renameMember(member.type, member.id);
      if (E.isLeft(renamed)) return renamed;
    }
    return E.right(undefined);
  };
};

type LoadOutcome = Promise<E.Either<ClinicalError, void>>;

/** The batches of one load. Every pass adds its resources to them. */
export type LoadBatches = {
  /** Adds a resource, and imports the batch if it is full. */
  readonly add: (resource: UnpackedResource, pass: Pass) => LoadOutcome;
  /** Imports the last batch of a pass. */
  readonly importRest: (pass: Pass) => LoadOutcome;
  /** The resources that wait for others to which they refer. */
  readonly waiting: ReadonlySet<UnpackedResource>;
};

/** Creates the batches of a load. After each batch, the members in it are renamed and the progress is reported. */
const createLoadBatches = ({
  imports,
  importBatch,
  followMembers,
  report,
  callbacks,
}: {
  readonly imports: ImportDefinitions;
  readonly importBatch: BatchImporter;
  readonly followMembers: MemberFollower;
  readonly report: ReportBuilder;
  readonly callbacks: ImportCallbacks;
}): LoadBatches => {
  const buffer = createBatchBuffer<UnpackedResource>();
  const waiting = new Set<UnpackedResource>();

  const reportResult = ([resource, result]: ImportResult): void => {
    waiting.delete(resource);
    if (E.isLeft(result)) {
      const { type, content } = resource;
      report.addIssues(resource, 'rejected', [
        ...findOtherVersion(imports, type, content),
        ...result.left.issues,
      ]);
      return;
    }
    const {
      countedAs,
      issues,
      lostElements = [],
      removedElements = [],
      warnings = [],
      errors = [],
    } = result.right;
    if (countedAs === 'waiting') {
      waiting.add(resource);
      return;
    }
    if (countedAs !== null) report.count(countedAs, resource.type);
    const outcome = countedAs === 'updated' ? 'imported' : (countedAs ?? 'rejected');
    report.addIssues(resource, outcome, errors, 'error');
    report.addIssues(resource, outcome, [...issues, ...warnings]);
    report.countElements('lostElements', lostElements);
    report.countElements('removedElements', removedElements);
  };

  const importRest: LoadBatches['importRest'] = async (pass) => {
    const batch = buffer.take();
    if (batch.length === 0) return callbacks.checkFailure();
    const imported = await importBatch(batch, pass);
    if (E.isLeft(imported)) return imported;
    const { importResults, failure } = imported.right;
    for (const result of importResults) reportResult(result);
    const followed = await followMembers(importResults);
    if (E.isLeft(followed)) return followed;
    if (failure !== null) return E.left(failure);
    callbacks.onProgress(report.progress(waiting.size));
    return callbacks.checkFailure();
  };

  return {
    add: async (resource, pass) => (buffer.add(resource) ? importRest(pass) : E.right(undefined)),
    importRest,
    waiting,
  };
};

/**
 * The later passes of a load: imports the waiting resources again, as long as that helps. The last pass imports the
 * rest without references that are unknown.
 */
const importWaiting = async (
  imports: ImportDefinitions,
  { add, importRest, waiting }: LoadBatches,
): Promise<E.Either<ClinicalError, void>> => {
  for (let before = Number.POSITIVE_INFINITY; waiting.size > 0; ) {
    const pass = { isLastPass: waiting.size >= before };
    before = waiting.size;
    for (const resource of sortByImportOrder(imports, [...waiting])) {
      const added = await add(resource, pass);
      if (E.isLeft(added)) return added;
    }
    const imported = await importRest(pass);
    if (E.isLeft(imported)) return imported;
  }
  return E.right(undefined);
};

const importItems: Form = {
  is: isImportSource,
  must: 'an array, a stream or another iterable of resources, or a text. Put a single resource into an array',
};

export const importerFunctions: FunctionTable<Importer> = {
  load: {
    kind: 'write',
    takes: [importItems],
    options: { createNotes: flag, updates: oneOf(...updateModes), onProgress: callback, onIssue: callback },
  },
};

export const createImporter = (
  directory: DirectoryRecords,
  { imports, renameMember }: { readonly imports: ImportDefinitions; readonly renameMember: RenameMember },
): EithersOf<Importer> => {
  return {
    load: async (resources, options = {}) => {
      const callbacks = guardCallbacks(options);
      const report = createReportBuilder(callbacks.onIssue);
      const people = createPeopleOfLoad();
      const batches = createLoadBatches({
        imports,
        importBatch: createBatchImporter(directory, imports, { ...options, people }),
        followMembers: createMemberFollower(renameMember),
        report,
        callbacks,
      });
      const read = await importSource(resources, { imports, people, batches, report, callbacks });
      if (E.isLeft(read)) return read;
      const settled = await importWaiting(imports, batches);
      return E.isLeft(settled) ? settled : E.right(report.report());
    },
  };
};
