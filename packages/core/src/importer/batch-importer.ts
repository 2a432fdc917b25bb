import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { directoryTypes } from '../directory/model.ts';
import { type ClinicalError, isFailure, type Outcome, toClinicalError } from '../errors.ts';
import { isObject } from '../fhir/schema.ts';
import { businessIdentifiers, readSourceId } from '../fhir/source-resource.ts';
import { type BufferedStore, createBufferedStore } from '../records/buffered-store.ts';
import { chartIdentifiersRef } from '../records/idempotency.ts';
import { recordExists, transact } from '../records/transact.ts';
import type { ClinicalStore, RecordRef } from '../store/port.ts';
import { findIdentifiedRecords, type IdentifiedRecords, noIdentifiedRecords } from './identified-records.ts';
import {
  type ImportContext,
  type ImportDecision,
  type ImportDefinition,
  type ImportDefinitions,
  type ImportOutcome,
  type TypeImport,
  waitingDecision,
} from './import-definition.ts';
import { resolvePatient } from './named-patients.ts';
import type { PeopleOfLoad } from './people-of-load.ts';
import type { UnpackedResource } from './unpacker.ts';

/** Imports a batch, in one commit if that can hold it. The results are in the order of the batch. */
export type BatchImporter = (batch: readonly UnpackedResource[], pass: Pass) => Outcome<BatchOutcome>;

/** The results of a batch, and the failure of the store or the host that ended it. The resources before it are committed. */
type BatchOutcome = {
  readonly importResults: readonly ImportResult[];
  readonly failure: ClinicalError | null;
};

/** A resource and the outcome of its import. */
export type ImportResult = readonly [UnpackedResource, E.Either<ClinicalError, ImportOutcome>];

/** Whether this is the last pass over the resources of a load: see `ImportContext`. */
export type Pass = Pick<ImportContext, 'isLastPass'>;

/** Types to which others refer come first, so that few resources have to wait. */
const firstTypes = ['Organization', 'Practitioner', 'Patient', 'Encounter'];

type WithType = { readonly type: string };

/** Whether resources of a type are imported after all others. */
const isLast = (imports: ImportDefinitions, { type }: WithType): boolean =>
  imports.get(type)?.isLast === true;

/** Sorts resources by type, and keeps the order within a type. */
export const sortByImportOrder = <Resource extends WithType>(
  imports: ImportDefinitions,
  resources: readonly Resource[],
): readonly Resource[] => {
  const rankOf = (resource: WithType): number => {
    const rank = firstTypes.indexOf(resource.type);
    return rank === -1 ? firstTypes.length + (isLast(imports, resource) ? 1 : 0) : rank;
  };
  return resources.toSorted((a, b) => rankOf(a) - rankOf(b));
};

type RequiredReference = { readonly type: 'Patient' | 'Encounter'; readonly id: string };

const toRequiredReference = (type: RequiredReference['type'], sent: unknown): RequiredReference | null => {
  const reference = isObject(sent) && typeof sent.reference === 'string' ? sent.reference : '';
  const id = readSourceId(type, { reference });
  return id === undefined ? null : { type, id };
};

/** The reference without which a resource cannot be imported: an encounter, whose patient is known if it is, or a patient. */
const readRequiredReference = (
  resource: unknown,
  { requiresEncounter = false }: Pick<ImportDefinition, 'requiresEncounter'> = {},
): RequiredReference | null => {
  if (!isObject(resource)) return null;
  const { subject, patient, encounter } = resource;
  const required = requiresEncounter ? toRequiredReference('Encounter', encounter) : null;
  return required ?? toRequiredReference('Patient', subject ?? patient);
};

/**
 * Whether a resource refers to a patient or an encounter that is unknown. Nothing else of the resource is looked at: if the
 * resources come in a mixed order, most of them have to wait.
 */
const lacksRequiredReference = async (
  resource: unknown,
  definition: ImportDefinition | undefined,
  { store, find }: DirectoryRecords,
): Outcome<boolean> => {
  const required = readRequiredReference(resource, definition);
  if (required === null) return E.right(false);
  const read = await store.read(required);
  if (E.isLeft(read)) return E.left(toClinicalError(read.left));
  if (read.right !== null) return E.right(false);
  const entry = await find(required.type, required.id);
  if (E.isRight(entry)) return E.right(!recordExists(entry.right));
  // An answer of the host that cannot be imported is reported with the resource that refers to it.
  return isFailure(entry.left) ? entry : E.right(false);
};

/** Whether a record may be known by a business identifier of a resource. */
const isKnownByIdentifier = (imports: ImportDefinitions, { type, content }: UnpackedResource): boolean =>
  imports.get(type)?.isKnownByIdentifier === true && businessIdentifiers(content).length > 0;

