import * as E from 'fp-ts/lib/Either.js';
import type { WithWarnings } from '../access/warnings.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { MemberType } from '../directory/model.ts';
import type { Issue, Outcome } from '../errors.ts';
import type { Decision } from '../records/transact.ts';
import type { IdentifiedRecords } from './identified-records.ts';
import type { OtherVersion } from './other-formats.ts';
import type { UpdateMode } from './repeated-load.ts';

/**
 * Imports resources of one type: looks up what may take long, such as an answer of the host, and returns the decision. It is
 * built once, and keeps no store.
 */
export type ResourceImporter = (resource: unknown, context: ImportContext) => Outcome<ImportDecision>;

/** Decides what to write of a resource, by the current state of the store. */
export type ImportDecision = () => Outcome<Decision<ImportOutcome>>;

export type ImportOutcome = WithWarnings & {
  /**
   * The column of the report that counts the resource. A resource is `waiting` for others that it refers to, and is imported
   * again once these may be there. Null where no column counts it, and the issues say why.
   */
  readonly countedAs: 'imported' | 'updated' | 'unchanged' | 'waiting' | null;
  /** The issues of the parts of the resource that were not imported. */
  readonly issues: readonly Issue[];
  /** The issues of parts whose loss is an error, such as members of a care team. */
  readonly errors?: readonly Issue[] | undefined;
  /** The elements of a resource that cannot be read here, by their paths, each as often as it is lost. */
  readonly lostElements?: readonly string[];
  /** The elements of an updated resource that were there before. */
  readonly removedElements?: readonly string[];
  /** The member of care teams whose name may have changed. A new member is in no team yet. */
  readonly member?: { readonly type: MemberType; readonly id: string; readonly isNew: boolean };
};

export type ImportContext = {
  /** The directory on the store into which the resource is imported. */
  readonly directory: DirectoryRecords;
  /**
   * Whether no resource follows that might be one of those referred to. Only then is a resource imported without references
   * that are unknown.
   */
  readonly isLastPass: boolean;
  /** Whether a note that an immunization names, and the directory lacks, is created under its id. */
  readonly createNotes: boolean;
  /** The records that exist and that the load may change. */
  readonly updates: UpdateMode;
  /** The records that may have the business identifiers of the resources. */
  readonly identified: IdentifiedRecords;
};

/** How the resources of one type are imported. */
export type ImportDefinition = {
  readonly importResource: ResourceImporter;
  /** Whether they come after those of all other types. */
  readonly isLast?: boolean;
  /** Whether a record is known by a business identifier of a resource, too. */
  readonly isKnownByIdentifier?: boolean;
  /** Whether they wait for the encounter to which they refer. */
  readonly requiresEncounter?: boolean;
  /** The ids of the records that an import reads for a patient, of a type of which each patient has one. */
  readonly recordIds?: (patientId: string) => readonly string[];
};

/** The import of the resources of one type. */
export type TypeImport = ImportDefinition & {
  /** Whether each patient has one, under the id of the patient. */
  readonly isOnePerPatient?: boolean;
  /** The elements in which another system names practitioners and organizations. */
  readonly people: readonly string[];
  readonly otherVersions: readonly OtherVersion[];
};

/** The imports by the types of their resources. */
export type ImportDefinitions = ReadonlyMap<string, TypeImport>;

export const waitingDecision: Decision<ImportOutcome> = {
  changes: [],
  result: { countedAs: 'waiting', issues: [] },
};

/** Makes an importer of a decision that needs no lookup before it. */
export const createImporterFromDecision =
  (decide: (resource: unknown, context: ImportContext) => ReturnType<ImportDecision>): ResourceImporter =>
  async (resource, context) =>
    E.right(() => decide(resource, context));
