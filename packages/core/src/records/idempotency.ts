import * as E from 'fp-ts/lib/Either.js';
import {
  type ClinicalError,
  type ClinicalTask,
  createIssueFactory,
  invalidRequest,
  notFound,
  ruleViolation,
  toClinicalError,
} from '../errors.ts';
import { sha256 } from '../sha256.ts';
import type { ClinicalStore, RecordRef } from '../store/port.ts';
import { load, recordExists } from './load.ts';
import { createChange } from './record-change.ts';
import type { RecordDefinition } from './record-definition.ts';
import { type ResourceVersion, resourceVersionOf } from './resource-version.ts';

export const idempotencyIssues = {
  'idempotency-key-form': 'The idempotency key must have 1 to 255 visible ASCII characters, without spaces.',
  'idempotency-key-reused': 'The idempotency key was used before with a different body.',
} as const;

const idempotencyIssue = createIssueFactory(idempotencyIssues);

/** What makes a retry safe. */
export type IdempotencyOptions = {
  /**
   * A text that the caller sends again with each retry, and with nothing else: 1 to 255 visible ASCII characters. Keys of
   * callers who differ in `by` are different keys.
   */
  readonly idempotencyKey?: string | undefined;
};

/** What was made for a key, and for which request. The key and the request are kept as digests, which tell nothing of them. */
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
};

/** The resource as it was made, whatever has become of it since. */
const readCreatedVersion =
  (store: ClinicalStore, { type, id, version }: KeyRecord['made']): ClinicalTask<ResourceVersion> =>
  async () => {
    const versions = await store.history({ type, id })();
    if (E.isLeft(versions)) return E.left(toClinicalError(versions.left));
    const stored = versions.right.find((one) => one.version === version);
    return E.fromNullable<ClinicalError>(notFound(type, id))(stored && resourceVersionOf(stored));
  };

/** Makes a resource in a draft, unless that was done before. */
type CreateOnce = (
  buffer: ClinicalStore,
  make: ClinicalTask<ResourceVersion>,
) => ClinicalTask<ResourceVersion>;

const isIdempotencyKey = (key: unknown): boolean =>
  typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key);

/**
 * How a resource of a type is made once for a key: a retry with the same body is answered as the first request was, and one
 * with another body is refused. The key is written in the commit that writes the resource. A request that was refused uses
 * up no key.
 */
export const createOnceForKey = (
  { idempotencyKey: key }: IdempotencyOptions,
  { by, type, body }: { readonly by: string | null; readonly type: string; readonly body: unknown },
): E.Either<ClinicalError, CreateOnce> => {
  if (key === undefined) return E.right((_, create) => create);
  if (!isIdempotencyKey(key)) return E.left(invalidRequest(idempotencyIssue('idempotency-key-form')));
  const [ofKey, ofRequest] = [JSON.stringify([by, key]), JSON.stringify([type, body])];
  return E.right((buffer, create) => async () => {
    const [id, request] = await Promise.all([sha256(ofKey), sha256(ofRequest)]);
    const loaded = await load(buffer, idempotencyKeyRecordDefinition, id)();
    if (E.isLeft(loaded)) return loaded;
    if (recordExists(loaded.right)) {
      return loaded.right.state.request === request
        ? readCreatedVersion(buffer, loaded.right.state.made)()
        : E.left(ruleViolation(idempotencyIssue('idempotency-key-reused')));
    }
    const created = await create();
    if (E.isLeft(created)) return created;
    const { id: createdId, patientId, version, lastModified: at } = created.right;
    const state = { id, patientId, request, made: { type, id: createdId, version } };
    const change = createChange(idempotencyKeyRecordDefinition, loaded.right, state, { at, by });
    const committed = await buffer.commit({ changes: [change], versionChecks: [] })();
    return E.isLeft(committed) ? E.left(toClinicalError(committed.left)) : created;
  });
};