/** Lists the records that the import of most resources reads: their own, and the one that each cannot be imported without. */
const createRecordsToRead = (imports: ImportDefinitions) => {
  const typesPerPatient = [...imports].flatMap(([type, { isOnePerPatient }]) =>
    isOnePerPatient ? [type] : [],
  );
  const recordsOf = (type: string, patientId: string): readonly RecordRef[] =>
    (imports.get(type)?.recordIds?.(patientId) ?? [patientId]).map((recordId) => ({ type, id: recordId }));
  const ofPatient = (id: string): readonly RecordRef[] => typesPerPatient.map((type) => ({ type, id }));

  const refsOf = (resource: UnpackedResource): readonly RecordRef[] => {
    const { type, id, content } = resource;
    const required = readRequiredReference(content, imports.get(type));
    const named = required === null ? [] : [required];
    if (isKnownByIdentifier(imports, resource)) {
      const patient = required?.type === 'Patient' ? required : readRequiredReference(content);
      const identifiers = patient && chartIdentifiersRef({ type, patientId: patient.id });
      return [{ type, id }, ...named, ...(identifiers === null ? [] : [identifiers])];
    }
    if (typesPerPatient.includes(type))
      return [...named, ...named.flatMap(({ id: patientId }) => recordsOf(type, patientId))];
    return [{ type, id }, ...(type === 'Patient' ? ofPatient(id) : []), ...named];
  };

  return (resources: readonly UnpackedResource[]): readonly RecordRef[] => {
    const refs = new Map<string, RecordRef>();
    for (const resource of resources)
      for (const ref of refsOf(resource)) refs.set(`${ref.type}/${ref.id}`, ref);
    return [...refs.values()];
  };
};

/** How many resources are decided and committed at a time, at most. */
const maxResources = 512;

/** The total length of the texts at which a batch ends, in characters. Until then, all of them are in memory. */
const maxLength = 4_000_000;

/** Gathers resources until they are a batch. */
export type BatchBuffer<Resource> = {
  /** Returns whether the batch is full. */
  readonly add: (resource: Resource) => boolean;
  /** Removes and returns the resources that were added since the last batch. */
  readonly take: () => readonly Resource[];
};

export const createBatchBuffer = <Resource extends { readonly length: number }>(): BatchBuffer<Resource> => {
  let batch: Resource[] = [];
  let length = 0;
  return {
    add: (resource) => {
      batch.push(resource);
      length += resource.length;
      return batch.length >= maxResources || length >= maxLength;
    },
    take: () => {
      const full = batch;
      batch = [];
      length = 0;
      return full;
    },
  };
};

/**
 * Every store takes a thousand changes and a thousand version checks in a commit. Only a team with many members adds more than
 * a hundred.
 */
const maxRecordsInCommit = 900;

/** The failure that ends a load. That of a rule of the host refuses one resource. */
const findFailure = (result: ImportResult[1]): ClinicalError | null =>
  E.isLeft(result) && isFailure(result.left) && !('isOfRule' in result.left) ? result.left : null;

/** How often a batch is decided as one; if others keep writing to its records, each resource is then committed by itself. */
const maxBatchAttempts = 3;

const entryTypes: ReadonlySet<string> = new Set(directoryTypes);

/** The decision on a resource, once everything that it needs was looked up. */
type LookedUp = E.Either<ClinicalError, ImportDecision>;

/** Looks up what the decision on a resource needs. */
type LookUp = (resource: UnpackedResource, context: ImportContext) => Promise<LookedUp>;

const createLookUp =
  (imports: ImportDefinitions, people: PeopleOfLoad): LookUp =>
  async (resource, context) => {
    // The types of the resources of a load are those of its imports.
    const definition = imports.get(resource.type) as TypeImport;
    const ofPatient =
      people.namedPatient(resource.content) === null
        ? E.right({ content: resource.content, isWaiting: false })
        : await resolvePatient(people, resource, context);
    if (E.isLeft(ofPatient)) return ofPatient;
    const resolved = people.resolve(ofPatient.right.content, definition.people);
    if (!context.isLastPass) {
      const lacks = await lacksRequiredReference(resolved.content, definition, context.directory);
      if (E.isLeft(lacks)) return lacks;
      if (lacks.right || ofPatient.right.isWaiting || resolved.isWaiting)
        return E.right(async () => E.right(waitingDecision));
    }
    return definition.importResource(resolved.content, context);
  };

