import * as E from 'fp-ts/lib/Either.js';
import {
  type ClinicalError,
  createIssueFactory,
  erasedError,
  invalidRequest,
  notFound,
  type Outcome,
  ruleViolation,
  toClinicalError,
} from '../errors.ts';
import { bodyIssue } from '../fhir/issues.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import type { ClinicalStore, RecordRef, StoredRecord } from '../store/port.ts';
import { sha256 } from '../store/versions.ts';
import type { RecordDefinition } from './definition.ts';
import { type ResourceVersion, resourceVersionOf } from './page.ts';
import { createChange, isErasedVersion, load, recordExists } from './transact.ts';

export const idempotencyIssues = {
  'idempotency-key-form': 'The idempotency key must have 1 to 255 visible ASCII characters, without spaces.',
  'idempotency-key-reused': 'The idempotency key was used before with a different body.',
} as const;

const idempotencyIssue = createIssueFactory(idempotencyIssues);

/** The options that make a retry safe. */
export type IdempotencyOptions = {
  /**
   * A text that the caller sends with each retry, and with no other request: 1 to 255 visible ASCII characters. Callers with
   * different `by` have different keys.
   */
  readonly idempotencyKey?: string | undefined;
};

/** The resource created for a key, and its request. The key and the request are stored as digests, which reveal nothing of them. */
type KeyRecord = {
  readonly id: string;
  readonly patientId: string | null;
  readonly request: string;
  readonly made: RecordRef & { readonly version: number };
};

export const idempotencyKeyRecordDefinition: RecordDefinition<KeyRecord> = {
  type: 'IdempotencyKey',
  id: ({ id }) => id,
  patientId: ({ patientId }) => patientId,
  derive: () => null,
  refersTo: ({ made: { type, id } }) => [{ type, id }],
  withPatient: (state, _, patientId) => ({ ...state, patientId }),
};

/** Reads the result of the first request from a stored version; null if there is nothing to read. */
type ReadStored = (stored: StoredRecord) => ResourceVersion | null;

/** Reads the resource as it was created, without later changes. */
const readCreatedVersion = async (
  store: ClinicalStore,
  { type, id, version }: KeyRecord['made'],
  readStored: ReadStored,
): Outcome<ResourceVersion> => {
  const read = await store.readVersion({ type, id, version });
  if (E.isLeft(read)) return E.left(toClinicalError(read.left));
  const stored = read.right;
  if (stored !== null && isErasedVersion(stored)) return E.left(erasedError);
  return E.fromNullable<ClinicalError>(notFound(type, id))(stored && readStored(stored));
};

/** Creates a resource in a buffered store, unless it was created before. */
type CreateOnce = (buffer: ClinicalStore, make: () => Outcome<ResourceVersion>) => Outcome<ResourceVersion>;

const isIdempotencyKey = (key: unknown): boolean =>
  typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key);

/** Sorts the properties of an object by their names. */
const sortProperties = (_: string, part: unknown): unknown =>
  typeof part === 'object' && part !== null && !Array.isArray(part)
    ? Object.fromEntries(
        Object.keys(part)
          .sort()
          .map((name) => [name, (part as Readonly<Record<string, unknown>>)[name]]),
      )
    : part;

/**
 * Creates a resource only once for a key. A retry with the same body gets the result of the first request; the order of
 * properties does not count. A retry with another body is refused. The same commit writes the key and the resource. A
 * refused request does not use up its key.
 */
export const createOnceForKey = (
  { idempotencyKey: key }: IdempotencyOptions,
  {
    by,
    type,
    body,
    readStored = (stored) => resourceVersionOf(type, stored),
  }: {
    readonly by: AuthorReference | null;
    readonly type: ResourceType;
    readonly body: unknown;
    readonly readStored?: ReadStored;
  },
): E.Either<ClinicalError, CreateOnce> => {
  if (key === undefined) return E.right((_, create) => create());
  if (!isIdempotencyKey(key)) return E.left(invalidRequest(idempotencyIssue('idempotency-key-form')));
  // `JSON.stringify` throws for a value that is nested too deeply, and for one that JSON does not have.
  const ofRequest = E.tryCatch(
    () => JSON.stringify([type, body], sortProperties),
    () => invalidRequest(bodyIssue('many', type)),
  );
  if (E.isLeft(ofRequest)) return ofRequest;
  const id = sha256(JSON.stringify([by, key]));
  const request = sha256(ofRequest.right);
  return E.right(async (buffer, create) => {
    const loaded = await load(buffer, idempotencyKeyRecordDefinition, id);
    if (E.isLeft(loaded)) return loaded;
    if (recordExists(loaded.right)) {
      return loaded.right.state.request === request
        ? readCreatedVersion(buffer, loaded.right.state.made, readStored)
        : E.left(ruleViolation(idempotencyIssue('idempotency-key-reused')));
    }
    if (loaded.right.isErased) return E.left(erasedError);
    const created = await create();
    if (E.isLeft(created)) return created;
    const { id: createdId, patientId, version, lastModified: at } = created.right;
    const state = { id, patientId, request, made: { type, id: createdId, version } };
    const change = createChange(idempotencyKeyRecordDefinition, loaded.right, state, { at, by });
    const committed = await buffer.commit({ changes: [change], versionChecks: [] });
    return E.isLeft(committed) ? E.left(toClinicalError(committed.left)) : created;
  });
};