/** Decides as many resources on the buffered store, one after the other, as its commit can hold. */
const createDecideSome =
  (buffer: BufferedStore, isLastType: (resource: UnpackedResource) => boolean, lookUp: LookUp) =>
  async (resources: readonly UnpackedResource[], context: ImportContext): Promise<BatchOutcome> => {
    const importResults: ImportResult[] = [];
    const isFull = () => buffer.size() >= maxRecordsInCommit;
    /** The failure that ends the batch, if there is one. */
    const decide = async (resource: UnpackedResource, decision: LookedUp) => {
      // A rule cannot refuse changes that follow an entry of the directory, such as a name in a care team.
      const cause = entryTypes.has(resource.type) ? null : 'import';
      const result = E.isLeft(decision) ? decision : await transact(buffer.store, cause)(decision.right);
      const failure = findFailure(result);
      if (failure === null) importResults.push([resource, result]);
      return failure;
    };

    for (const resource of resources) {
      if (isLastType(resource)) break;
      if (isFull()) return { importResults, failure: null };
      const failure = await decide(resource, await lookUp(resource, context));
      if (failure !== null) return { importResults, failure };
    }
    // The last ones may be dated when they are decided, as teams are, so no slow operation may come between the decision and
    // the commit.
    const decisions: (readonly [UnpackedResource, LookedUp])[] = [];
    for (const last of resources.filter(isLastType)) decisions.push([last, await lookUp(last, context)]);
    for (const [last, lookedUp] of decisions) {
      if (isFull()) break;
      const failure = await decide(last, lookedUp);
      if (failure !== null) return { importResults, failure };
    }
    return { importResults, failure: null };
  };

/** Finds the records that may be known by the identifiers of new resources, after the buffer has read what the commit checks. */
const findIdentified = async (
  store: ClinicalStore,
  buffer: BufferedStore,
  identifiable: readonly UnpackedResource[],
): Outcome<IdentifiedRecords> => {
  if (identifiable.length === 0) return E.right(noIdentifiedRecords);
  const isNew: boolean[] = [];
  for (const { type, id } of identifiable) {
    const read = await buffer.store.read({ type, id });
    if (E.isLeft(read)) return E.left(toClinicalError(read.left));
    isNew.push(read.right === null);
  }
  const newResources = identifiable.filter((_, index) => isNew[index]);
  const found = await findIdentifiedRecords(store, newResources);
  if (E.isLeft(found)) return found;
  const read = await buffer.readAhead(found.right.refs());
  return E.isLeft(read) ? E.left(toClinicalError(read.left)) : found;
};

export const createBatchImporter = (
  directory: DirectoryRecords,
  imports: ImportDefinitions,
  {
    createNotes = false,
    updates = 'newer',
    people,
  }: Partial<Pick<ImportContext, 'createNotes' | 'updates'>> & { readonly people: PeopleOfLoad },
): BatchImporter => {
  const { store } = directory;
  const recordsToRead = createRecordsToRead(imports);
  const isLastType = (resource: UnpackedResource) => isLast(imports, resource);
  const buffer = createBufferedStore(store, (type) => entryTypes.has(type));
  const bufferDirectory = directory.onStore(buffer.store);
  const decideSome = createDecideSome(buffer, isLastType, createLookUp(imports, people));

  /** Decides some resources, and commits them as one. If that does not succeed, each is committed by itself. */
  const importSome = async (resources: readonly UnpackedResource[], pass: Pass): Outcome<BatchOutcome> => {
    let attempts = 0;
    const some = await transact(
      store,
      null,
    )(async () => {
      attempts += 1;
      if (attempts > 1) buffer.discard();
      // Each resource commits itself, so this transaction writes nothing.
      if (attempts > maxBatchAttempts && resources.length > 1)
        return E.right({ changes: [], result: await importEach(resources, pass) });
      const read = await buffer.readAhead(recordsToRead(resources));
      if (E.isLeft(read)) return E.left(toClinicalError(read.left));
      const identifiable = resources.filter((resource) => isKnownByIdentifier(imports, resource));
      const identified = await findIdentified(store, buffer, identifiable);
      if (E.isLeft(identified)) return identified;
      const { isLastPass } = pass;
      const context = {
        directory: bufferDirectory,
        isLastPass,
        createNotes,
        updates,
        identified: identified.right,
      };
      const outcome = await decideSome(resources, context);
      return E.right({ ...buffer.toCommit(), result: outcome });
    });
    if (E.isRight(some)) buffer.afterCommit();
    else buffer.discard();
    return some;
  };

  const importEach = async (resources: readonly UnpackedResource[], pass: Pass): Promise<BatchOutcome> => {
    const importResults: ImportResult[] = [];
    for (const resource of resources) {
      const one = await importSome([resource], pass);
      if (E.isRight(one)) importResults.push(...one.right.importResults);
      else if (!isFailure(one.left)) importResults.push([resource, one]);
      const failure = E.isRight(one) ? one.right.failure : findFailure(one);
      if (failure !== null) return { importResults, failure };
    }
    return { importResults, failure: null };
  };

  return async (batch, pass) => {
    const resources = sortByImportOrder(imports, batch);
    const results = new Map<UnpackedResource, ImportResult>();
    let failure: ClinicalError | null = null;
    while (failure === null && results.size < resources.length) {
      const some = await importSome(resources.slice(results.size), pass);
      if (E.isLeft(some)) return some;
      for (const result of some.right.importResults) results.set(result[0], result);
      failure = some.right.failure;
    }
    const importResults = batch
      .map((resource) => results.get(resource))
      .filter((result) => result !== undefined);
    return E.right({ importResults, failure });
  };
};
